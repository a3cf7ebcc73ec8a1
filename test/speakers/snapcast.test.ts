import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { announce, type Played } from '../../speakers/announce/announce.js';
import { snapcast } from '../../speakers/snapcast/snapcast.js';
import { SnapcastControl } from '../../speakers/snapcast/rpc.js';
import { statusIn } from '../../speakers/snapcast/status.js';
import { noise } from '../players/publish.js';
import { describeWith } from '../support/programs/describe-with.js';
import { SECOND, type Snapcast, withSnapcast } from '../support/programs/snapcast.js';
import { never, until } from '../support/waiting.js';
import { testsAtOnce } from '../support/at-once.js';
import { reasonOf } from './reason.js';

/** Seconds. */
const DURATION = 2;

describeWith(['snapserver', 'snapclient'], 'a room of Snapcast', () => {
  const itAtOnce = testsAtOnce();
  const samples = noise((DURATION * SECOND) / 16_000);
  const play = (
    control: number,
    { volume, signal = never }: { volume?: number; signal?: AbortSignal } = {},
  ): Promise<Played> => {
    const sound = {
      duration: DURATION,
      url: '',
      pcm: async () => ({ data: samples, sampleRate: 48_000, channels: 2 }),
      isFetched: () => false,
    };
    const journal = { begin: async () => {}, end: async () => {} };
    const announcement = { sound, settings: { volume, together: async () => {} }, journal };
    return announce(snapcast, { address: `127.0.0.1:${control}` }, announcement, signal);
  };
  /** Returns the state of the room. */
  const room = async (port: number) => {
    const control = await SnapcastControl.open('127.0.0.1', port, never);
    try {
      return statusIn(await control.ask('Server.GetStatus')).groups[0];
    } finally {
      control.close();
    }
  };

  /** Runs `work` when the player is in the room. */
  const withRoom = (work: (stage: Snapcast) => Promise<void>, options: { hasMusic?: boolean } = {}) =>
    withSnapcast(async (stage) => {
      await until(async () => (await room(stage.control))?.clients[0]?.isConnected === true);
      await work(stage);
    }, options);

  itAtOnce('plays an announcement, and says that it was streamed', () =>
    withRoom(async ({ control, heard }) => {
      const { proof } = await play(control);
      assert.equal(proof, 'streamed');
      // The player loses some milliseconds when its file begins, and more on a busy computer.
      assert.ok(Math.abs((await heard()).length / SECOND - DURATION) < 1);
    }),
  );

  itAtOnce('gets back its source and its volume', () =>
    withRoom(
      async ({ control }) => {
        assert.equal((await room(control))?.stream, 'Music');
        const playing = play(control, { volume: 30 });
        await until(async () => (await room(control))?.clients[0]?.volume === 30);
        assert.equal((await room(control))?.stream, 'Announcements');
        await playing;
        const after = await room(control);
        assert.deepEqual([after?.stream, after?.clients[0]?.volume], ['Music', 100]);
      },
      { hasMusic: true },
    ),
  );

  itAtOnce('is silent at once when the announcement is stopped', () =>
    withRoom(
      async ({ control, recorded }) => {
        const stop = new AbortController();
        const playing = play(control, { signal: stop.signal });
        await until(async () => (await room(control))?.stream === 'Announcements');
        await sleep(1500);
        stop.abort(new Error('a stop'));
        await assert.rejects(playing, /a stop/);
        assert.equal((await room(control))?.stream, 'Music');
        await until(async () => (await recorded()).length > SECOND);
        assert.ok((await recorded()).every((byte) => byte === 0));
      },
      { hasMusic: true },
    ),
  );

  itAtOnce('reports that its player is gone', () =>
    withRoom(
      async ({ control, killPlayer }) => {
        const playing = play(control);
        await until(async () => (await room(control))?.stream === 'Announcements');
        await killPlayer();
        assert.equal(await reasonOf(playing), 'speaker-lost');
        assert.equal(await reasonOf(play(control)), 'speaker-unreachable');
      },
      { hasMusic: true },
    ),
  );
});
