import assert from 'node:assert/strict';
import { restoreLater } from '../../speakers/announce/announce.js';
import { Barrier } from '../../speakers/announce/barrier.js';
import { sonos } from '../../speakers/sonos/sonos.js';
import { never, until } from '../support/waiting.js';
import { testsAtOnce } from '../support/at-once.js';
import { reasonOf } from './reason.js';
import { withHouse } from './sonos-stage.js';

describe('a player of Sonos in a group', () => {
  const itAtOnce = testsAtOnce();
  itAtOnce('plays with its group, in all its rooms at the volume of the announcement', () =>
    withHouse(async ({ players, player, play, group, stage }) => {
      group();
      const [, hall] = players;
      assert.ok(hall);
      hall.volume = 60;
      player.playQueue(5, 1, 10);
      const playing = play({ on: 1, volume: 25 });
      await until(() => player.volume === 25 && hall.volume === 25);
      await playing;
      assert.deepEqual([player.volume, hall.volume], [40, 60]);
      assert.deepEqual([player.state, player.plays.get(stage.sound), hall.plays.size], ['PLAYING', 1, 0]);
    }),
  );

  itAtOnce('plays once if an announcement names two rooms of its group', () =>
    withHouse(async ({ player, play, group, stage }) => {
      group();
      player.playQueue(5, 4, 10);
      const barrier = new Barrier(2);
      const together = () => barrier.ready();
      const [one, other] = await Promise.all([play({ together }), play({ on: 1, together })]);
      assert.deepEqual([one.proof, other.proof], ['state', 'state']);
      assert.equal(player.plays.get(stage.sound), 1);
      assert.deepEqual([player.uri, player.track, player.state], [player.queue, 4, 'PLAYING']);
    }, 3),
  );

  itAtOnce('plays once if the second room of an announcement comes late', () =>
    withHouse(async ({ player, play, group, stage, isAnnouncing }) => {
      group();
      player.playQueue(5, 4, 10);
      const one = play();
      await until(isAnnouncing);
      const proofs = [await play({ on: 1 }), await one].map(({ proof }) => proof);
      assert.deepEqual(proofs, ['state', 'state']);
      assert.equal(player.plays.get(stage.sound), 1);
      assert.deepEqual([player.uri, player.track, player.state], [player.queue, 4, 'PLAYING']);
    }, 4),
  );

  itAtOnce('plays although another room of its group is dead', () =>
    withHouse(async ({ player, play, group, kill, stage }) => {
      group();
      await kill(1);
      assert.equal((await play({ volume: 25 })).proof, 'state');
      assert.deepEqual([player.volume, player.plays.get(stage.sound)], [40, 1]);
    }),
  );

  itAtOnce('plays although another room of its group has no power', () =>
    withHouse(async ({ player, play, group, freeze, stage }) => {
      group();
      freeze(1);
      assert.equal((await play({ volume: 25 })).proof, 'state');
      assert.deepEqual([player.volume, player.plays.get(stage.sound)], [40, 1]);
    }),
  );

  itAtOnce('plays at its volume limit in each room that is louder, and raises no other room', () =>
    withHouse(async ({ players, player, play, group, isAnnouncing }) => {
      group();
      const [, hall] = players;
      assert.ok(hall);
      hall.volume = 10;
      const playing = play({ maxVolume: 30 });
      await until(isAnnouncing);
      assert.deepEqual([player.volume, hall.volume], [30, 10]);
      await playing;
      assert.deepEqual([player.volume, hall.volume], [40, 10]);
    }),
  );

  itAtOnce('plays no former music in a group that it joined meanwhile', () =>
    withHouse(async ({ players, player, play, isAnnouncing, stage, address }) => {
      const [, hall] = players;
      assert.ok(hall);
      player.playQueue(5, 3, 100);
      const stop = new AbortController();
      const playing = play({ signal: stop.signal });
      await until(isAnnouncing);
      const [before] = stage.noted;
      assert.ok(before);
      player.leader = hall;
      await restoreLater(sonos, { address: address() }, before, never);
      assert.deepEqual([hall.uri, hall.state], ['', 'STOPPED']);
      stop.abort(new Error('the end'));
      await assert.rejects(playing);
    }, 30),
  );

  itAtOnce('keeps the music of a user who changed the groups meanwhile', () =>
    withHouse(async ({ players, player, play, isAnnouncing }) => {
      const [, hall] = players;
      assert.ok(hall);
      player.playQueue(5, 3, 100);
      const stop = new AbortController();
      const playing = play({ signal: stop.signal });
      await until(isAnnouncing);
      player.stop();
      hall.playQueue(2, 2, 0);
      player.leader = hall;
      assert.match(await reasonOf(playing), /^speaker-(stopped|skipped)$/);
      assert.deepEqual([hall.uri, hall.track, hall.state], [hall.queue, 2, 'PLAYING']);
    }, 30),
  );
});
