import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { announce, type Played, restoreLater } from '../../speakers/announce/announce.js';
import { reasonOf } from './reason.js';
import type { Before, Sound } from '../../speakers/kind.js';
import { mpd as kind } from '../../speakers/mpd/mpd.js';
import { describeWith } from '../support/programs/describe-with.js';
import { cdOf, type Mpd, SONGS, withMpd } from '../support/programs/mpd.js';
import { serving } from '../support/net/serve.js';
import { testsAtOnce } from '../support/at-once.js';
import { never } from '../support/waiting.js';
import { withoutRestore } from './stage.js';

const SECONDS = 4;

interface PlayOptions {
  volume?: number;
  signal?: AbortSignal;
  path?: string;
  isKilled?: boolean;
}
type Play = (options?: PlayOptions) => Promise<Played>;
/** Waits for the start of a sound. */
type Start = (options?: PlayOptions) => Promise<{ playing: Promise<Played> }>;

describeWith(['mpd'], 'a player of MPD', () => {
  const itAtOnce = testsAtOnce();
  /** Runs `work` with a player and a sound that it can fetch. */
  const withSound = (
    work: (mpd: Mpd, parts: { play: Play; start: Start; noted: Before[] }) => Promise<void>,
    seconds = SECONDS,
  ) =>
    withMpd((mpd) => {
      let fetches = 0;
      const file = cdOf(seconds);
      const server: RequestListener = (request, response) => {
        fetches += 1;
        if (request.url === '/none.wav') response.writeHead(404).end();
        else
          response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': file.length }).end(file);
      };
      return serving(server, (base) => {
        const noted: Before[] = [];
        const announced = (
          { volume, signal = never, path = 'sound.wav', isKilled = false }: PlayOptions = {},
          onStart?: () => void,
        ) => {
          const sound: Sound = {
            duration: seconds,
            url: `${base}/${path}`,
            pcm: () => Promise.reject(new Error('MPD fetches its audio')),
            isFetched: () => fetches > 0,
          };
          const journal = {
            begin: async (before: Before) => void noted.push(before),
            end: async () => void noted.pop(),
          };
          const settings = { volume, together: async () => {} };
          return announce(
            isKilled ? withoutRestore(kind) : kind,
            { address: mpd.address },
            { sound, settings, journal, onStart },
            signal,
          );
        };
        const start: Start = async (options) => {
          let playing: Promise<Played> | undefined;
          const started = new Promise<void>((resolve) => {
            playing = announced(options, resolve);
          });
          await Promise.race([started, playing]);
          assert.ok(playing);
          return { playing };
        };
        return work(mpd, { play: (options) => announced(options), start, noted });
      });
    });

  const statusOf = async (mpd: Mpd): Promise<Record<string, string>> =>
    Object.fromEntries((await mpd.run('status')).map((line) => line.split(': ')));
  const playMusic = async (mpd: Mpd) => {
    for (const song of SONGS) await mpd.run(`add ${song}`);
    await mpd.run('play 0');
    await mpd.run('seekcur 10');
  };

  itAtOnce('plays a sound to its end, with the position as its proof', () =>
    withSound(async (mpd, { play, noted }) => {
      const { start = 0, end, proof } = await play();
      assert.equal(proof, 'position');
      assert.ok(Math.abs(end - start - SECONDS * 1000) < 1000, `${end - start} ms`);
      assert.deepEqual(noted, []);
      assert.deepEqual(await mpd.run('playlistinfo'), []);
    }),
  );

  itAtOnce('continues the music at its position, with its volume and modes', () =>
    withSound(async (mpd, { start }) => {
      await playMusic(mpd);
      for (const mode of ['repeat 1', 'random 1', 'consume 1', 'setvol 70']) await mpd.run(mode);
      const { playing } = await start({ volume: 30 });
      assert.equal((await statusOf(mpd))['volume'], '30');
      await playing;
      const { state, song, elapsed, volume, repeat, random, single, consume } = await statusOf(mpd);
      assert.deepEqual(
        { state, song, volume, repeat, random, single, consume },
        { state: 'play', song: '0', volume: '70', repeat: '1', random: '1', single: '0', consume: '1' },
      );
      assert.ok(Number(elapsed) >= 9.9 && Number(elapsed) < 12, elapsed);
      assert.equal(
        (await mpd.run('playlistinfo')).filter((line) => line.startsWith('file:')).length,
        SONGS.length,
      );
    }),
  );

  itAtOnce('stays silent afterwards if it was silent, and keeps a paused song paused', () =>
    withSound(async (mpd, { play }) => {
      await play();
      assert.equal((await statusOf(mpd))['state'], 'stop');
      await playMusic(mpd);
      await mpd.run('pause 1');
      await play();
      const { state, song } = await statusOf(mpd);
      assert.deepEqual([state, song], ['pause', '0']);
    }),
  );

  itAtOnce('keeps a volume that a user sets during the announcement', () =>
    withSound(async (mpd, { start }) => {
      await mpd.run('setvol 70');
      const { playing } = await start({ volume: 30 });
      assert.equal((await statusOf(mpd))['volume'], '30');
      await mpd.run('setvol 55');
      await playing;
      assert.equal((await statusOf(mpd))['volume'], '55');
    }),
  );

  const others: [did: string, command: string, reason: string][] = [
    ['stops it', 'stop', 'speaker-stopped'],
    ['plays another song', 'play 1', 'speaker-skipped'],
    ['empties the queue', 'clear', 'speaker-short'],
    ['pauses it and goes away', 'pause 1', 'speaker-paused'],
  ];
  for (const [did, command, reason] of others)
    itAtOnce(`reports that a user ${did}`, () =>
      withSound(async (mpd, { start }) => {
        await playMusic(mpd);
        const { playing } = await start();
        await mpd.run(command);
        assert.equal(await reasonOf(playing), reason);
        const { state } = await statusOf(mpd);
        assert.equal(
          state,
          command === 'play 1' ? 'play' : { stop: 'stop', clear: 'stop', 'pause 1': 'stop' }[command],
        );
      }),
    );

  itAtOnce('names the reason for which it cannot play', () =>
    withSound(async (_mpd, { play }) => {
      await assert.rejects(play({ path: 'none.wav' }), /speaker-refused.*404/);
    }),
  );

  itAtOnce('is unreachable if it does not run, and lost if it dies', () =>
    withSound(async (mpd, { play, start }) => {
      const { playing } = await start();
      await mpd.kill();
      assert.match(await reasonOf(playing), /^speaker-/);
      assert.equal(await reasonOf(play()), 'speaker-unreachable');
    }, 5),
  );

  itAtOnce('ends the sound at once when the announcement is stopped, and continues the music', () =>
    withSound(async (mpd, { start }) => {
      await playMusic(mpd);
      const stop = new AbortController();
      const { playing } = await start({ signal: stop.signal });
      stop.abort(new Error('a stop'));
      await assert.rejects(playing, /a stop/);
      const { state, song } = await statusOf(mpd);
      assert.deepEqual([state, song], ['play', '0']);
    }, 10),
  );

  itAtOnce('gets back its music after Node-RED was killed', () =>
    withSound(async (mpd, { start, noted }) => {
      await playMusic(mpd);
      await mpd.run('setvol 70');
      const kill = new AbortController();
      const { playing } = await start({ volume: 30, signal: kill.signal, isKilled: true });
      kill.abort(new Error('killed'));
      await assert.rejects(playing, /killed/);
      assert.equal((await statusOf(mpd))['volume'], '30');
      const [before] = noted;
      assert.ok(before);
      await restoreLater(kind, { address: mpd.address }, before, never);
      const { state, song, volume } = await statusOf(mpd);
      assert.deepEqual([state, song, volume], ['play', '0', '70']);
    }, 10),
  );
});
