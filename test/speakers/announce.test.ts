import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { announce } from '../../speakers/announce/announce.js';
import type { Device, Kind, Settings } from '../../speakers/kind.js';
import { type Playback, type Playlist, PlaylistDevice } from '../../speakers/playlist/playlist.js';
import { testsAtOnce } from '../support/at-once.js';
import { never, standStill } from '../support/waiting.js';
import { reasonOf } from './reason.js';

const sound = {
  duration: 0.4,
  url: 'http://127.0.0.1:1/sound.wav',
  pcm: () => Promise.reject(new Error('not asked for')),
  isFetched: () => true,
};

const rest = { before: async () => ({}), restore: async () => {}, close: () => {} };
interface Options extends Pick<Kind, 'unit' | 'answersLate'> {
  together?: Settings['together'];
  isFetched?: boolean;
  duration?: number;
}
const play = (
  device: Device,
  { together = async () => {}, isFetched = true, duration = sound.duration, ...pace }: Options = {},
) => {
  const kind: Kind = { async *find() {}, connect: async () => device, ...pace };
  const journal = { begin: async () => {}, end: async () => {} };
  return announce(
    kind,
    { address: '' },
    { sound: { ...sound, duration, isFetched: () => isFetched }, settings: { together }, journal },
    never,
  );
};

describe('an announcement', () => {
  const itAtOnce = testsAtOnce();
  itAtOnce(
    'is lost three seconds after a speaker has said its last word, also before the sound',
    async () => {
      const start = performance.now();
      const hanging = async function* () {
        yield { seconds: 0, isPaused: false };
        await sleep(60_000, undefined, { ref: false });
        return 'position' as const;
      };
      assert.equal(await reasonOf(play({ ...rest, play: hanging }, { isFetched: false })), 'speaker-lost');
      assert.ok(performance.now() - start < 5000 + sound.duration * 1000);
    },
  );

  itAtOnce(
    'is lost, and blames no format, if a speaker fetched the sound and reports nothing more',
    async () => {
      const silent = async function* () {
        for (let count = 0; count < 4; count += 1) {
          yield { seconds: 0, isPaused: false };
          await sleep(200);
        }
        await sleep(60_000, undefined, { ref: false });
        return 'position' as const;
      };
      assert.equal(await reasonOf(play({ ...rest, play: silent }, { unit: 1 })), 'speaker-lost');
    },
  );

  itAtOnce(
    'frees a speaker of a kind that answers late, and never answers again, within five seconds after the expected end',
    async () => {
      const start = performance.now();
      const hanging = async function* () {
        yield { seconds: 0.1, isPaused: false };
        await sleep(60_000, undefined, { ref: false });
        return 'position' as const;
      };
      const restore = () => sleep(60_000, undefined, { ref: false });
      const playing = play({ ...rest, play: hanging, restore }, { answersLate: true });
      assert.equal(await reasonOf(playing), 'speaker-lost');
      assert.ok(performance.now() - start < 5000 + sound.duration * 1000);
    },
  );

  for (const [what, seconds, unit] of [
    ['reports fractions of a second', 2, undefined],
    ['reports whole seconds', 3, 1],
  ] as const)
    itAtOnce(
      `reports a speaker that ${what} and makes no progress ${seconds} s after it fetched the audio`,
      async () => {
        const start = performance.now();
        const idle = async function* () {
          for (;;) {
            yield { seconds: 0, isPaused: false };
            await sleep(100);
          }
        };
        const playing = play({ ...rest, play: idle }, unit && { unit });
        assert.equal(await reasonOf(playing), 'speaker-no-progress');
        const ms = performance.now() - start;
        assert.ok(ms >= seconds * 1000 && ms < seconds * 1000 + 5000, `${ms} ms`);
      },
    );

  itAtOnce('waits for other speakers without being lost', async () => {
    const waiting = async function* (_sound: unknown, settings: Settings) {
      await settings.together();
      yield { seconds: 0.4, isPaused: false };
      return 'position' as const;
    };
    const { proof } = await play({ ...rest, play: waiting }, { together: () => sleep(3200) });
    assert.equal(proof, 'position');
  });

  itAtOnce(
    'frees a speaker that fetches no audio within five seconds after the expected end of a short sound',
    async () => {
      const start = performance.now();
      const idle = async function* () {
        for (;;) {
          yield { seconds: 0, isPaused: false };
          await sleep(100);
        }
      };
      assert.equal(
        await reasonOf(play({ ...rest, play: idle }, { isFetched: false })),
        'speaker-not-fetched',
      );
      assert.ok(performance.now() - start < 5000 + sound.duration * 1000);
    },
  );

  itAtOnce('fails with a reason for each reply of a speaker', async () => {
    const odd = async function* () {
      yield { seconds: 0.1, isPaused: false };
      return JSON.parse('<html>');
    };
    assert.equal(await reasonOf(play({ ...rest, play: odd })), 'speaker-unreachable');
  });

  // The last ones, and not at once: they hold the process of all.
  it('is not lost if this computer stands still for 3.5 s, in which it reads no report', async () => {
    const playing = async function* () {
      yield { seconds: 0.1, isPaused: false };
      standStill(3500);
      await sleep(200);
      yield { seconds: 3.8, isPaused: false };
      return 'position' as const;
    };
    assert.equal((await play({ ...rest, play: playing }, { duration: 4 })).proof, 'position');
  });

  it('is complete if this computer stands still for 2 s, in which the sound ends', async () => {
    const playing = async function* () {
      yield { seconds: 0.1, isPaused: false };
      await sleep(1000);
      yield { seconds: 1.1, isPaused: false };
      standStill(2000);
      await sleep(200);
      return 'state' as const;
    };
    assert.equal((await play({ ...rest, play: playing }, { duration: 3 })).proof, 'state');
  });
});

