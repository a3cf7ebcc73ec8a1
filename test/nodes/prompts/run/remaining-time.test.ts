import assert from 'node:assert/strict';
import { RemainingTime } from '../../../../nodes/prompts/run/rows/remaining-time.js';

/** Ends `done` rows after some seconds of work. */
function after(seconds: number, done: number, count: number, perMinute: number): number | undefined {
  let now = 0;
  const time = new RemainingTime(count, perMinute, () => now);
  now = seconds * 1000;
  for (let row = 0; row < done; row += 1) time.ended();
  return time.secondsLeft;
}

describe('the remaining time of a run', () => {
  it('is unknown before the first row has ended', () => {
    assert.equal(after(10, 0, 100, 60), undefined);
  });

  it('follows the pace of the rows without a rate limit', () => {
    assert.equal(after(10, 20, 100, Infinity), 40);
  });

  it('includes the rate limit while the first minute of requests is sent at once', () => {
    assert.equal(after(1, 10, 900, 60), 840);
  });

  it('follows the pace behind the first minute of requests', () => {
    assert.equal(after(120, 120, 900, 60), 780);
    assert.equal(after(10, 400, 900, 60), 12.5);
  });

  it('is 0 at the end', () => {
    assert.equal(after(120, 50, 50, 60), 0);
  });
});
