import assert from 'node:assert/strict';
import { clientOf } from '../../../client/api/client.js';
import { SpeechError } from '../../../client/base/errors.js';
import type { Progress } from '../../../client/calls/progress.js';
import { createSpeech, getCredits, predictDuration } from '../../../client/interface/operations.js';
import { withService } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';
import { pausedAccount } from './paused-account.js';
import { refused, type Scripted, type Seen, spoken, withServer } from '../../support/net/scripted-server.js';

const speech = { voice_id: 'v1', text: 'Hello', language: 'en' };

/** A service that replies 402 to speech until `balance` is positive. */
function creditService(): { script: (request: Seen) => Scripted; account: { balance: number } } {
  const account = { balance: 0 };
  const script = ({ path }: Seen): Scripted => {
    if (path === '/v1/credits') return { body: { balance: account.balance } };
    if (path.startsWith('/v1/predict-duration/')) return { body: { duration: 1 } };
    return account.balance > 0 ? spoken() : refused(402);
  };
  return { script, account };
}

describe('an account without credits', () => {
  it('sends no paid call after one 402, but still sends free calls', () => {
    const { script } = creditService();
    return withService(script, async (client, server) => {
      assert.equal((await rejection(client.call(createSpeech, speech))).status, 402);
      const error = await rejection(client.call(createSpeech, speech));
      assert.deepEqual([error.code, error.route, error.attempts], ['out-of-credits', 'out-of-credits', 0]);
      assert.ok(error.retryAfter !== undefined && error.retryAfter <= 60);
      assert.equal((await client.call(predictDuration, speech)).duration, 1);
      assert.equal(server.requests.length, 2);
    });
  });

  it('sends paid calls again after a call returned a positive balance', () => {
    const { script, account } = creditService();
    return withService(script, async (client) => {
      await rejection(client.call(createSpeech, speech));
      await client.call(getCredits, {});
      assert.equal((await rejection(client.call(createSpeech, speech))).attempts, 0);
      account.balance = 10;
      await client.call(getCredits, {});
      assert.equal((await client.call(createSpeech, speech)).format, 'wav');
    });
  });

  it('sends paid calls after a 402 to a free call', () =>
    withService(
      ({ path }) => (path === '/v1/credits' ? refused(402) : spoken()),
      async (client) => {
        assert.equal((await rejection(client.call(getCredits, {}))).status, 402);
        assert.equal((await client.call(createSpeech, speech)).format, 'wav');
      },
    ));

  it('sends a paid call again with a new client', () => {
    const { script } = creditService();
    const once = () =>
      withService(script, async (client) => (await rejection(client.call(createSpeech, speech))).status);
    return once().then(async (status) => assert.deepEqual([status, await once()], [402, 402]));
  });

  it('rejects paid calls that wait for the rate limit without sending them', () => {
    const { script } = creditService();
    return withService(
      script,
      async (client, server) => {
        const calls = Array.from({ length: 30 }, () => rejection(client.call(createSpeech, speech)));
        for (const { code } of await Promise.all(calls)) assert.equal(code, 'out-of-credits');
        assert.equal(server.requests.length, 2);
      },
      { requestsPerMinute: 2, totalTimeout: 120_000 },
    );
  });
});

