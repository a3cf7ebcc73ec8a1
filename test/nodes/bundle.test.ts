import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { nodeNames } from '../support/node-red/node-names.js';

const ROOT = path.resolve(__dirname, '../..');
const BUILT = path.join(ROOT, 'dist/nodes');

/** Runs code in a new process with the built nodes alone, and returns its result. */
async function resultOf<Result>(code: string, ...flags: string[]): Promise<Result> {
  const print = `console.log(JSON.stringify((() => { ${code} })()))`;
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', print], {
    cwd: BUILT,
    env: { PATH: process.env['PATH'] },
  });
  return JSON.parse(stdout);
}

describe('the built nodes', () => {
  it('load from one script, without zod and an HTTP client', async () => {
    const files = await resultOf<string[]>(`
      for (const name of ${JSON.stringify(nodeNames)}) require('./' + name + '.js');
      return Object.keys(require.cache);`);
    const own = files.filter((file) => file.startsWith(BUILT)).map((file) => path.basename(file, '.js'));
    assert.deepEqual(own.sort(), [...nodeNames, 'nodes'].sort());
    const slow = files.filter((file) => /node_modules.(zod|undici|form-data)./.test(file));
    assert.deepEqual(slow, []);
  });

  it('have function names in a stack trace, and their source files with --enable-source-maps', async () => {
    const fail = `
      try { require('./credits.js')(undefined); } catch (error) { return error.stack; }`;
    assert.match(await resultOf<string>(fail), /at register .*runtime.nodes\.js:\d+:\d+/);
    const mapped = await resultOf<string>(fail, '--enable-source-maps');
    const [, file = ''] = /\((\/.*|[A-Z]:.*):\d+:\d+\)/.exec(mapped) ?? [];
    assert.ok(existsSync(file) && file.endsWith('.ts'), mapped);
  });
});
