import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Progress } from '../../../client/calls/account.js';
import { SpeechError } from '../../../client/errors.js';
import { createClonedVoice, createSpeech, getCredits } from '../../../client/interface/operations.js';
import { backoff, createRetryBudget, retry, retryDefaults } from '../../../client/calls/retry.js';
import { wavOf } from '../../support/audio-files.js';
import { withService } from '../../support/client-for.js';
import { withFakeClock } from '../../support/fake-clock.js';
import { rejection } from '../../support/rejection.js';
import { refused } from '../../support/scripted-server.js';

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };
const clone = { files: wavOf(), name: 'A voice' };

describe('the wait before a retry', () => {
  const options = { ...retryDefaults, backoffBase: 100, backoffCap: 5000 };

  it('is anything from nothing to a bound that doubles each time, up to the cap', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const wait = backoff(attempt, options, random);
          const most = Math.min(5000, 100 * 2 ** (attempt - 1));
          assert.ok(wait >= 0 && wait <= most);
          assert.ok(Math.abs(wait - random * most) < 1e-6);
        },
      ),
    ));
});

describe('the retry budget', () => {
  it('gives its size at once, then one for five successes or ten seconds', () =>
    withFakeClock(async (clock) => {
      const budget = createRetryBudget(3);
      const take = () => budget.take();
      assert.deepEqual([take(), take(), take(), take()], [true, true, true, false]);
      for (let success = 0; success < 5; success += 1) budget.earn();
      assert.deepEqual([take(), take()], [true, false]);
      await clock.advance(10_000);
      assert.deepEqual([take(), take()], [true, false]);
    }));

  it('never holds more than its size', () =>
    withFakeClock(async (clock) => {
      const budget = createRetryBudget(2);
      for (let success = 0; success < 100; success += 1) budget.earn();
      await clock.advance(1e6);
      assert.deepEqual([budget.take(), budget.take(), budget.take()], [true, true, false]);
    }));

  it('keeps a dead service from being asked as often as callers and attempts would', () =>
    withService(
      () => refused(500),
      async (client, server) => {
        const calls = Array.from({ length: 50 }, () => rejection(client.call(getCredits, {})));
        for (const { code } of await Promise.all(calls)) assert.equal(code, 'service-failed');
        assert.equal(server.requests.length, 50 + 10);
      },
      { attempts: 4, retryBudget: 10 },
    ));
});

describe('the retries in hand', () => {
  it('come back as calls succeed', () => {
    let down = true;
    return withService(
      () => (down ? refused(500) : { body: { balance: 7 } }),
      async (client, server) => {
        const attempts = async () => (await rejection(client.call(getCredits, {}))).attempts;
        assert.deepEqual([await attempts(), await attempts()], [2, 1]);
        down = false;
        for (let success = 0; success < 5; success += 1) await client.call(getCredits, {});
        down = true;
        assert.deepEqual([await attempts(), await attempts()], [2, 1]);
        assert.equal(server.requests.length, 11);
      },
      { attempts: 2, retryBudget: 1 },
    );
  });
});

