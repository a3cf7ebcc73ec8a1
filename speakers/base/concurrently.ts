import { EventEmitter, on } from 'node:events';

/**
 * Runs work on each value as soon as it is there, and yields the results in the order of their ends: a device that does not answer
 * keeps no other one back. Work that fails has no result.
 */
export async function* concurrently<Value, Result>(
  values: (signal: AbortSignal) => AsyncIterable<Value>,
  work: (value: Value, signal: AbortSignal) => Promise<readonly Result[]>,
  parent: AbortSignal,
): AsyncGenerator<Result> {
  const end = new AbortController();
  const signal = AbortSignal.any([parent, end.signal]);
  const results = new EventEmitter();
  const run = async (value: Value) => {
    for (const result of await work(value, signal).catch(() => [])) results.emit('result', result);
  };
  const running: Promise<void>[] = [];
  const reading = (async () => {
    for await (const value of values(signal)) running.push(run(value));
    await Promise.all(running);
    end.abort();
  })();
  try {
    for await (const [result] of on(results, 'result', { signal })) yield result;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    end.abort();
    await reading;
  }
}
