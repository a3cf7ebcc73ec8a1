import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Program, startProgram } from '../../../client/base/program.js';

type Reply = { kind: 'done'; text: string } | { kind: 'failed'; message: string };

const ANSWERING = path.join(__dirname, 'answering-process.ts');
const CALLING = path.join(__dirname, 'calling-process.ts');
/** Milliseconds that a program has for its end. */
const PATIENCE = 60_000;

describe('a program that answers calls', () => {
  const programs: Program<Reply>[] = [];
  afterEach(() => Promise.all(programs.splice(0).map((program) => program.end())));

  function programOf(peer: ConstructorParameters<typeof Program<Reply>>[0]): Program<Reply> {
    const program = new Program<Reply>(peer, {
      kinds: ['done', 'failed'],
      ended: (how, cause) => new Error(`ended with ${how}`, { cause }),
    });
    programs.push(program);
    return program;
  }
  const start = (...args: string[]) => programOf(startProgram(ANSWERING, { args }));
  const echo = async (program: Program<Reply>) => {
    const reply = await program.ask({ kind: 'echo', text: 'hello' });
    return reply.kind === 'done' && reply.text;
  };

  it('answers calls that were sent before it has started', async () => {
    const program = start();
    assert.deepEqual(await Promise.all([echo(program), echo(program)]), ['hello', 'hello']);
  });

  it('keeps its caller alive during a call, and not longer', async () => {
    const execArgv = process.execArgv;
    const { stdout } = await promisify(execFile)(process.execPath, [...execArgv, CALLING]);
    assert.equal(stdout, 'answered true\n');
  });

  it('rejects a call with the exit code if it ends during its start', async () => {
    const program = start('exit');
    await assert.rejects(echo(program), /ended with exit code 3/);
    await program.exited;
    assert.equal(program.pid, undefined);
    await assert.rejects(echo(program), /ended with exit code 3/);
  });

  it('rejects a call with the cause if it cannot start', async () => {
    const program = programOf(startProgram(ANSWERING, { execPath: path.join(__dirname, 'missing') }));
    await assert.rejects(echo(program), (error: Error) => {
      assert.match(error.message, /ended with an error/);
      assert.equal(error.cause instanceof Error && 'code' in error.cause && error.cause.code, 'ENOENT');
      return true;
    });
    await program.exited;
    await program.end();
  });

  it('rejects its calls in work when it is ended, and resolves every end after its own', async () => {
    const program = start();
    await echo(program);
    const hanging = assert.rejects(program.ask({ kind: 'hang' }), /ended with SIGKILL/);
    let isEnded = false;
    void program.exited.then(() => (isEnded = true));
    await Promise.all([program.end(), program.end()]);
    assert.equal(isEnded, true);
    await hanging;
    await assert.rejects(echo(program), /ended with a stop/);
  });

  it('ends by itself after a farewell', async () => {
    const program = start();
    const hanging = assert.rejects(program.ask({ kind: 'hang' }), /ended with exit code 0/);
    await program.end({ kind: 'leave' }, PATIENCE);
    await hanging;
  });

  it('is killed if it does not end after a farewell', async () => {
    const program = start('stubborn');
    const hanging = assert.rejects(program.ask({ kind: 'hang' }), /ended with SIGKILL/);
    await program.end({ kind: 'leave' }, 10);
    await hanging;
  });

  it('may be a thread, whose error is the cause of the failed calls', async () => {
    const thread = new Worker('setTimeout(() => { throw new RangeError("broken"); })', { eval: true });
    const program = programOf(thread);
    await assert.rejects(echo(program), (error: Error) => {
      assert.equal(error.cause instanceof RangeError && error.cause.message, 'broken');
      return true;
    });
    await program.exited;
  });
});