describe('a call that is refused', () => {
  for (const status of [302, 400, 401, 402, 403, 404, 413, 415]) {
    it(`with ${status} is sent once`, () =>
      withService(
        () => refused(status),
        async (client, server) => {
          const error = await rejection(client.call(createSpeech, speech));
          assert.deepEqual([error.status, error.attempts], [status, 1]);
          assert.equal(server.requests.length, 1);
        },
      ));
  }

  for (const status of [408, 429, 500, 502, 503, 504]) {
    it(`with ${status} is sent again, as often as \`attempts\` says`, () =>
      withService(
        () => refused(status),
        async (client, server) => {
          const error = await rejection(client.call(createSpeech, speech));
          assert.deepEqual([error.status, error.attempts, error.operation], [status, 4, 'createSpeech']);
          assert.equal(server.requests.length, 4);
        },
        { attempts: 4 },
      ));

    it(`with ${status} succeeds when the service recovers`, () =>
      withService(
        (_request, index) => (index < 2 ? refused(status) : { body: { balance: 7 } }),
        async (client) => assert.equal((await client.call(getCredits, {})).balance, 7),
      ));
  }

  it('with 429 waits for at least half of the backoff, however short its Retry-After', () =>
    fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 0.999, noNaN: true }), async (random) => {
        const waits: number[] = [];
        const { random: real } = Math;
        Math.random = () => random;
        const options = { ...retryDefaults, attempts: 2, backoffBase: 8000 };
        const failing = retry({
          admit: async () => {},
          send: () => Promise.reject(new SpeechError('rate-limited', 'slow down', { retryAfter: 1 })),
          options,
          budget: createRetryBudget(1),
          idempotent: true,
          signal: new AbortController().signal,
          deadline: Infinity,
          onFailure: (_error, wait) => waits.push(wait),
        });
        await rejection(failing).finally(() => (Math.random = real));
        assert.equal(waits.length, 2);
        assert.ok((waits[0] ?? 0) >= 4000 && (waits[0] ?? 0) <= 8000);
      }),
      { numRuns: 20 },
    ));

  it('is sent once where `attempts` is 1', () =>
    withService(
      () => refused(500),
      async (client, server) => {
        assert.equal((await rejection(client.call(getCredits, {}))).attempts, 1);
        assert.equal(server.requests.length, 1);
      },
      { attempts: 1 },
    ));

  for (const status of [429, 503]) {
    it(`with ${status} and a Retry-After waits at least so long, and once`, () =>
      withService(
        () => refused(status, { 'retry-after': '3' }),
        async (client, server) => {
          const stop = new AbortController();
          const waits: number[] = [];
          const onProgress = (progress: Progress) => {
            if (progress.state !== 'waiting') return;
            waits.push(Math.round(progress.seconds));
            setImmediate(() => stop.abort());
          };
          await rejection(client.call(getCredits, {}, { signal: stop.signal, onProgress }));
          assert.deepEqual([waits, server.requests.length], [[3], 1]);
        },
      ));
  }

  for (const [words, value] of [
    ['in seconds', () => '3600'],
    ['as a date', () => new Date(Date.now() + 3_600_500).toUTCString()],
  ] as const) {
    for (const status of [429, 503]) {
      it(`with ${status} and a Retry-After ${words} past its deadline fails at once and states the time`, () =>
        withService(
          () => refused(status, { 'retry-after': value() }),
          async (client, server) => {
            const error = await rejection(client.call(getCredits, {}));
            assert.ok(error.retryAfter !== undefined && error.retryAfter >= 3599 && error.retryAfter <= 3601);
            assert.match(error.message, /in 3(599|600|601) s/);
            assert.equal(error.route, 'retryable');
            assert.equal(server.requests.length, 1);
          },
        ));
    }
  }

  it('with a Retry-After that makes no sense is repeated as if there were none', () =>
    withService(
      (_request, index) => (index === 0 ? refused(503, { 'retry-after': 'soon' }) : { body: { balance: 7 } }),
      async (client) => assert.equal((await client.call(getCredits, {})).balance, 7),
    ));
});

describe('a clone', () => {
  for (const status of [408, 500, 502, 503, 504]) {
    it(`that failed with ${status} is not repeated: it may have been made`, () =>
      withService(
        () => refused(status),
        async (client, server) => {
          assert.equal((await rejection(client.call(createClonedVoice, clone))).attempts, 1);
          assert.equal(server.requests.length, 1);
        },
      ));
  }

  it('that was refused with 429 is repeated: it was not made', () =>
    withService(
      (_request, index) => (index === 0 ? refused(429) : { body: { voice_id: 'c1' } }),
      async (client, server) => {
        assert.equal((await client.call(createClonedVoice, clone)).voice_id, 'c1');
        assert.equal(server.requests.length, 2);
        assert.ok(server.requests[1]?.body.equals(server.requests[0]?.body ?? Buffer.alloc(0)));
      },
    ));
});

describe('what stops a call for good', () => {
  it('is not taken for a failure of the service that may be tried again', () => {
    let stop = new AbortController();
    return withService(
      () => {
        stop.abort(new SpeechError('service-failed', 'another call failed', { status: 429 }));
        return new Promise(() => {});
      },
      async (client, server) => {
        const error = await rejection(client.call(getCredits, {}, { signal: stop.signal }));
        assert.equal(error.attempts, 1);
        // Had the 429 been taken for the service's own, the account would now be paused.
        stop = new AbortController();
        const next = await rejection(client.call(getCredits, {}, { signal: stop.signal }));
        assert.deepEqual([next.attempts, server.requests.length], [1, 2]);
      },
      { backoffBase: 5000, backoffCap: 5000 },
    );
  });
});
