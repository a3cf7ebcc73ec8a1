import { mock } from 'node:test';

export interface FakeClock {
  /** Moves the time forward. Fires the due timers in order, and runs the promise callbacks that follow. */
  advance(milliseconds: number): Promise<void>;
  now(): number;
  /** Number of active timers. */
  pending(): number;
}

/** Resolves after all pending promise callbacks. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Runs `work` with a simulated clock behind `performance.now()` and `setTimeout`. */
export async function withFakeClock<Result>(work: (clock: FakeClock) => Promise<Result>): Promise<Result> {
  // Sums of whole milliseconds are exact.
  let now = Math.round(performance.now());
  const timers = new Map<object, { at: number; run: () => void }>();
  const mocks = [
    mock.method(performance, 'now', () => now),
    mock.method(globalThis, 'setTimeout', (run: () => void, milliseconds = 0) => {
      const handle = { unref: () => handle };
      timers.set(handle, { at: now + Math.max(1, milliseconds), run });
      return handle;
    }),
    mock.method(globalThis, 'clearTimeout', (handle: object) => timers.delete(handle)),
  ];
  const nextDue = (end: number) =>
    [...timers].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)[0];
  const advance = async (milliseconds: number) => {
    await settled();
    const end = now + milliseconds;
    for (let due = nextDue(end); due !== undefined; due = nextDue(end)) {
      const [handle, { at, run }] = due;
      timers.delete(handle);
      now = at;
      run();
      await settled();
    }
    now = end;
    await settled();
  };
  try {
    return await work({ advance, now: () => now, pending: () => timers.size });
  } finally {
    for (const each of mocks) each.mock.restore();
  }
}
