import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { leavingNothing } from './leftovers.js';
import { loadTypescript } from './run-typescript.js';
import { fromProgram, spawned } from './spawned.js';

const LEFTOVERS = JSON.stringify(path.join(__dirname, 'leftovers.ts'));
/** The node http request of Node-RED loads a module that does so. */
const IMPORT = `import('data:text/javascript,import "node:process"')`;
const WORK = `require(${LEFTOVERS}).leavingNothing(() => ${IMPORT}, 100).then(() => process.exit(0))`;

describe('a test that must leave nothing open', () => {
  it('passes if it is the first that reads the standard streams of a process with pipes', async () => {
    const program = spawned(spawn(process.execPath, [...loadTypescript, '-e', WORK]));
    const output = Promise.all([text(program.stderr), once(program, 'exit')]);
    const [errors, [code]] = await fromProgram(program, output);
    assert.equal(code, 0, errors);
  });

  it('fails if it leaves a process and its pipes open', async () => {
    const started: ReturnType<typeof spawn>[] = [];
    const leaving = leavingNothing(async () => {
      started.push(spawned(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])));
    }, 100);
    await assert.rejects(leaving, /some resources are still open[^]*PipeWrap/);
    for (const program of started) program.kill('SIGKILL');
    await Promise.all(started.map((program) => once(program, 'close')));
  });
});
