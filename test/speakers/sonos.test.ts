import assert from 'node:assert/strict';
import { restoreLater } from '../../speakers/announce/announce.js';
import { sonos } from '../../speakers/sonos/sonos.js';
import { reportLate } from '../support/speakers/late-reports.js';
import type { SonosPlayer } from '../support/speakers/sonos-player.js';
import { testsAtOnce } from '../support/at-once.js';
import { never, standStill, until } from '../support/waiting.js';
import { reasonOf } from './reason.js';
import { type House, SECONDS, withHouse } from './sonos-stage.js';

describe('a player of Sonos', () => {
  const itAtOnce = testsAtOnce();
  const nowOf = ({ uri, state, track, mode, volume }: SonosPlayer) => ({ uri, state, track, mode, volume });

  itAtOnce('plays a sound to its end, and was silent before and afterwards', () =>
    withHouse(async ({ player, play, stage }) => {
      const { start = 0, end, proof, warnings } = await play();
      assert.equal(proof, 'state');
      assert.ok(Math.abs(end - start - SECONDS * 1000) < 1500, `${end - start} ms`);
      assert.equal(warnings, undefined);
      assert.deepEqual(stage.noted, []);
      assert.equal(player.state, 'STOPPED');
      assert.deepEqual([...player.plays], [[stage.sound, 1]]);
    }, 3),
  );

  itAtOnce('continues its queue at the song and the second, with its mode and its volume', () =>
    withHouse(async ({ player, play }) => {
      player.playQueue(5, 3, 100);
      player.mode = 'SHUFFLE';
      const playing = play({ volume: 25 });
      await until(() => player.volume === 25);
      await playing;
      const { queue: uri } = player;
      assert.deepEqual(nowOf(player), { uri, state: 'PLAYING', track: 3, mode: 'SHUFFLE', volume: 40 });
      assert.ok(player.seconds >= 99 && player.seconds < 103, String(player.seconds));
    }),
  );

  itAtOnce('plays to the end although it still reports its queue for a moment after the start', () =>
    withHouse(async ({ player, play }) => {
      player.playQueue(5, 3, 100);
      reportLate(player, 900);
      assert.equal((await play()).proof, 'state');
      assert.deepEqual([player.uri, player.state, player.track], [player.queue, 'PLAYING', 3]);
    }, 3),
  );

  itAtOnce('plays to its end although it ends between the answers to two questions', () =>
    withHouse(async ({ player, play }) => {
      const run = player.run.bind(player);
      player.run = (action, values) => {
        const reply = run(action, values);
        if (action === 'GetTransportInfo' && player.state === 'PLAYING' && player.seconds > 2.2)
          player.stop();
        return reply;
      };
      assert.match((await play()).proof, /^(state|accepted)$/);
    }, 3),
  );

  itAtOnce('plays to its end although the player misses the last question before it', () =>
    withHouse(async ({ player, play, freeze, thaw }) => {
      const playing = play();
      await until(() => player.seconds > 1.85);
      freeze();
      await until(() => player.seconds > 2.5);
      thaw();
      assert.match((await playing).proof, /^(state|accepted)$/);
    }, 3),
  );

  itAtOnce('reports that another user paused it in its last second and then stopped it', () =>
    withHouse(async ({ player, play }) => {
      const run = player.run.bind(player);
      let pauses = 0;
      player.run = (action, values) => {
        if (action === 'GetTransportInfo' && player.state === 'PAUSED_PLAYBACK') pauses += 1;
        return run(action, values);
      };
      const playing = play();
      await until(() => player.seconds > 2);
      player.pause();
      // The answers to the first question have arrived before the next question.
      await until(() => pauses > 1);
      player.stop();
      assert.equal(await reasonOf(playing), 'speaker-stopped');
    }, 3),
  );

  itAtOnce('keeps a queue silent at its song that was paused or stopped before', () =>
    withHouse(async ({ player, play }) => {
      player.playQueue(5, 2, 100);
      for (const halt of ['pause', 'stop'] as const) {
        player[halt]();
        await play();
        assert.deepEqual([player.uri, player.state, player.track], [player.queue, 'STOPPED', 2]);
      }
    }),
  );

  itAtOnce('continues the radio, which has no position', () =>
    withHouse(async ({ player, play }) => {
      player.run('SetAVTransportURI', {
        CurrentURI: 'x-sonosapi-stream:s1',
        CurrentURIMetaData: '<DIDL-Lite/>',
      });
      player.run('Play', {});
      await play();
      assert.deepEqual([player.uri, player.state], ['x-sonosapi-stream:s1', 'PLAYING']);
    }),
  );

  itAtOnce('says that it cannot continue what another program plays on it', () =>
    withHouse(async ({ player, play }) => {
      player.uri = 'x-sonos-vli:RINCON_1:2,spotify:1';
      player.state = 'PLAYING';
      const { proof, warnings } = await play();
      assert.deepEqual([proof, warnings], ['state', ['speaker-music-lost']]);
    }),
  );

  itAtOnce('claims no more than "accepted" for a sound that is shorter than the steps of its time', () =>
    withHouse(async ({ player, play, stage }) => {
      assert.equal((await play()).proof, 'accepted');
      assert.equal(player.plays.get(stage.sound), 1);
    }, 0.5),
  );

  itAtOnce('does not continue music that the announcement replaces', () =>
    withHouse(async ({ player, play, stage }) => {
      player.playQueue(5, 3, 100);
      await play({ music: 'replace' });
      assert.deepEqual([player.uri, player.state], [stage.sound, 'STOPPED']);
    }),
  );

  itAtOnce('says that it was mute, or that its volume was 0', () =>
    withHouse(async ({ player, play }) => {
      player.isMute = true;
      assert.deepEqual((await play()).warnings, ['speaker-silent']);
      player.isMute = false;
      assert.deepEqual((await play({ volume: 0 })).warnings, ['speaker-silent']);
    }),
  );

  itAtOnce('keeps a volume that another user sets during the announcement', () =>
    withHouse(async ({ player, play, isAnnouncing }) => {
      const playing = play({ volume: 25 });
      await until(isAnnouncing);
      player.volume = 33;
      await playing;
      assert.equal(player.volume, 33);
    }),
  );

  const others: [did: string, act: (house: House) => unknown, reason: string, isTheirs?: true][] = [
    ['stops it', ({ player }) => player.stop(), 'speaker-stopped'],
    ['pauses it and goes away', ({ player }) => player.pause(), 'speaker-paused'],
    ['plays a song of the queue', ({ player }) => player.playQueue(5, 5, 0), 'speaker-skipped', true],
  ];
  for (const [did, act, reason, isTheirs] of others)
    itAtOnce(`reports that another user ${did}, and leaves it so`, () =>
      withHouse(async (house) => {
        const { player, play, isAnnouncing } = house;
        player.playQueue(5, 3, 100);
        const playing = play();
        await until(isAnnouncing);
        act(house);
        assert.equal(await reasonOf(playing), reason);
        const { queue } = player;
        assert.deepEqual(
          [player.uri, player.track, player.state],
          isTheirs ? [queue, 5, 'PLAYING'] : [queue, 3, 'STOPPED'],
        );
      }, 4),
    );

  itAtOnce('refuses audio that does not exist, or a web page in its place, and continues its music', () =>
    withHouse(async ({ player, play }) => {
      player.playQueue(5, 3, 100);
      for (const path of ['none.wav', 'text.wav']) {
        assert.equal(await reasonOf(play({ path })), 'speaker-refused');
        assert.deepEqual([player.uri, player.track, player.state], [player.queue, 3, 'PLAYING']);
      }
    }),
  );

  itAtOnce('says that it makes no progress if the audio never arrives', () =>
    withHouse(async ({ play }) => {
      assert.equal(await reasonOf(play({ path: 'slow.wav' })), 'speaker-no-progress');
    }),
  );

  itAtOnce('is lost when it dies, and unreachable afterwards', () =>
    withHouse(async ({ play, kill, isAnnouncing }) => {
      const playing = play();
      await until(isAnnouncing);
      await kill(0);
      assert.equal(await reasonOf(playing), 'speaker-lost');
      assert.equal(await reasonOf(play()), 'speaker-unreachable');
    }, 6),
  );

  itAtOnce('is lost at latest 5 s after the expected end when its power is cut', () =>
    withHouse(async ({ play, freeze, isAnnouncing }) => {
      const playing = play();
      await until(isAnnouncing);
      const cut = performance.now();
      freeze();
      assert.match(await reasonOf(playing), /^speaker-(lost|late)$/);
      assert.ok(performance.now() - cut < 3000 + 5000);
    }, 3),
  );

  itAtOnce('is silent at once when the announcement is stopped, and continues its music', () =>
    withHouse(async ({ player, play, isAnnouncing }) => {
      player.playQueue(5, 3, 100);
      const stop = new AbortController();
      const playing = play({ signal: stop.signal });
      await until(isAnnouncing);
      stop.abort(new Error('a stop'));
      await assert.rejects(playing, /a stop/);
      assert.deepEqual([player.uri, player.track, player.state], [player.queue, 3, 'PLAYING']);
    }, 30),
  );

  itAtOnce('gets back its music and its volume after Node-RED was killed', () =>
    withHouse(async ({ player, play, isAnnouncing, stage, address }) => {
      player.playQueue(5, 3, 100);
      const kill = new AbortController();
      const playing = play({ volume: 25, signal: kill.signal, isKilled: true });
      await until(isAnnouncing);
      kill.abort(new Error('killed'));
      await assert.rejects(playing, /killed/);
      assert.equal(player.volume, 25);
      assert.ok(isAnnouncing());
      const [before] = stage.noted;
      assert.ok(before);
      await restoreLater(sonos, { address: address() }, JSON.parse(JSON.stringify(before)), never);
      assert.deepEqual(
        [player.uri, player.track, player.state, player.volume],
        [player.queue, 3, 'PLAYING', 40],
      );
    }, 30),
  );

  // The last one, and not at once: it holds the process of all.
  it('plays to the end although the computer stands still for 2.5 s', () =>
    withHouse(async ({ player, play }) => {
      const run = player.run.bind(player);
      let isHeld = false;
      player.run = (action, values) => {
        const reply = run(action, values);
        if (action === 'GetPositionInfo' && player.state === 'PLAYING' && !isHeld) {
          isHeld = true;
          standStill(2500);
        }
        return reply;
      };
      assert.match((await play()).proof, /^(state|accepted)$/);
    }, 4));
});