describe('an account after a 429', () => {
  it('sends no call until Retry-After has passed, then all calls', () => {
    let refusedAt = 0;
    const early: number[] = [];
    return withService(
      (_request, index) => {
        if (index === 0) {
          refusedAt = performance.now();
          return refused(429, { 'retry-after': '1' });
        }
        if (performance.now() < refusedAt + 990) early.push(index);
        return { body: { balance: 1 } };
      },
      async (client, server) => {
        const first = client.call(getCredits, {});
        await new Promise((resolve) => setTimeout(resolve, 100));
        await Promise.all([first, ...Array.from({ length: 9 }, () => client.call(getCredits, {}))]);
        assert.equal(server.requests.length, 11);
        assert.deepEqual(early, []);
      },
    );
  });

  it('retries the refused call before later calls', () =>
    withService(
      (_request, index) => (index === 0 ? refused(429, { 'retry-after': '1' }) : { body: { duration: 1 } }),
      async (client, server) => {
        const calls = ['first', 'second', 'third'].map(async (text, index) => {
          await new Promise((resolve) => setTimeout(resolve, index * 100));
          await client.call(predictDuration, { ...speech, text });
        });
        await Promise.all(calls);
        const texts = server.requests.map(({ json }) => json['text']);
        assert.deepEqual(texts, ['first', 'first', 'second', 'third']);
      },
      { connections: 1 },
    ));

  it('sends one call as a probe after the pause, then all calls', () => {
    const during: number[] = [];
    let open = 0;
    return withService(
      async (_request, index) => {
        if (index === 0) return refused(429, { 'retry-after': '1' });
        open += 1;
        during.push(open);
        await new Promise((resolve) => setTimeout(resolve, 100));
        open -= 1;
        return index === 1 ? refused(429, { 'retry-after': '1' }) : { body: { balance: 1 } };
      },
      async (client, server) => {
        await pausedAccount(client);
        await Promise.all(Array.from({ length: 8 }, () => client.call(getCredits, {})));
        assert.equal(server.requests.length, 10);
        assert.deepEqual(during.slice(0, 2), [1, 1]);
        assert.ok(during.includes(2));
      },
    );
  });

  it('sends calls again after a probe that was aborted', () => {
    const stop = new AbortController();
    return withService(
      (_request, index) => {
        if (index === 0) return refused(429, { 'retry-after': '1' });
        if (index > 1) return { body: { balance: 1 } };
        stop.abort();
        return new Promise(() => {});
      },
      async (client) => {
        const probe = rejection(client.call(getCredits, {}, { signal: stop.signal }));
        await new Promise((resolve) => setTimeout(resolve, 200));
        const next = client.call(getCredits, {});
        assert.equal((await probe).code, 'aborted');
        assert.equal((await next).balance, 1);
      },
    );
  });

  it('pauses for `maxRetryAfter` at most, and then sends calls again', () =>
    withService(
      (_request, index) =>
        index === 0 ? refused(429, { 'retry-after': '99999999999999999999' }) : { body: { balance: 1 } },
      async (client) => assert.equal((await client.call(getCredits, {})).balance, 1),
      { maxRetryAfter: 1 },
    ));

  it('rejects calls at once with the seconds to wait if Retry-After exceeds their time limit', () =>
    withService(
      () => refused(429, { 'retry-after': '600' }),
      async (client, server) => {
        await rejection(client.call(getCredits, {}));
        const error = await rejection(client.call(getCredits, {}));
        assert.deepEqual([error.code, error.attempts], ['rate-limited', 0]);
        assert.ok(error.retryAfter !== undefined && error.retryAfter >= 599);
        assert.match(error.message, /60\d s|599 s/);
        assert.equal(server.requests.length, 1);
      },
    ));

  it('sends 30 calls per minute if the rate limit is automatic', () =>
    withService(
      (_request, index) => (index === 0 ? refused(429) : { body: { balance: 1 } }),
      async (client, server) => {
        const enough = Array.from({ length: 29 }, () => client.call(getCredits, {}));
        await Promise.all(enough);
        const waits: number[] = [];
        const onProgress = (progress: Progress) =>
          progress.state === 'waiting' && waits.push(progress.seconds);
        const further = rejection(client.call(getCredits, {}, { onProgress }));
        await client.close();
        assert.equal((await further).attempts, 0);
        assert.ok(waits.length === 1 && waits.every((seconds) => seconds > 50));
        assert.equal(server.requests.length, 30);
      },
      { requestsPerMinute: 'auto', totalTimeout: 120_000 },
    ));

  it('completes all calls even if many were refused together', () => {
    let places = 10;
    return withService(
      () => (places-- > 0 ? { body: { balance: 1 } } : ((places = 100), refused(429))),
      async (client) => {
        const calls = Array.from({ length: 60 }, () => client.call(getCredits, {}));
        for (const { balance } of await Promise.all(calls)) assert.equal(balance, 1);
      },
      { attempts: 4, retryBudget: 1 },
    );
  });
});

