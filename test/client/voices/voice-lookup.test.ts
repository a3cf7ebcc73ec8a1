import assert from 'node:assert/strict';
import { hosted } from '../../../client/upstreams/hosted/hosted.js';
import { AccountCalls } from '../../../client/calls/account.js';
import { settingsOf } from '../../../client/api/options.js';
import { lookupDefaults, VoiceLookup } from '../../../client/voices/voice-lookup.js';
import { KEY } from '../../support/service/client-for.js';
import { rejection } from '../../support/rejection.js';
import { refused, type Script, type ScriptedServer, withServer } from '../../support/net/scripted-server.js';

const needed = { isNeeded: true };
const optional = { isNeeded: false };

/** Runs `work` with a lookup of voices at a scripted service. */
const withLookup = (
  script: Script,
  work: (lookup: VoiceLookup, server: ScriptedServer) => Promise<void>,
  {
    requestsPerMinute = Infinity,
    ...options
  }: Partial<typeof lookupDefaults & { requestsPerMinute: number }> = {},
) =>
  withServer(script, async (server) => {
    const address = { url: server.url, apiKey: KEY };
    const settings = settingsOf({
      ...address,
      backoffBase: 1,
      backoffCap: 5,
      requestsPerMinute,
      totalTimeout: 10_000,
    });
    const upstream = hosted.create({}, address, { settings, network: {} });
    const account = new AccountCalls(settings, { upstream, address, network: {} });
    try {
      await work(new VoiceLookup(account, { ...lookupDefaults, ...options }), server);
    } finally {
      await account.close();
    }
  });

/** Describes every voice as German. */
const described: Script = ({ path }) => ({
  body: { voice_id: path.replace('/v1/voices/', ''), name: 'Anna', language: ['de'] },
});

/** Replies with `status` to the first `count` requests. */
const failing =
  (status: number, count: number): Script =>
  (request, index) =>
    index < count ? refused(status) : described(request, index);

describe('a needed voice lookup', () => {
  for (const status of [429, 500, 503]) {
    it(`is sent again after a ${status}`, () =>
      withLookup(failing(status, 1), async (lookup, { requests }) => {
        assert.deepEqual((await lookup.voice('anna', needed))?.language, ['de']);
        assert.equal(requests.length, 2);
      }));
  }

  it('rejects with the failure of the service after all attempts, and does not remember it', () =>
    withLookup(failing(503, 4), async (lookup) => {
      const error = await rejection(lookup.voice('anna', needed));
      assert.deepEqual([error.route, error.status, error.attempts], ['retryable', 503, 4]);
      assert.equal((await lookup.voice('anna', needed))?.name, 'Anna');
    }));

  it('uses its former result while the service is down', () =>
    withLookup(
      (request, index) => (index === 0 ? described(request, index) : refused(503)),
      async (lookup, { requests }) => {
        const found = await lookup.voice('anna', needed);
        assert.equal(found?.name, 'Anna');
        assert.deepEqual(await lookup.voice('anna', needed), found);
        assert.equal(requests.length, 2);
      },
      { fresh: 0 },
    ));

  it('rejects with `unauthorized` for a wrong key', () =>
    withLookup(failing(401, 9), async (lookup) => {
      assert.equal((await rejection(lookup.voice('anna', needed))).code, 'unauthorized');
    }));

  it('does not use a remembered failure of an optional lookup', () =>
    withLookup(failing(503, 1), async (lookup) => {
      assert.equal(await lookup.voice('anna', optional), undefined);
      assert.equal((await lookup.voice('anna', needed))?.name, 'Anna');
    }));

  for (const status of [400, 403, 404]) {
    it(`finds nothing if the service replies ${status}, and remembers that`, () =>
      withLookup(failing(status, 2), async (lookup, { requests }) => {
        assert.equal(await lookup.voice('anna', needed), undefined);
        assert.equal(await lookup.voice('anna', needed), undefined);
        assert.deepEqual(
          requests.map(({ path }) => path),
          ['/v1/voices/anna', '/v1/custom-voices/anna'],
        );
      }));
  }
});

