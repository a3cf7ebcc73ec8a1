import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs `work`, then fails if a rejection was nobody's, or if Node warned, as it does of listeners that pile up. */
export async function withoutStrayErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  const strays: unknown[] = [];
  const note = (stray: unknown) => strays.push(stray);
  process.on('unhandledRejection', note).on('warning', note);
  try {
    const result = await work();
    await nextTurn();
    assert.deepEqual(strays, [], 'an error went astray');
    return result;
  } finally {
    process.off('unhandledRejection', note).off('warning', note);
  }
}
