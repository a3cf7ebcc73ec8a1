import assert from 'node:assert/strict';
import { homeAssistant } from '../../../speakers/home-assistant/home-assistant.js';
import type { Played } from '../../../speakers/announce/announce.js';
import { reasonOf } from '../../speakers/reason.js';
import { type PlayOptions, type Stage, withStage } from '../../speakers/stage.js';
import { type Mpd, SONGS, withMpd } from '../../support/programs/mpd.js';
import { until } from '../../support/waiting.js';
import { type Core, withCore } from './core.js';
import { recording } from './recording.js';

const SECONDS = 4;

describe('media players of Home Assistant Core 2024.3', function () {
  this.timeout(120_000);

  interface Home extends Core {
    mpd: Mpd;
    stage: Stage;
    play(entity: string, options?: PlayOptions): Promise<Played>;
  }

  /** @param name the name of a record of the requests, for the tests that have no Home Assistant */
  const withHome = (name: string, work: (home: Home) => Promise<void>) =>
    withMpd((mpd) =>
      withCore(mpd.address, (core) =>
        withStage(homeAssistant, SECONDS, (stage) =>
          recording(name, core.base, stage.sound, (base) => {
            const play: Home['play'] = (entity, options) =>
              stage.play(`${base}/media_player.${entity}`, { secret: core.token, ...options });
            return work({ ...core, mpd, stage, play });
          }),
        ),
      ),
    );
  const statusOf = async (mpd: Mpd): Promise<Record<string, string>> =>
    Object.fromEntries((await mpd.run('status')).map((line) => line.split(': ')));
  const songOf = async (mpd: Mpd) =>
    (await mpd.run('currentsong')).find((line) => line.startsWith('file: '))?.slice(6);
  const playMusic = async ({ mpd }: Home) => {
    for (const song of SONGS) await mpd.run(`add ${song}`);
    await mpd.run('setvol 70');
    await mpd.run('play 0');
    await mpd.run('seekcur 10');
  };
  const hasBegun = ({ mpd, stage }: Home) =>
    until(async () => (await songOf(mpd)) === stage.sound && Number((await statusOf(mpd))['elapsed']) > 1.6);

  it('plays to the end, and the position that moved proves it', () =>
    withHome('good', async ({ play, stage, mpd }) => {
      const { start = 0, end, proof } = await play('kitchen');
      assert.equal(proof, 'state');
      assert.ok(end - start > 3000 && end - start < 7000, `${end - start} ms`);
      assert.deepEqual(stage.noted, []);
      assert.equal((await statusOf(mpd))['state'], 'stop');
    }));

  it('plays the music on from its position, with its volume', () =>
    withHome('music', async (home) => {
      const { mpd, play } = home;
      await playMusic(home);
      const playing = play('kitchen', { volume: 30 });
      await hasBegun(home);
      assert.equal((await statusOf(mpd))['volume'], '30');
      await playing;
      const { state, volume, elapsed } = await statusOf(mpd);
      assert.deepEqual([state, volume, await songOf(mpd)], ['play', '70', SONGS[0]]);
      assert.ok(Number(elapsed) > 8.5 && Number(elapsed) < 13, elapsed);
    }));

  it('gives back the volume of a player that was off', () =>
    withHome('off', async (home) => {
      const { mpd, play } = home;
      await mpd.run('setvol 70');
      const playing = play('kitchen', { volume: 30 });
      await hasBegun(home);
      assert.equal((await statusOf(mpd))['volume'], '30');
      await playing;
      const { state, volume } = await statusOf(mpd);
      assert.deepEqual([state, volume], ['stop', '70']);
    }));

  it('reports that a user stops it, and stays silent', () =>
    withHome('stopped', async (home) => {
      await playMusic(home);
      const playing = home.play('kitchen');
      await hasBegun(home);
      await home.call('media_player.media_stop', 'kitchen');
      assert.equal(await reasonOf(playing), 'speaker-stopped');
      assert.equal((await statusOf(home.mpd))['state'], 'stop');
    }));

  it('reports that a user plays another song, which goes on', () =>
    withHome('skipped', async (home) => {
      await playMusic(home);
      const playing = home.play('kitchen');
      await hasBegun(home);
      const media = { media_content_id: SONGS[1], media_content_type: 'music' };
      await home.call('media_player.play_media', 'kitchen', media);
      assert.equal(await reasonOf(playing), 'speaker-skipped');
      assert.deepEqual([(await statusOf(home.mpd))['state'], await songOf(home.mpd)], ['play', SONGS[1]]);
    }));

  it('reports that a user pauses it and goes away', () =>
    withHome('paused', async (home) => {
      const playing = home.play('kitchen');
      await hasBegun(home);
      await home.call('media_player.media_pause', 'kitchen');
      assert.equal(await reasonOf(playing), 'speaker-paused');
    }));

  it('keeps a volume that a user sets, and claims no proof of a sound that was mute', () =>
    withHome('muted', async (home) => {
      await home.mpd.run('setvol 70');
      const playing = home.play('kitchen', { volume: 30 });
      await hasBegun(home);
      await home.call('media_player.volume_mute', 'kitchen', { is_volume_muted: true });
      const { proof, warnings } = await playing;
      assert.deepEqual([proof, warnings], ['accepted', ['speaker-silent']]);
      assert.equal((await statusOf(home.mpd))['volume'], '0');
    }));

  it('reports audio that does not exist, and audio whose address never answers', () =>
    withHome('absent', async ({ play }) => {
      assert.equal(await reasonOf(play('kitchen', { path: 'none.wav' })), 'speaker-no-progress');
      assert.match(await reasonOf(play('kitchen', { path: 'slow.wav' })), /^speaker-(no-progress|lost)$/);
    }));

  it('leaves the music to a player that knows announcements', () =>
    withHome('announcer', async (home) => {
      const media = { media_content_id: 'a song', media_content_type: 'music' };
      await home.call('media_player.play_media', 'announcer', media);
      const { proof } = await home.play('announcer', { volume: 30 });
      assert.equal(proof, 'accepted');
      const { state, attributes } = await home.player('announcer');
      assert.deepEqual(
        [state, attributes['media_content_id'], attributes['volume_level'], attributes['started']],
        ['playing', 'a song', 0.7, 1],
      );
    }));

  it('ends an announcement at once when it is stopped, and plays the music on', () =>
    withHome('interrupted', async (home) => {
      await playMusic(home);
      const stop = new AbortController();
      const playing = home.play('kitchen', { signal: stop.signal });
      await hasBegun(home);
      stop.abort(new Error('a stop'));
      await assert.rejects(playing, /a stop/);
      assert.deepEqual([(await statusOf(home.mpd))['state'], await songOf(home.mpd)], ['play', SONGS[0]]);
    }));

  it('is unreachable for an unknown player, and for one that died, and refuses a wrong token', () =>
    withHome('unknown', async ({ play, mpd }) => {
      assert.equal(await reasonOf(play('cellar')), 'speaker-unreachable');
      assert.equal(await reasonOf(play('kitchen', { secret: 'wrong' })), 'speaker-refused');
      await mpd.kill();
      assert.equal(await reasonOf(play('kitchen')), 'speaker-unreachable');
    }));

  it('loses a player that dies during the announcement', () =>
    withHome('lost', async (home) => {
      const playing = home.play('kitchen');
      await hasBegun(home);
      await home.mpd.kill();
      assert.equal(await reasonOf(playing), 'speaker-lost');
    }));
});