describe('an optional voice lookup', () => {
  it('has one attempt, and remembers its failure', () =>
    withLookup(failing(503, 1), async (lookup, { requests }) => {
      assert.equal(await lookup.voice('anna', optional), undefined);
      assert.equal(await lookup.voice('anna', optional), undefined);
      assert.equal(await lookup.first('de', optional), undefined);
      assert.equal(requests.length, 2);
    }));

  it('is sent again when the time of a remembered failure has passed', () =>
    withLookup(
      failing(503, 1),
      async (lookup) => {
        assert.equal(await lookup.voice('anna', optional), undefined);
        assert.equal((await lookup.voice('anna', optional))?.name, 'Anna');
      },
      { failed: 0 },
    ));

  it('stops waiting for a service that does not reply', () =>
    withLookup(
      () => new Promise(() => {}),
      async (lookup) => {
        assert.equal(await lookup.voice('anna', optional), undefined);
        assert.equal(await lookup.first('de', optional), undefined);
      },
      { timeout: 50 },
    ));

  it('rejects with `aborted` when the caller stops it', () => {
    const stop = new AbortController();
    return withLookup(
      () => {
        stop.abort();
        return new Promise(() => {});
      },
      async (lookup) => {
        const stopped = lookup.voice('anna', { ...optional, signal: stop.signal });
        assert.equal((await rejection(stopped)).code, 'aborted');
      },
    );
  });

  it('does not count the wait for the rate limit as time of the service', async () => {
    const waited: number[] = [];
    const account: Pick<AccountCalls, 'send'> = {
      send: async (_operation, _request, options) => {
        options?.onProgress?.({ state: 'waiting', seconds: 1 });
        await new Promise((resolve) => setTimeout(resolve, 60));
        options?.onProgress?.({ state: 'sending' });
        waited.push(options?.signal?.aborted === true ? 1 : 0);
        throw new Error('not sent');
      },
    };
    const lookup = new VoiceLookup(account, { ...lookupDefaults, timeout: 20 });
    assert.equal(await lookup.voice('anna', optional), undefined);
    assert.deepEqual(waited, [0]);
  });
});

describe('the first voice of a language', () => {
  const voices = [
    { voice_id: 'slow', natural: true, live: false, gender: 'female' },
    { voice_id: 'simple', gender: 'female' },
    { voice_id: 'robot', gender: 'male' },
    { voice_id: 'fast', natural: true, live: true, gender: 'female' },
    { voice_id: 'new', natural: true, gender: 'female' },
  ].map((voice) => ({ ...voice, name: voice.voice_id, language: ['de'] }));
  const firstOf = (ids: readonly string[], gender?: string) =>
    withLookup(
      () => ({ body: { items: voices.filter(({ voice_id }) => ids.includes(voice_id)) } }),
      async (lookup) => {
        assert.equal((await lookup.first('de', needed, gender))?.voice_id, ids.at(-1));
      },
    );

  it('is a natural voice, unless it is too slow for live announcements', async () => {
    await firstOf(['slow', 'simple', 'fast']);
    await firstOf(['slow', 'simple', 'new']);
    await firstOf(['slow', 'simple']);
    await firstOf(['slow']);
  });

  it('has the wished gender before it is natural', () => firstOf(['fast', 'robot'], 'male'));
});

describe('remembered voices', () => {
  it('are looked up once', () =>
    withLookup(described, async (lookup, { requests }) => {
      for (let round = 0; round < 3; round += 1) await lookup.voice('anna', needed);
      assert.equal(requests.length, 1);
    }));

  it('are at most `max`: the oldest is forgotten', () =>
    withLookup(
      described,
      async (lookup, { requests }) => {
        for (const voice of ['a', 'b', 'c', 'c', 'b', 'a']) await lookup.voice(voice, needed);
        assert.deepEqual(
          requests.map(({ path }) => path.at(-1)),
          ['a', 'b', 'c', 'a'],
        );
      },
      { max: 2 },
    ));
});

describe('voice lookups at the same time', () => {
  it('are one request', () =>
    withLookup(described, async (lookup, { requests }) => {
      const found = await Promise.all(Array.from({ length: 5 }, () => lookup.voice('anna', needed)));
      assert.deepEqual(
        found.map((voice) => voice?.voice_id),
        Array.from({ length: 5 }, () => 'anna'),
      );
      assert.equal(requests.length, 1);
    }));

  it('continue for the others if one caller stops', () =>
    withLookup(described, async (lookup, { requests }) => {
      const controller = new AbortController();
      const stopped = rejection(lookup.voice('anna', { ...needed, signal: controller.signal }));
      const other = lookup.voice('anna', needed);
      controller.abort();
      await stopped;
      assert.equal((await other)?.voice_id, 'anna');
      assert.equal(requests.length, 1);
    }));
});

describe('the name of a voice', () => {
  it('is known without a request after the voice was looked up by its id or by its language', () => {
    const named: Script = (request, index) =>
      request.path === '/v1/voices/search'
        ? { body: { items: [{ voice_id: 'v-1', name: 'Lukas', language: ['de'] }] } }
        : described(request, index);
    return withLookup(named, async (lookup, { requests }) => {
      assert.equal(lookup.nameOf('v-1'), undefined);
      await lookup.first('de', needed);
      await lookup.voice('v-2', needed);
      const { length } = requests;
      assert.deepEqual([lookup.nameOf('v-1'), lookup.nameOf('v-2')], ['Lukas', 'Anna']);
      assert.equal(requests.length, length);
    });
  });
});
