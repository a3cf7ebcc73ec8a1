import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { examples } from './example.js';

const manifest = z.object({ 'node-red': z.object({ nodes: z.record(z.string(), z.string()) }) });
const ours = Object.keys(
  manifest.parse(createRequire(__filename)(path.resolve(__dirname, '../../package.json')))['node-red'].nodes,
);
const all = [...examples.values()].flat();

describe('the examples', () => {
  it('use every node of the package', () => {
    const used = new Set(all.map(({ type }) => type));
    assert.deepEqual(
      ours.filter((type) => !used.has(type)),
      [],
    );
  });

  it('may be imported together: no two nodes have one id', () => {
    const ids = all.map(({ id }) => id);
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
  });
});

for (const [name, nodes] of examples) {
  describe(`the example ${name}`, () => {
    const ids = new Set(nodes.map(({ id }) => id));
    const inFlow = nodes.filter((node) => node.z !== undefined);

    it('has a name of words with dashes, which is its name in the menu', () => {
      assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    });

    it('is one flow, which opens with a comment that says what to press', () => {
      const tabs = nodes.filter(({ type }) => type === 'tab');
      assert.equal(tabs.length, 1);
      assert.ok(inFlow.every((node) => node.z === tabs[0]?.id));
      assert.equal(inFlow[0]?.type, 'comment');
      assert.match(inFlow[0]?.name ?? '', /^Press /);
      assert.ok(inFlow[0]?.['info'], 'the comment explains nothing');
    });

    it('has wires and links that lead to nodes of its own', () => {
      const strings = z.array(z.string()).default([]);
      const led = inFlow.flatMap(({ wires = [], links, scope }) => [
        ...wires.flat(),
        ...strings.parse(links),
        ...(strings.nullable().parse(scope) ?? []),
      ]);
      assert.deepEqual(
        led.filter((id) => !ids.has(id)),
        [],
      );
    });

    it('needs no account but this machine, and every node names it', () => {
      const accounts = nodes.filter(({ type }) => type === 'herald-account');
      assert.deepEqual(
        accounts.map(({ name: called, service, url }) => ({ called, service, url })),
        [{ called: 'this machine', service: 'local', url: '' }],
      );
      const silent = new Set(['herald-account', 'herald-listen']);
      for (const { id, type, account } of nodes) {
        if (ours.includes(type) && !silent.has(type)) assert.equal(account, accounts[0]?.id, id);
      }
    });

    it('holds no key and no place of one machine', () => {
      const text = JSON.stringify(nodes);
      assert.doesNotMatch(text, /credentials|api_?key"|password/i);
      assert.doesNotMatch(text, /"(\/(home|tmp|root|var|usr|Users)\b|[A-Z]:\\)/);
    });

    it('loses no failure: what goes wrong comes to a node that shows it', () => {
      const hasCatch = inFlow.some(({ type }) => type === 'catch');
      const speakers = inFlow.filter(({ account }) => account !== undefined);
      for (const { id, wires = [] } of speakers) {
        assert.ok(hasCatch || wires.slice(1).every((port) => port.length > 0), id);
      }
    });
  });
}
