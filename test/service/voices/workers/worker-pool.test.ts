import assert from 'node:assert/strict';
import path from 'node:path';
import { z } from 'zod';
import { WorkerPool, type WorkerPoolOptions } from '../../../../service/voices/workers/worker-pool.js';
import { WorkerError, type WorkerFailure } from '../../../../service/kit/worker-error.js';

const file = path.join(__dirname, 'misbehaving.ts');
const forever = new AbortController().signal;

describe('the worker pool', () => {
  let pool: WorkerPool;
  const open = (options: Partial<WorkerPoolOptions> = {}) => {
    pool = new WorkerPool({ file, size: 1, ...options });
  };
  afterEach(async () => pool.close());

  async function run(job: object, signal = forever): Promise<number[]> {
    const outputs: number[] = [];
    for await (const output of pool.run(job, (value) => z.number().parse(value), signal))
      outputs.push(output);
    return outputs;
  }

  const fails = (job: Promise<unknown>, code: WorkerFailure, message?: RegExp) =>
    assert.rejects(job, (error) => {
      assert.ok(error instanceof WorkerError, String(error));
      assert.equal(error.code, code);
      if (message !== undefined) assert.match(error.message, message);
      return true;
    });

  it('gives the outputs of a job in order', async () => {
    open();
    assert.deepEqual(await run({ do: 'count', times: 3 }), [1, 2, 3]);
  });

  it('runs more jobs than it has workers, each with its own outputs', async () => {
    open({ size: 2 });
    const results = await Promise.all([1, 2, 3, 4, 5].map((times) => run({ do: 'count', times })));
    assert.deepEqual(
      results.map((outputs) => outputs.length),
      [1, 2, 3, 4, 5],
    );
  });

  it('fails only the job that throws, and keeps its worker', async () => {
    open();
    await fails(run({ do: 'throw' }), 'failed', /it broke/);
    await fails(run({ do: 'refuse' }), 'refused', /not that/);
    assert.deepEqual(await run({ do: 'count', times: 1 }), [1]);
  });

  it('fails the job of a worker that ends, and replaces the worker', async () => {
    open();
    const next = [run({ do: 'crash' }), run({ do: 'count', times: 2 })] as const;
    await fails(next[0], 'crashed');
    assert.deepEqual(await next[1], [1, 2]);
  });

  it('aborts a job over its time limit, and keeps its worker', async () => {
    open({ timeLimit: 3000, grace: 60_000 });
    await fails(run({ do: 'wait' }), 'timed-out', /3 s/);
    assert.deepEqual(await run({ do: 'count', times: 1 }), [1]);
  });

  it('terminates a worker that hangs after the grace period, and replaces it', async () => {
    open({ timeLimit: 3000, grace: 10 });
    await fails(run({ do: 'hang' }), 'hung');
    assert.deepEqual(await run({ do: 'count', times: 1 }), [1]);
  });

  it('counts the wait in the queue as part of the time limit', async () => {
    open({ timeLimit: 2000, grace: 60_000 });
    // The first job does not end on request, so the second one waits until its own time limit.
    const running = assert.rejects(run({ do: 'hang' }), { code: 'closed' });
    await fails(run({ do: 'count', times: 1 }), 'timed-out');
    await pool.close();
    await running;
  });

  it('rejects a job while the queue is full', async () => {
    open({ maxQueued: 1 });
    const controller = new AbortController();
    const running = run({ do: 'wait' }, controller.signal);
    const waiting = run({ do: 'count', times: 1 });
    await fails(run({ do: 'count' }), 'full');
    controller.abort();
    await assert.rejects(running, { name: 'AbortError' });
    assert.deepEqual(await waiting, [1]);
  });

  it('removes an aborted job from the queue without running it', async () => {
    open({ maxQueued: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = run({ do: 'wait' }, first.signal);
    const waiting = run({ do: 'crash' }, second.signal);
    second.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    const next = run({ do: 'count', times: 1 });
    first.abort();
    await assert.rejects(running, { name: 'AbortError' });
    assert.deepEqual(await next, [1]);
  });

  it('aborts a running job when its signal aborts, so that the worker is free for the next job', async () => {
    open();
    const controller = new AbortController();
    const running = run({ do: 'wait' }, controller.signal);
    controller.abort();
    await assert.rejects(running, { name: 'AbortError' });
    assert.deepEqual(await run({ do: 'count', times: 1 }), [1]);
  });

  it('aborts a running job when its stream is cancelled', async () => {
    open();
    const outputs = pool.run({ do: 'wait' }, Number, forever);
    await outputs.cancel();
    assert.deepEqual(await run({ do: 'count', times: 1 }), [1]);
  });

  it('fails running and queued jobs when it closes, and rejects later jobs', async () => {
    open();
    const [running, waiting] = [run({ do: 'hang' }), run({ do: 'count' })];
    const failed = Promise.all([fails(running, 'closed'), fails(waiting, 'closed')]);
    await pool.close();
    await failed;
    await fails(run({ do: 'count' }), 'closed');
  });
});
