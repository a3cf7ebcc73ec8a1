import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { z } from '@herald-speech/client';
import { announce, type Played } from '../../../speakers/announce/announce.js';
import { mopidy as kind } from '../../../speakers/mopidy/mopidy.js';
import { noise, wavOf } from '../../players/publish.js';
import { reasonOf, resultOf } from '../../speakers/reason.js';
import { serving } from '../../support/net/serve.js';
import { type Mopidy, withMopidy } from '../../support/programs/mopidy.js';
import { never, until } from '../../support/waiting.js';

const SECONDS = 4;

describe('a player of Mopidy', function () {
  this.timeout(90_000);

  const withSound = (
    work: (mopidy: Mopidy, play: (volume?: number, path?: string) => Promise<Played>) => Promise<void>,
  ) =>
    withMopidy((mopidy) => {
      const file = wavOf(noise(SECONDS));
      let isFetched = false;
      const server: RequestListener = (request, response) => {
        isFetched = true;
        if (request.url !== '/sound.wav') return void response.writeHead(404).end();
        response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': file.length }).end(file);
      };
      return serving(server, (base) =>
        work(mopidy, (volume, path = 'sound.wav') => {
          const sound = {
            duration: SECONDS,
            url: new URL(path, base).href,
            pcm: async () => ({ data: file, sampleRate: 8000, channels: 1 }),
            isFetched: () => isFetched,
          };
          const journal = { begin: async () => {}, end: async () => {} };
          const announcement = { sound, settings: { volume, together: async () => {} }, journal };
          return announce(kind, { address: mopidy.address }, announcement, never);
        }),
      );
    });
  const playMusic = async ({ core, song }: Mopidy) => {
    const [added] = z
      .array(z.object({ tlid: z.number() }))
      .parse(await core('tracklist.add', { uris: [song] }));
    await core('playback.play', { tlid: added?.tlid });
    await until(async () => Number(await core('playback.get_time_position')) > 0);
    await core('playback.seek', { time_position: 10_000 });
  };
  const isPlaying = async ({ core }: Mopidy) =>
    (await core('playback.get_state')) === 'playing' &&
    Number(await core('playback.get_time_position')) > 500;
  const position = async ({ core }: Mopidy) => Number(await core('playback.get_time_position')) / 1000;

  it('plays a sound to its end, with the position as its proof', () =>
    withSound(async ({ core }, play) => {
      const { start = 0, end, proof } = await play();
      assert.equal(proof, 'position');
      assert.ok(Math.abs(end - start - SECONDS * 1000) < 1500, `${end - start} ms`);
      assert.deepEqual(await core('tracklist.get_length'), 0);
    }));

  it('continues the music at its position, with its volume and modes', () =>
    withSound(async (mopidy, play) => {
      const { core } = mopidy;
      await core('mixer.set_volume', { volume: 70 });
      await core('tracklist.set_repeat', { value: true });
      await playMusic(mopidy);
      await play(30);
      await until(async () => (await core('playback.get_state')) === 'playing');
      const seconds = await position(mopidy);
      assert.ok(seconds > 9 && seconds < 13, `${seconds} s`);
      assert.deepEqual(
        [
          await core('mixer.get_volume'),
          await core('tracklist.get_repeat'),
          await core('tracklist.get_single'),
          await core('tracklist.get_length'),
        ],
        [70, true, false, 1],
      );
    }));

  it('reports that a user stops it or plays another song, and a file that it cannot play', () =>
    withSound(async (mopidy, play) => {
      const stopped = play();
      await until(() => isPlaying(mopidy));
      await mopidy.core('playback.stop');
      assert.equal(await reasonOf(stopped), 'speaker-stopped');
      const skipped = play();
      await until(() => isPlaying(mopidy));
      await playMusic(mopidy);
      assert.equal(await reasonOf(skipped), 'speaker-skipped');
      // Mopidy reports no error: its sound has been fetched, and makes no progress.
      assert.equal(await reasonOf(play(undefined, 'none.wav')), 'speaker-no-progress');
    }));

  it('reports that it did not fetch the audio from an address that refuses connections', () =>
    withSound(async (_mopidy, play) => {
      assert.equal(await reasonOf(play(undefined, 'http://127.0.0.1:1/sound.wav')), 'speaker-not-fetched');
    }));

  const others: [did: string, calls: [string, object?][], result: string][] = [
    ['pauses', [['playback.pause']], 'speaker-paused'],
    ['pauses and goes on', [['playback.pause'], ['playback.resume']], 'position'],
    ['skips', [['playback.next']], 'speaker-short'],
    ['mutes', [['mixer.set_mute', { mute: true }]], 'position, speaker-silent'],
    ['sets volume 0', [['mixer.set_volume', { volume: 0 }]], 'position, speaker-silent'],
    ['sets the volume', [['mixer.set_volume', { volume: 40 }]], 'position'],
  ];
  for (const [did, calls, result] of others)
    it(`says ${result} if another program ${did}`, () =>
      withSound(async (mopidy, play) => {
        const playing = resultOf(play());
        await until(() => isPlaying(mopidy));
        for (const [method, params] of calls) await mopidy.core(method, params);
        assert.equal(await playing, result);
      }));
});
