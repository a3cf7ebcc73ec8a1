import assert from 'node:assert/strict';
import { createCreditLatch, type CreditLatch } from '../../../client/calls/credit-latch.js';
import { SpeechError } from '../../../client/base/errors.js';
import { sleep } from '../../../client/base/abort.js';
import type { Operation } from '../../../client/interface/operation.js';
import {
  createSpeech,
  getCredits,
  predictDuration,
  streamSpeech,
} from '../../../client/interface/operations.js';
import { withFakeClock } from '../../support/fake-clock.js';
import { rejection } from '../../support/rejection.js';

const { signal } = new AbortController();
const refused = () => new SpeechError('out-of-credits', 'no credits', { status: 402 });

/** Returns true if the latch lets a call of this operation pass. */
const open = (latch: CreditLatch, operation: Operation) =>
  latch
    .guard(operation, signal, async () => {})
    .then(
      () => true,
      (error: unknown) => error instanceof SpeechError && error.code !== 'out-of-credits',
    );

describe('createCreditLatch', () => {
  it('rejects paid calls for 60 s after a 402, with the remaining seconds, and lets free calls pass', () =>
    withFakeClock(async (clock) => {
      const latch = createCreditLatch();
      latch.failed(refused());
      await clock.advance(59_000);
      const error = await rejection(latch.guard(createSpeech, signal, async () => {}));
      assert.deepEqual([error.code, error.route, error.retryAfter], ['out-of-credits', 'out-of-credits', 1]);
      assert.equal(await open(latch, streamSpeech), false);
      assert.equal(await open(latch, predictDuration), true);
      assert.equal(await open(latch, getCredits), true);
      await clock.advance(1000);
      assert.equal(await open(latch, createSpeech), true);
    }));

  it('lets paid calls pass again only after getCredits returned a positive balance', async () => {
    const latch = createCreditLatch();
    latch.failed(refused());
    for (const balance of [0, null, -1]) {
      latch.succeeded(getCredits, { balance });
      assert.equal(await open(latch, createSpeech), false);
    }
    latch.succeeded(predictDuration, { duration: 3, balance: 5 });
    assert.equal(await open(latch, createSpeech), false);
    latch.succeeded(getCredits, { balance: 0.5 });
    assert.equal(await open(latch, createSpeech), true);
  });

  it('rejects waiting paid calls on a 402, and lets free calls wait', async () => {
    const latch = createCreditLatch();
    const controller = new AbortController();
    const wait = (waiting: AbortSignal) => sleep(1e6, waiting);
    const paid = rejection(latch.guard(createSpeech, controller.signal, wait));
    const free = rejection(latch.guard(getCredits, controller.signal, wait));
    latch.failed(refused());
    assert.equal((await paid).code, 'out-of-credits');
    controller.abort();
    assert.equal((await free).code, 'aborted');
  });

  it('lets paid calls pass after other failures', async () => {
    const latch = createCreditLatch();
    latch.failed(new SpeechError('rate-limited', 'slow down', { status: 429 }));
    latch.failed(new SpeechError('no-connection', 'connection refused'));
    assert.equal(await open(latch, createSpeech), true);
  });
});
