import assert from 'node:assert/strict';
import { type CircuitChange, createBreaker, SpeechError } from '../../../client/index.js';
import { withFakeClock } from '../../support/fake-clock.js';

const dead = () => new SpeechError('no-connection', 'nothing listens');
const options = { failures: 3, firstPause: 1000, longestPause: 3000 };

/** Creates a breaker whose circuit was opened by three failures. */
function opened(onChange?: (change: CircuitChange) => void) {
  const breaker = createBreaker({ ...options, ...(onChange && { onChange }) });
  for (let text = 0; text < 3; text += 1) breaker.enter().failed(dead());
  return breaker;
}

const retryAfter = (seconds: number) => (error: unknown) =>
  error instanceof SpeechError && error.retryAfter === seconds;

describe('a circuit breaker', () => {
  it('opens after failures in a row, and rejects with the code of the last one', () =>
    withFakeClock(async () => {
      assert.throws(
        () => opened().enter(),
        (error) =>
          error instanceof SpeechError &&
          error.code === 'no-connection' &&
          error.retryAfter === 1 &&
          error.message === 'the service failed 3 times in a row; no call for the next 1 s',
      );
    }));

  it('stays closed if a success comes between the failures', () => {
    const breaker = createBreaker(options);
    for (let text = 0; text < 6; text += 1) {
      breaker.enter().failed(dead());
      breaker.enter().failed(dead());
      breaker.enter().succeeded();
    }
    assert.doesNotThrow(() => breaker.enter());
  });

  it('stays closed after replies of a living service', () => {
    const breaker = createBreaker(options);
    const replies = [
      new SpeechError('out-of-credits', '402', { status: 402 }),
      new SpeechError('bad-request', 'x'),
    ];
    for (const error of [...replies, ...replies]) breaker.enter().failed(error);
    assert.doesNotThrow(() => breaker.enter());
  });

  it('lets one probe through after the pause, and closes after its success', () =>
    withFakeClock(async ({ advance, pending }) => {
      const breaker = opened();
      await advance(1000);
      const probe = breaker.enter();
      assert.throws(() => breaker.enter());
      probe.succeeded();
      assert.doesNotThrow(() => breaker.enter());
      assert.equal(pending(), 0);
    }));

  it('doubles the pause after each failed probe, up to the longest pause', () =>
    withFakeClock(async ({ advance }) => {
      const breaker = opened();
      await advance(1000);
      for (const seconds of [2, 3, 3]) {
        breaker.enter().failed(dead());
        assert.throws(() => breaker.enter(), retryAfter(seconds));
        await advance(seconds * 1000);
      }
    }));

  it('lets the next probe through if a probe ended without a result', () =>
    withFakeClock(async ({ advance }) => {
      const breaker = opened();
      await advance(1000);
      breaker.enter().end();
      assert.doesNotThrow(() => breaker.enter());
    }));

  it('does not extend the pause for texts that started before the circuit opened', () =>
    withFakeClock(async ({ advance }) => {
      const breaker = createBreaker(options);
      const circuits = Array.from({ length: 5 }, () => breaker.enter());
      for (const circuit of circuits) circuit.failed(dead());
      await advance(1000);
      assert.doesNotThrow(() => breaker.enter());
    }));

  it('reports one change when it opens and one when it closes', () =>
    withFakeClock(async ({ advance }) => {
      const changes: CircuitChange[] = [];
      const breaker = opened((change) => changes.push(change));
      await advance(1000);
      breaker.enter().failed(dead());
      await advance(2000);
      breaker.enter().succeeded();
      assert.deepEqual(changes, [{ isOpen: true, count: 3, seconds: 1 }, { isOpen: false }]);
    }));
});
