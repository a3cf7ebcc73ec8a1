import { mock } from 'node:test';

export interface FakeClock {
  /** Lets `milliseconds` pass: every timer that is due fires in order, and all that follows from it runs. */
  advance(milliseconds: number): Promise<void>;
  now(): number;
  /** Timers that are set. */
  pending(): number;
}

/** All that promises still have to do. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Runs `work` on a clock of its own: `performance.now()` and `setTimeout` go by it, real time does not matter. */
export async function withFakeClock<Result>(work: (clock: FakeClock) => Promise<Result>): Promise<Result> {
  // Whole milliseconds: sums of them are exact.
  let now = Math.round(performance.now());
  const timers = new Map<object, { at: number; run: () => void }>();
  const mocks = [
    mock.method(performance, 'now', () => now),
    mock.method(globalThis, 'setTimeout', (run: () => void, milliseconds = 0) => {
      const handle = {};
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