describe('an account with a rate limit', () => {
  it('reports the wait to each call, and does not send a call aborted during its wait', () =>
    withService(
      () => ({ body: { balance: 1 } }),
      async (client, server) => {
        const stop = new AbortController();
        const progress: Progress['state'][] = [];
        const options = {
          signal: stop.signal,
          onProgress: ({ state }: Progress) => progress.push(state),
        };
        await client.call(getCredits, {}, options);
        const waiting = [client.call(createSpeech, speech, options), client.call(getCredits, {}, options)];
        const outcomes = Promise.all(waiting.map(rejection));
        stop.abort();
        for (const { code, attempts } of await outcomes) assert.deepEqual([code, attempts], ['aborted', 0]);
        assert.deepEqual(progress, ['sending', 'waiting', 'waiting']);
        assert.equal(server.requests.length, 1);
      },
      { requestsPerMinute: 1, totalTimeout: 120_000 },
    ));

  it('sends short free calls before waiting speech', () =>
    withService(
      ({ path }, index) => {
        if (index === 0) return refused(429, { 'retry-after': '1' });
        return path.startsWith('/v1/text') ? spoken() : { body: { balance: 1 } };
      },
      async (client, server) => {
        await pausedAccount(client);
        const first = client.call(createSpeech, { ...speech, text: 'first' });
        const second = rejection(client.call(createSpeech, { ...speech, text: 'second' }));
        await Promise.all([client.call(getCredits, {}), first]);
        await client.close();
        assert.equal((await second).attempts, 0);
        const order = server.requests.slice(1).map(({ json, path }) => json['text'] ?? path);
        assert.deepEqual(order, ['/v1/credits', 'first']);
      },
      { requestsPerMinute: 3, totalTimeout: 120_000, connections: 1 },
    ));

  it('sends calls of higher priority first', () =>
    withService(
      (_request, index) => (index === 0 ? refused(429, { 'retry-after': '1' }) : spoken()),
      async (client, server) => {
        await pausedAccount(client);
        const say = (text: string, priority?: number) =>
          client.call(createSpeech, { ...speech, text }, { priority });
        await Promise.all([say('news'), say('chatter', -1), say('alarm', 1)]);
        const order = server.requests.slice(1).map(({ json }) => json['text']);
        assert.deepEqual(order, ['alarm', 'news', 'chatter']);
      },
      { connections: 1 },
    ));

  it('sends speech of higher priority also before free calls', () =>
    withService(
      (_request, index) => (index === 0 ? refused(429, { 'retry-after': '1' }) : spoken()),
      async (client, server) => {
        await pausedAccount(client);
        const free = rejection(client.call(getCredits, {}));
        await client.call(createSpeech, { ...speech, text: 'alarm' }, { priority: 1 });
        await client.close();
        assert.equal((await free).attempts, 0);
        assert.deepEqual(
          server.requests.slice(1).map(({ json }) => json['text']),
          ['alarm'],
        );
      },
      { requestsPerMinute: 2, totalTimeout: 120_000 },
    ));
});

describe('the option beforeTry', () => {
  it('delays each try until it resolves, and can end the call', async () => {
    const tries: number[] = [];
    let replies = 0;
    await withServer(
      () => (replies++ === 0 ? refused(503) : { body: { balance: 1 } }),
      async ({ url, requests }) => {
        const client = clientOf({
          url,
          apiKey: 'key',
          beforeTry: async (signal) => {
            signal.throwIfAborted();
            tries.push(requests.length);
            if (tries.length > 2) throw new SpeechError('no-connection', 'gone');
          },
        });
        await client.call(getCredits, {});
        assert.deepEqual(tries, [0, 1]);
        assert.equal((await rejection(client.call(getCredits, {}))).code, 'no-connection');
        assert.equal(requests.length, 2);
        await client.close();
      },
    );
  });
});

describe('the option locate', () => {
  for (const [title, address] of [
    ['an address that ends with /v1/', { path: '/v1/', apiKey: 'key', code: undefined }],
    ['an invalid address', { path: 'not a port', apiKey: 'key', code: 'not-configured' }],
    ['an empty key', { path: '', apiKey: '', code: 'not-configured' }],
  ] as const) {
    it(`has the rules of the options url and apiKey for ${title}`, () =>
      withServer(
        () => ({ body: { balance: 1 } }),
        async ({ url, requests }) => {
          const { path, apiKey, code } = address;
          const client = clientOf({ url, apiKey: 'key', locate: async () => ({ url: url + path, apiKey }) });
          const call = client.call(getCredits, {});
          if (code === undefined) await call;
          else await assert.rejects(call, { code });
          assert.equal(requests.length, code === undefined ? 1 : 0);
          await client.close();
        },
      ));
  }

  it('sends each try to the current address of the service with its key', () =>
    withServer(
      () => refused(503),
      (before) =>
        withServer(
          () => ({ body: { balance: 1 } }),
          async (after) => {
            const places = [
              { url: before.url, apiKey: 'old' },
              { url: after.url, apiKey: 'new' },
            ];
            let tries = 0;
            const client = clientOf({
              url: before.url,
              apiKey: 'old',
              locate: async () => places[Math.min(tries++, 1)] ?? assert.fail(),
            });
            await client.call(getCredits, {});
            await client.call(getCredits, {});
            const keysOf = ({ requests }: typeof before) =>
              requests.map(({ headers }) => headers['x-sup-api-key']);
            assert.deepEqual([keysOf(before), keysOf(after)], [['old'], ['new', 'new']]);
            await client.close();
          },
        ),
    ));
});
