import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs `work`, then fails on unhandled rejections and on warnings of Node, such as too many listeners. */
export async function withoutStrayErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  const strays: unknown[] = [];
  const note = (stray: unknown) => strays.push(stray);
  process.on('unhandledRejection', note).on('warning', note);
  try {
    const result = await work();
    await nextTurn();
    assert.deepEqual(strays, [], 'some errors or warnings are unhandled');
    return result;
  } finally {
    process.off('unhandledRejection', note).off('warning', note);
  }
}
