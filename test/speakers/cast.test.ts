import assert from 'node:assert/strict';
import { restoreLater } from '../../speakers/announce/announce.js';
import { cast } from '../../speakers/cast/cast.js';
import { type CastDevice, withCastDevice } from '../support/speakers/cast-device.js';
import { testsAtOnce } from '../support/at-once.js';
import { never, standStill, until } from '../support/waiting.js';
import { reasonOf } from './reason.js';
import { type PlayOptions, type Stage, withStage } from './stage.js';

const SECONDS = 2;
const PLAYER = 'CC1AD845';

describe('a Cast device', () => {
  const itAtOnce = testsAtOnce();
  type Play = (options?: PlayOptions) => ReturnType<Stage['play']>;
  const withCast = (
    work: (device: CastDevice, play: Play, stage: Stage) => Promise<void>,
    seconds = SECONDS,
  ) =>
    withStage(cast, seconds, (stage) =>
      withCastDevice(async (device) => {
        await work(device, (options) => stage.play(device.address, options), stage);
        assert.deepEqual(device.mistakes, []);
      }),
    );
  /** Plays music as another sender does. */
  const playMusic = async ({ launch, program }: CastDevice, url: string, currentTime = 10) => {
    launch(PLAYER);
    const media = { contentId: url, contentType: 'audio/wav', streamType: 'BUFFERED' };
    await program().load({ media, currentTime, autoplay: true });
    await until(() => program().now.state === 'PLAYING');
  };
  const isAnnouncing = ({ program, app }: CastDevice, { sound }: Stage) => {
    if (app() !== PLAYER) return false;
    const { url, state, position } = program().now;
    return url === sound && state === 'PLAYING' && position > 0.5;
  };

  itAtOnce('plays a sound to its end, and is as idle afterwards as before', () =>
    withCast(async (device, play, { noted }) => {
      const { start = 0, end, proof, warnings } = await play();
      assert.equal(proof, 'state');
      assert.ok(Math.abs(end - start - SECONDS * 1000) < 1000, `${end - start} ms`);
      assert.equal(warnings, undefined);
      assert.deepEqual(noted, []);
      assert.equal(device.app(), '');
    }),
  );

  itAtOnce('plays a sound of half a second', () =>
    withCast(async (_device, play) => {
      assert.equal((await play()).proof, 'state');
    }, 0.5),
  );

  itAtOnce('starts a loaded sound only when all speakers are ready', () =>
    withCast(async (device, play, stage) => {
      let open = () => {};
      const opened = new Promise<void>((resolve) => (open = resolve));
      let isReady = false;
      const together = () => {
        isReady = true;
        return opened;
      };
      const playing = play({ together });
      await until(() => isReady);
      assert.deepEqual(device.program().now, { url: stage.sound, state: 'PAUSED', position: 0 });
      open();
      assert.equal((await playing).proof, 'state');
    }),
  );

  itAtOnce('plays to the end although it reports the end of the earlier music late', () =>
    withCast(async (device, play, { music }) => {
      await playMusic(device, music);
      device.program().lateMs = 700;
      assert.equal((await play()).proof, 'state');
    }),
  );

  itAtOnce('continues the music of its player at its position, and gets back its volume', () =>
    withCast(async (device, play, { music }) => {
      await playMusic(device, music);
      const playing = play({ volume: 30 });
      await until(() => Math.abs(device.volume.level - 0.3) < 0.001);
      await playing;
      await until(() => device.program().now.state === 'PLAYING');
      const { url, position } = device.program().now;
      assert.equal(url, music);
      assert.ok(position >= 10 && position < 12, String(position));
      assert.equal(device.volume.level, 0.5);
    }),
  );

  itAtOnce('keeps music paused that was paused before', () =>
    withCast(async (device, play, { music }) => {
      await playMusic(device, music);
      device.program().pause();
      await play();
      await until(() => device.program().now.url === music && device.program().now.state === 'PAUSED');
    }),
  );

  itAtOnce('says that it cannot continue what another program played', () =>
    withCast(async (device, play) => {
      device.launch('SPOTIFY');
      const { proof, warnings } = await play();
      assert.deepEqual([proof, warnings], ['state', ['speaker-music-lost']]);
    }),
  );

  itAtOnce('says that it was mute, or that its volume was 0', () =>
    withCast(async (device, play) => {
      device.setVolume({ muted: true });
      assert.deepEqual((await play()).warnings, ['speaker-silent']);
      device.setVolume({ muted: false });
      assert.deepEqual((await play({ volume: 0 })).warnings, ['speaker-silent']);
      assert.equal(device.volume.level, 0.5);
    }),
  );

  itAtOnce('plays at its volume limit if it is louder, and does not raise a lower volume', () =>
    withCast(async (device, play, stage) => {
      for (const [maxVolume, level] of [
        [20, 0.2],
        [80, 0.5],
      ] as const) {
        const playing = play({ maxVolume });
        await until(() => isAnnouncing(device, stage));
        assert.ok(Math.abs(device.volume.level - level) < 0.001, String(device.volume.level));
        await playing;
        assert.equal(device.volume.level, 0.5);
      }
    }),
  );

  itAtOnce('does not continue music that the announcement replaces', () =>
    withCast(async (device, play, { music, sound }) => {
      await playMusic(device, music);
      await play({ music: 'replace' });
      const { url, state } = device.program().now;
      assert.deepEqual([url, state], [sound, 'IDLE']);
    }),
  );

  itAtOnce('keeps a volume that another user sets during the announcement', () =>
    withCast(async (device, play, stage) => {
      const playing = play({ volume: 30 });
      await until(() => isAnnouncing(device, stage));
      device.setVolume({ level: 0.45 });
      await playing;
      assert.equal(device.volume.level, 0.45);
    }),
  );

  itAtOnce('plays at the volume of a device that has no other one', () =>
    withCast(async (device, play) => {
      device.volume.controlType = 'fixed';
      device.volume.level = 1;
      assert.equal((await play({ volume: 30 })).proof, 'state');
      assert.equal(device.volume.level, 1);
    }),
  );

  const others: [
    did: string,
    act: (device: CastDevice, stage: Stage) => unknown,
    reason: string,
    state: string,
  ][] = [
    ['stops it', ({ program }) => program().finish('CANCELLED'), 'speaker-stopped', 'PAUSED'],
    ['pauses it and goes away', ({ program }) => program().pause(), 'speaker-paused', 'PAUSED'],
    [
      'plays another song',
      (device, { sound }) => playMusic(device, `${sound}?other`, 0),
      'speaker-skipped',
      'PLAYING',
    ],
    [
      'plays another song with the same program',
      ({ program }, { sound }) =>
        program().load({
          media: { contentId: `${sound}?other`, contentType: 'audio/wav', streamType: 'BUFFERED' },
        }),
      'speaker-skipped',
      'PLAYING',
    ],
  ];
  for (const [did, act, reason, state] of others)
    itAtOnce(`reports that another user ${did}, and leaves it so`, () =>
      withCast(async (device, play, stage) => {
        await playMusic(device, stage.music);
        const playing = play();
        await until(() => isAnnouncing(device, stage));
        await act(device, stage);
        assert.equal(await reasonOf(playing), reason);
        const isTheirs = reason === 'speaker-skipped';
        await until(() => device.program().now.state === state);
        assert.equal(device.program().now.url, isTheirs ? `${stage.sound}?other` : stage.music);
      }, 3),
    );

  itAtOnce('reports that another user started another program, or ended its program', () =>
    withCast(async (device, play, stage) => {
      for (const [app, reason] of [
        ['SPOTIFY', 'speaker-skipped'],
        ['', 'speaker-stopped'],
      ] as const) {
        const playing = play();
        await until(() => isAnnouncing(device, stage));
        device.launch(app);
        assert.equal(await reasonOf(playing), reason);
        assert.equal(device.app(), app);
      }
    }, 3),
  );

  itAtOnce('refuses audio that does not exist, and a web page in its place', () =>
    withCast(async (_device, play) => {
      await assert.rejects(play({ path: 'none.wav' }), /speaker-refused.*LOAD_FAILED 104/);
      await assert.rejects(play({ path: 'text.wav' }), /speaker-refused/);
    }),
  );

  itAtOnce('continues its music when the announcement cannot play', () =>
    withCast(async (device, play, { music }) => {
      await playMusic(device, music);
      assert.equal(await reasonOf(play({ path: 'none.wav' })), 'speaker-refused');
      await until(() => device.program().now.url === music && device.program().now.state === 'PLAYING');
    }),
  );

  itAtOnce('is lost when it dies, and unreachable afterwards', () =>
    withCast(async (device, play, stage) => {
      const playing = play();
      await until(() => isAnnouncing(device, stage));
      await device.kill();
      assert.equal(await reasonOf(playing), 'speaker-lost');
      assert.equal(await reasonOf(play()), 'speaker-unreachable');
    }, 3),
  );

  itAtOnce('is lost at latest 5 s after the expected end when its power is cut', () =>
    withCast(async (device, play, stage) => {
      const playing = play();
      await until(() => isAnnouncing(device, stage));
      const cut = performance.now();
      device.freeze();
      assert.equal(await reasonOf(playing), 'speaker-lost');
      assert.ok(performance.now() - cut < 3000 + 5000);
    }, 3),
  );

  itAtOnce('is silent at once when the announcement is stopped, and continues its music', () =>
    withCast(async (device, play, stage) => {
      await playMusic(device, stage.music);
      const stop = new AbortController();
      const playing = play({ signal: stop.signal });
      await until(() => isAnnouncing(device, stage));
      stop.abort(new Error('a stop'));
      await assert.rejects(playing, /a stop/);
      await until(() => device.program().now.url === stage.music && device.program().now.state === 'PLAYING');
    }, 30),
  );

  itAtOnce('gets back its music and its volume after Node-RED was killed', () =>
    withCast(async (device, play, stage) => {
      await playMusic(device, stage.music);
      const kill = new AbortController();
      const playing = play({ volume: 30, signal: kill.signal, isKilled: true });
      await until(() => isAnnouncing(device, stage));
      kill.abort(new Error('killed'));
      await assert.rejects(playing, /killed/);
      assert.ok(Math.abs(device.volume.level - 0.3) < 0.001);
      assert.ok(isAnnouncing(device, stage));
      const [before] = stage.noted;
      assert.ok(before);
      await restoreLater(cast, { address: device.address }, JSON.parse(JSON.stringify(before)), never);
      await until(() => device.program().now.url === stage.music && device.program().now.state === 'PLAYING');
      assert.equal(device.volume.level, 0.5);
    }, 30),
  );

  // The last one, and not at once: it holds the process of all.
  it('plays to the end although the computer stands still for 3.5 s', () =>
    withCast(async (device, play, stage) => {
      const playing = play();
      await until(() => isAnnouncing(device, stage));
      standStill(3500);
      assert.match((await playing).proof, /^(state|accepted)$/);
    }, 6));
});
