import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';

const root = path.join(__dirname, '../../..');
const table = z.object({
  nodeRedFunctions: z.array(z.object({ uses: z.array(z.string()) })),
  nodeRedTests: z.array(z.string()),
});
const read = async () => table.parse(await import(path.join(root, 'scripts/tests/node-red-functions.mjs')));

/** Each way in which a test starts Node-RED or its editor. */
const STARTS = ['flow', 'node-red', 'shared-node-red'].map((name) => `test/support/node-red/${name}.ts`);
const IMPORT = /from '(\.[^']+)\.js'/g;

/** Returns whether a test starts Node-RED, directly or through the files of the tests that it imports. */
function startsNodeRed(file: string, seen = new Set<string>()): boolean {
  if (STARTS.includes(file)) return true;
  if (!file.startsWith('test/') || seen.has(file)) return false;
  seen.add(file);
  return [...readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT)].some(([, name = '']) =>
    startsNodeRed(`${path.posix.join(path.posix.dirname(file), name)}.ts`, seen),
  );
}

/** The names that code takes from Node-RED: `const { httpAdmin } = RED`, or `{ settings: { userDir } }: NodeAPI` of a function. */
const DESTRUCTURED = /\{((?:[^{}]|\{[^{}]*\})*)\}(?: = RED;|: (?:NodeAPI\b|Pick<NodeAPI,))/g;

/** Returns `RED.settings.userDir` for `settings: { userDir }`, and for `auth` the methods that `text` calls, or `RED.auth`. */
const namesIn = (names: string, text: string): string[] =>
  [...names.matchAll(/(\w+)(?:: \{ (\w+)[^}]*\})?/g)].flatMap(([, name = '', inner]) => {
    const used = text.match(new RegExp(`(?<![\\w.])${name}\\.(?!request\\b|response\\b)\\w+`, 'g')) ?? [];
    if (inner !== undefined) return [`RED.${name}.${inner}`];
    return used.length > 0 ? used.map((one) => `RED.${one}`) : [`RED.${name}`];
  });

/** Returns the interfaces of Node-RED in the code of the nodes and of their pages. */
function usedInterfaces(): string[] {
  const files = readdirSync(path.join(root, 'nodes'), { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => /\.(ts|html)$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => readFileSync(path.join(root, 'nodes', file), 'utf8'));
  const direct = texts.flatMap((text) => text.match(/\bRED\.\w+(?:\.\w+)?(?=[\s(,;)[])/g) ?? []);
  const taken = texts.flatMap((text) =>
    [...text.matchAll(DESTRUCTURED)].flatMap(([, names = '']) => namesIn(names, text)),
  );
  return [...new Set([...direct, ...taken])];
}

describe('the tests for another version of Node-RED', () => {
  it('include each interface of Node-RED that the nodes use', async () => {
    const listed = new Set((await read()).nodeRedFunctions.flatMap(({ uses }) => uses));
    const used = usedInterfaces();
    assert.ok(used.length > 20);
    assert.deepEqual(
      used.filter((name) => !listed.has(name)),
      [],
      'add these interfaces with a test file to scripts/tests/node-red-functions.mjs',
    );
  });

  it('list no interface that the nodes do not use', async () => {
    const used = usedInterfaces();
    const isUsed = (name: string) => used.some((one) => one === name || name.startsWith(`${one}.`));
    const listed = (await read()).nodeRedFunctions.flatMap(({ uses }) => uses);
    assert.deepEqual(
      listed.filter((name) => !isUsed(name)),
      [],
    );
  });

  it('start Node-RED or its editor', async () => {
    const { nodeRedTests } = await read();
    assert.deepEqual(
      nodeRedTests.filter((file) => !startsNodeRed(file)),
      [],
    );
  });
});
