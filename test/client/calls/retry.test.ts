import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Stop } from '../../../client/base/abort.js';
import type { Progress } from '../../../client/calls/progress.js';
import { SpeechError } from '../../../client/base/errors.js';
import {
  createClonedVoice,
  createSpeech,
  deleteCustomVoice,
  getCredits,
} from '../../../client/interface/operations.js';
import { backoff, createRetryBudget, retry, retryDefaults } from '../../../client/calls/retry.js';
import { wavOf } from '../../support/audio-files.js';
import { withService } from '../../support/service/client-for.js';
import { withFakeClock } from '../../support/fake-clock.js';
import { rejection } from '../../support/rejection.js';
import { refused, type Script, type Scripted } from '../../support/net/scripted-server.js';

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };
const clone = { files: wavOf(), name: 'A voice' };

describe('backoff', () => {
  const options = { ...retryDefaults, backoffBase: 100, backoffCap: 5000 };

  it('returns between 0 and a bound that doubles with each attempt up to the cap', () =>
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

describe('createRetryBudget', () => {
  it('grants its size at once, then one retry per five successes or ten seconds', () =>
    withFakeClock(async (clock) => {
      const budget = createRetryBudget(3);
      const take = () => budget.take();
      assert.deepEqual([take(), take(), take(), take()], [true, true, true, false]);
      for (let success = 0; success < 5; success += 1) budget.earn();
      assert.deepEqual([take(), take()], [true, false]);
      await clock.advance(10_000);
      assert.deepEqual([take(), take()], [true, false]);
    }));

  it('never grants more than its size at once', () =>
    withFakeClock(async (clock) => {
      const budget = createRetryBudget(2);
      for (let success = 0; success < 100; success += 1) budget.earn();
      await clock.advance(1e6);
      assert.deepEqual([budget.take(), budget.take(), budget.take()], [true, true, false]);
    }));

  it('limits the total number of retries of 50 failing calls', () =>
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

describe('the retry budget of a client', () => {
  it('grows with successful calls', () => {
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

describe('a refused call', () => {
  for (const status of [302, 400, 401, 402, 403, 404, 413, 415]) {
    it(`is sent once after a ${status}`, () =>
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
    it(`is sent \`attempts\` times after a ${status}`, () =>
      withService(
        () => refused(status),
        async (client, server) => {
          const error = await rejection(client.call(createSpeech, speech));
          assert.deepEqual([error.status, error.attempts, error.operation], [status, 4, 'createSpeech']);
          assert.equal(server.requests.length, 4);
        },
        { attempts: 4 },
      ));

    it(`succeeds after a ${status} when the service recovers`, () =>
      withService(
        (_request, index) => (index < 2 ? refused(status) : { body: { balance: 7 } }),
        async (client) => assert.equal((await client.call(getCredits, {})).balance, 7),
      ));
  }

  it('waits at least half of the backoff after a 429 with a short Retry-After', () =>
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
          stop: new Stop(),
          deadline: Infinity,
          onEnd: (failure) => waits.push(failure?.wait ?? 0),
        });
        await rejection(failing).finally(() => (Math.random = real));
        assert.equal(waits.length, 2);
        assert.ok((waits[0] ?? 0) >= 4000 && (waits[0] ?? 0) <= 8000);
      }),
      { numRuns: 20 },
    ));

  it('is sent once if `attempts` is 1', () =>
    withService(
      () => refused(500),
      async (client, server) => {
        assert.equal((await rejection(client.call(getCredits, {}))).attempts, 1);
        assert.equal(server.requests.length, 1);
      },
      { attempts: 1 },
    ));

  for (const status of [429, 503]) {
    it(`waits once, for the Retry-After of a ${status}`, () =>
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

  for (const [form, value] of [
    ['in seconds', () => '600'],
    ['as a date', () => new Date(Date.now() + 600_500).toUTCString()],
  ] as const) {
    for (const status of [429, 503]) {
      it(`fails at once with the seconds to wait if the Retry-After ${form} of a ${status} exceeds its deadline`, () =>
        withService(
          () => refused(status, { 'retry-after': value() }),
          async (client, server) => {
            const error = await rejection(client.call(getCredits, {}));
            assert.ok(error.retryAfter !== undefined && error.retryAfter >= 599 && error.retryAfter <= 601);
            assert.match(error.message, /in (599|600|601) s/);
            assert.equal(error.route, 'retryable');
            assert.equal(server.requests.length, 1);
          },
        ));
    }
  }

  for (const value of ['3600', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT', '2999-01-01T00:00:00Z']) {
    it(`waits 15 minutes at most after the Retry-After ${value.slice(0, 30)}`, () =>
      withService(
        () => refused(503, { 'retry-after': value }),
        async (client) => assert.equal((await rejection(client.call(getCredits, {}))).retryAfter, 900),
      ));
  }

  for (const value of ['soon', '-5', '1e3', '0x10', 'Infinity', 'Thu, 01 Jan 1970 00:00:00 GMT', '0']) {
    it(`is sent again at once after the Retry-After ${value}`, () =>
      withService(
        (_request, index) =>
          index === 0 ? refused(503, { 'retry-after': value }) : { body: { balance: 7 } },
        async (client) => assert.equal((await client.call(getCredits, {})).balance, 7),
      ));
  }
});

describe('a deletion', () => {
  const remove = (script: Script) =>
    withService(script, (client) =>
      client.call(deleteCustomVoice, { voice_id: 'c1' }).then(
        () => 'deleted',
        (error: SpeechError) => error.code,
      ),
    );

  for (const status of [408, 500, 503]) {
    it(`succeeds if a retry after a ${status} finds no voice`, async () =>
      assert.equal(await remove((_request, index) => refused(index === 0 ? status : 404)), 'deleted'));
  }

  it('succeeds if its reply was lost and the retry finds no voice', async () => {
    const lost: Scripted = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{') };
    assert.equal(await remove((_request, index) => (index === 0 ? lost : refused(404))), 'deleted');
  });

  it('fails if the first try finds no voice, also after a 429, which the service did not execute', async () => {
    assert.equal(await remove(() => refused(404)), 'not-found');
    assert.equal(await remove((_request, index) => refused(index === 0 ? 429 : 404)), 'not-found');
  });
});

describe('a call that clones a voice', () => {
  for (const status of [408, 500, 502, 503, 504]) {
    it(`is not sent again after a ${status}, because the voice may exist`, () =>
      withService(
        () => refused(status),
        async (client, server) => {
          assert.equal((await rejection(client.call(createClonedVoice, clone))).attempts, 1);
          assert.equal(server.requests.length, 1);
        },
      ));
  }

  it('is sent again after a 429, because the service did not process it', () =>
    withService(
      (_request, index) => (index === 0 ? refused(429) : { body: { voice_id: 'c1' } }),
      async (client, server) => {
        assert.equal((await client.call(createClonedVoice, clone)).voice_id, 'c1');
        assert.equal(server.requests.length, 2);
        // Only the random boundary of the parts differs.
        assert.equal(server.requests[1]?.body.length, server.requests[0]?.body.length);
      },
    ));
});

describe('an aborted call', () => {
  it('is not sent again and does not pause the account, even if the reason of the signal is a 429', () => {
    let stop = new AbortController();
    return withService(
      () => {
        stop.abort(new SpeechError('service-failed', 'another call failed', { status: 429 }));
        return new Promise(() => {});
      },
      async (client, server) => {
        const error = await rejection(client.call(getCredits, {}, { signal: stop.signal }));
        assert.equal(error.attempts, 1);
        // If the client treated the reason as a reply of the service, the account would be paused.
        stop = new AbortController();
        const next = await rejection(client.call(getCredits, {}, { signal: stop.signal }));
        assert.deepEqual([next.attempts, server.requests.length], [1, 2]);
      },
      { backoffBase: 5000, backoffCap: 5000 },
    );
  });
});
