import assert from 'node:assert/strict';
import { announce, type Played } from '../../speakers/announce/announce.js';
import { SpeakerFault } from '../../speakers/fault.js';
import { homeAssistant } from '../../speakers/home-assistant/home-assistant.js';
import type { Sound } from '../../speakers/kind.js';
import { serving } from '../support/net/serve.js';
import { never } from '../support/waiting.js';
import { replaying, TOKEN } from './home-assistant-replay.js';
import { testsAtOnce } from '../support/at-once.js';
import { reasonOf } from './reason.js';

const SECONDS = 4;

/** The real Home Assistant answers in test/real/home-assistant/media-players.test.ts. */
describe('media players of Home Assistant, from a record of its replies', () => {
  const itAtOnce = testsAtOnce();
  const playAt = (
    address: string,
    { volume, secret = TOKEN }: { volume?: number; secret?: string } = {},
    url = 'http://127.0.0.1:1/sound.wav',
  ): Promise<Played> => {
    const sound: Sound = {
      duration: SECONDS,
      url,
      pcm: () => Promise.reject(new Error('not asked for')),
      isFetched: () => true,
    };
    const journal = { begin: async () => {}, end: async () => {} };
    const settings = { volume, together: async () => {} };
    return announce(homeAssistant, { address, secret }, { sound, settings, journal }, never);
  };
  const play = (name: string, entity: string, volume?: number): Promise<Played> => {
    const url = 'http://127.0.0.1:1/sound.wav';
    let playing: Promise<Played> | undefined;
    return replaying(name, url, async (base) => {
      playing = playAt(`${base}/media_player.${entity}`, volume === undefined ? {} : { volume }, url);
      await playing.catch(() => undefined);
    }).then(() => playing ?? assert.fail());
  };

  itAtOnce('plays to the end, and the position that moved proves it', async () => {
    const { start = 0, end, proof } = await play('good', 'kitchen');
    assert.equal(proof, 'state');
    assert.ok(end - start > 3000 && end - start < 7000, `${end - start} ms`);
  });

  itAtOnce('plays the music on from its position, with its volume', async () => {
    assert.equal((await play('music', 'kitchen', 30)).proof, 'state');
  });

  itAtOnce('gives back the volume of a player that was off', async () => {
    assert.equal((await play('off', 'kitchen', 30)).proof, 'state');
  });

  itAtOnce('plays on a player that starts 1.6 s after the command, and reports whole seconds', async () => {
    const url = 'http://127.0.0.1:1/sound.wav';
    let began = Infinity;
    const stateNow = () => {
      const seconds = (performance.now() - began) / 1000 - 1.6;
      const media = { media_content_id: url, media_position: Math.max(0, Math.floor(seconds)) };
      if (seconds < -1.6 || seconds > SECONDS) return { state: 'idle', attributes: {} };
      return { state: 'playing', attributes: { volume_level: 0.7, ...media } };
    };
    await serving(
      (request, response) => {
        if (request.url?.endsWith('/play_media') === true) began = performance.now();
        response.end(JSON.stringify(request.method === 'GET' ? stateNow() : []));
      },
      async (base) => {
        assert.equal((await playAt(`${base}/media_player.kitchen`, {}, url)).proof, 'state');
      },
    );
  });

  const others: [did: string, record: string, reason: string][] = [
    ['stops it', 'stopped', 'speaker-stopped'],
    ['plays another song', 'skipped', 'speaker-skipped'],
    ['pauses it and goes away', 'paused', 'speaker-paused'],
    ['switches the player off', 'lost', 'speaker-lost'],
  ];
  for (const [did, record, reason] of others)
    itAtOnce(`reports that a user ${did}`, async () => {
      assert.equal(await reasonOf(play(record, 'kitchen')), reason);
    });

  itAtOnce('claims no proof of a sound that was mute', async () => {
    const { proof, warnings } = await play('muted', 'kitchen', 30);
    assert.deepEqual([proof, warnings], ['accepted', ['speaker-silent']]);
  });

  itAtOnce('leaves the music to a player that knows announcements', async () => {
    assert.equal((await play('announcer', 'announcer', 30)).proof, 'accepted');
  });

  itAtOnce('is unreachable for an unknown player', async () => {
    assert.equal(await reasonOf(play('unknown', 'cellar')), 'speaker-unreachable');
  });

  itAtOnce('never names its token in an error', async () => {
    const secrets = ['s3cret-t0ken', 's3cret-t0ken\r\nX-Other: 1', 's3cret-t0ken\u{1F600}'];
    const replies = [401, 404, 500, 301, 200];
    for (const status of replies)
      await serving(
        (request, response) => {
          const { authorization = '' } = request.headers;
          response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(`<${authorization}>`);
        },
        async (base) => {
          for (const secret of secrets) {
            const error = await playAt(`${base}/media_player.kitchen`, { secret }).then(
              () => assert.fail('played'),
              (reason: unknown) => reason,
            );
            assert.ok(!everythingIn(error).includes('s3cret'), everythingIn(error));
          }
        },
      );
    const refused: unknown = await playAt('http://127.0.0.1:1/media_player.kitchen', {
      secret: 's3cret',
    }).catch((error: unknown) => error);
    assert.ok(!everythingIn(refused).includes('s3cret'));
  });

  itAtOnce('sends its token to no other address than its address in the settings', async () => {
    let asked = 0;
    await serving(
      (_request, response) => {
        asked += 1;
        response.end('{}');
      },
      (other) =>
        serving(
          (_request, response) => response.writeHead(302, { location: other }).end(),
          async (base) => {
            assert.equal(await reasonOf(playAt(`${base}/media_player.kitchen`)), 'speaker-unreachable');
          },
        ),
    );
    assert.equal(asked, 0);
  });

  describe('as an add-on', () => {
    const { fetch } = globalThis;
    const former = process.env['SUPERVISOR_TOKEN'];
    afterEach(() => {
      globalThis.fetch = fetch;
      if (former === undefined) delete process.env['SUPERVISOR_TOKEN'];
      else process.env['SUPERVISOR_TOKEN'] = former;
    });
    /** Leads requests for the supervisor to a local server. */
    const supervisorAt = (base: string) => {
      process.env['SUPERVISOR_TOKEN'] = TOKEN;
      globalThis.fetch = (input, init) =>
        fetch(
          (input instanceof Request ? input.url : input.toString()).replace(
            /^http:\/\/supervisor\/core(?=\/api\/)/,
            base,
          ),
          init,
        );
    };

    it('speaks to its supervisor without a token', () =>
      replaying('good', 'http://127.0.0.1:1/sound.wav', async (base) => {
        supervisorAt(base);
        const { proof } = await playAt('supervisor/media_player.kitchen', { secret: '' });
        assert.equal(proof, 'state');
      }));

    it('finds the media players with their names', () =>
      serving(
        (_request, response) =>
          response.end(
            JSON.stringify([
              { entity_id: 'light.hall', attributes: {} },
              { entity_id: 'media_player.hall', attributes: { friendly_name: 'Hall\u202E\n<b>' } },
            ]),
          ),
        async (base) => {
          supervisorAt(base);
          const found = [];
          for await (const speaker of homeAssistant.find(never)) found.push(speaker);
          assert.deepEqual(found, [
            { name: 'Hall <b>', address: 'http://supervisor/core/media_player.hall' },
          ]);
        },
      ));

    it('names the field of a missing token', () => {
      const text = new SpeakerFault('speaker-no-token').textFor('Kitchen');
      assert.match(text.english, /^Kitchen: Password or token is blank\./);
    });

    it('gives the token of its supervisor to no other Home Assistant', async () => {
      process.env['SUPERVISOR_TOKEN'] = TOKEN;
      const playing = playAt('http://127.0.0.1:1/media_player.kitchen', { secret: '' });
      assert.equal(await reasonOf(playing), 'speaker-no-token');
    });
  });
});

/** Returns all texts of an error and its causes. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.stack} ${JSON.stringify(error)} ${everythingIn(error.cause)}`;
}
