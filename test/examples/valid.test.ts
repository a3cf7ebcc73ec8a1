import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { nodeTypes } from '../support/node-red/node-names.js';
import { examples } from './example.js';

const all = [...examples.values()].flat();

/** The tests that run examples: the test files of this folder that do not run all examples alike. */
const runs = readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !['valid.test.ts', 'editor.test.ts'].includes(file))
  .map((file) => readFileSync(path.join(__dirname, file), 'utf8'))
  .join('\n');

describe('set of examples', () => {
  it('has a test that runs each example', () => {
    assert.deepEqual(
      [...examples.keys()].filter((name) => !runs.includes(`'${name}'`)),
      [],
    );
  });

  it('uses each node of the package', () => {
    const used = new Set(all.map(({ type }) => type));
    assert.deepEqual(
      nodeTypes.filter((type) => !used.has(type)),
      [],
    );
  });

  it('has unique node ids', () => {
    const ids = all.map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
  });
});

for (const [name, nodes] of examples) {
  describe(`example ${name}`, () => {
    const ids = new Set(nodes.map(({ id }) => id));
    const inFlow = nodes.filter(({ z: flow, type }) => flow !== undefined && type !== 'group');

    it('has a file name of lower case words and dashes, in a subfolder or not', () => {
      assert.match(name, /^([a-z]+\/)?[a-z]+(-[a-z]+)*$/);
    });

    it('is one flow and starts with a comment that names the button to press', () => {
      const tabs = nodes.filter(({ type }) => type === 'tab');
      assert.equal(tabs.length, 1);
      assert.match(z.string().parse(tabs[0]?.['info']), /^[A-Z][^]{20,}\.$/, 'the tab has no description');
      assert.ok(inFlow.every((node) => node.z === tabs[0]?.id));
      assert.equal(inFlow[0]?.type, 'comment');
      assert.match(inFlow[0]?.name ?? '', /^Press /);
      assert.ok(inFlow[0]?.['info'], 'the comment has no description');
    });

    it('has wires and links to its own nodes only', () => {
      const strings = z.array(z.string()).default([]);
      const targets = inFlow.flatMap(({ wires = [], links, scope }) => [
        ...wires.flat(),
        ...strings.parse(links),
        ...(strings.nullable().parse(scope) ?? []),
      ]);
      assert.deepEqual(
        targets.filter((id) => !ids.has(id)),
        [],
      );
    });

    it('uses only one account, of a service on this computer, in each node', () => {
      const all = nodes.filter(({ type }) => type === 'herald-account');
      // The flow of a Wyoming server also brings the server.
      const accounts = name === 'wyoming-server' ? all.filter(({ id }) => id !== 'wyoming-server') : all;
      const expected =
        name === 'wyoming-server'
          ? { label: 'Wyoming', service: 'wyoming', url: '', address: 'tcp://127.0.0.1:10200' }
          : { label: 'Local service', service: 'local', url: '', address: undefined };
      assert.deepEqual(
        accounts.map(({ name: label, service, url, address }) => ({ label, service, url, address })),
        [expected],
      );
      const withoutAccount = new Set(['herald-account', 'herald-listen', 'herald-speaker']);
      for (const { id, type, account } of nodes) {
        if (nodeTypes.includes(type) && !withoutAccount.has(type)) assert.equal(account, accounts[0]?.id, id);
      }
    });

    it('contains no key and no absolute path', () => {
      const text = JSON.stringify(nodes);
      assert.doesNotMatch(text, /credentials|api_?key"|password/i);
      assert.doesNotMatch(text, /"(\/(home|root|var|usr|Users)\b|[A-Z]:\\)/);
    });

    it('covers no status of a node with another node', () => {
      const place = z.object({ id: z.string(), type: z.string(), x: z.number(), y: z.number() });
      const places = inFlow.map((node) => place.parse(node));
      const covered = places
        .filter(({ type }) => nodeTypes.includes(type))
        .flatMap(({ id, x, y }) =>
          places
            .filter((other) => other.y > y && other.y - y < 60 && Math.abs(other.x - x) < 80)
            .map((other) => `${other.id} covers the status of ${id}`),
        );
      assert.deepEqual(covered, []);
    });

    it('sends each failure to a node that shows it', () => {
      const hasCatch = inFlow.some(({ type }) => type === 'catch');
      const callers = inFlow.filter(({ account }) => account !== undefined);
      for (const { id, wires = [] } of callers) {
        const failures = wires.slice(1).map((port) => port.length > 0);
        assert.ok(failures.every(Boolean) || (hasCatch && !failures.some(Boolean)), id);
      }
    });
  });
}