describe('an announcement on a player with a queue', () => {
  const itAtOnce = testsAtOnce();
  /** An answer, and the milliseconds that the player takes for it. */
  type Told = Pick<Playback, 'state' | 'song' | 'elapsed'> & { error?: string; late?: number };
  /** A player that answers with these states in turn, and then with the last one. */
  const playing = (states: Told[], options: Options = {}) => {
    const more = {
      volume: undefined,
      isMuted: false,
      error: '',
      modes: { repeat: '0', random: '0', single: '0', consume: '0' },
    };
    let at = -1;
    const player: Playlist = {
      pollMs: 100,
      startMs: 0,
      async playback() {
        const { late: ms = 0, ...told }: Told = states[Math.min((at += 1), states.length - 1)] ?? before;
        await sleep(ms);
        return { ...more, ...told };
      },
      add: async () => '1',
      find: async () => '',
      remove: async () => {},
      setMode: async () => {},
      setVolume: async () => {},
      play: async () => {},
      playFrom: async () => {},
      pause: async () => {},
      close: () => {},
    };
    return play(new PlaylistDevice(player), { ...options, answersLate: true });
  };
  const before = { state: 'stopped', song: '', elapsed: 0 } as const;
  const late = { ...before, late: 3500 };
  const middle = { state: 'playing', song: '1', elapsed: 0.2 } as const;
  const stopped = { state: 'stopped', song: '1', elapsed: 0.2 } as const;

  itAtOnce('has ended by itself although the player names it for a moment after the end', async () => {
    assert.equal((await playing([before, middle, stopped, stopped, before])).proof, 'position');
  });

  itAtOnce('was stopped by a user if the player goes on to name it', async () => {
    assert.equal(await reasonOf(playing([before, middle, stopped])), 'speaker-stopped');
  });

  itAtOnce('has ended by itself if the player answers only at the end', async () => {
    assert.equal((await playing([before, middle, late], { duration: 4 })).proof, 'position');
  });

  itAtOnce('is accepted if the player reports no position before the end', async () => {
    assert.equal((await playing([before, late], { duration: 3.5 })).proof, 'accepted');
  });

  itAtOnce('ended too early if the player answers late, but before the end', async () => {
    assert.equal(await reasonOf(playing([before, middle, late], { duration: 6 })), 'speaker-short');
  });

  itAtOnce('was not fetched if the player stays silent and requested no audio, with any error', async () => {
    for (const error of ['', 'CURL failed: Connection refused'])
      assert.equal(
        await reasonOf(playing([before, { ...before, error }], { isFetched: false })),
        'speaker-not-fetched',
      );
  });

  itAtOnce('was refused if the player requested the audio and reports an error', async () => {
    assert.equal(await reasonOf(playing([before, { ...before, error: '404' }])), 'speaker-refused');
  });
});
