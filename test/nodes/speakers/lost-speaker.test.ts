import assert from 'node:assert/strict';
import { speakerNodes } from '../../../nodes/speakers/speaker-node.js';
import { speakerStateOf } from '../../../nodes/speakers/states.js';
import { errorOf } from '../../support/node-red/messages.js';
import { useDataFolder } from '../../support/service/local-service.js';
import { type SonosHouse, withSonosHouse } from '../../support/speakers/sonos-house.js';
import type { SonosPlayer } from '../../support/speakers/sonos-player.js';
import { until } from '../../support/waiting.js';
import { announcing, playedIn, SECOND, speakerNode, withSpeakers } from './speaking-flow.js';

/** Seconds of an announcement. */
const SECONDS = 3;
/** Percent before and during an announcement. */
const [BEFORE, DURING] = [40, 25];

describe('a speaker that is lost during an announcement', () => {
  useDataFolder();

  interface Scene {
    house: SonosHouse;
    player: SonosPlayer;
    say(text: string, more?: object): void;
    out(output: string): Promise<object>;
    state(): ReturnType<typeof speakerStateOf>;
    /** Loses the speaker in the middle of an announcement. */
    lose(): Promise<void>;
  }
  const withSpeaker = (work: (scene: Scene) => Promise<void>) =>
    withSonosHouse((house) => {
      const player = house.players[0] ?? assert.fail();
      const speaker = speakerNode('kitchen', { kind: 'sonos', address: house.address() });
      const node = announcing({
        volume: String(DURING),
        volumeType: 'num',
        retry_attempts: '1',
        retry_attemptsType: 'num',
      });
      return withSpeakers(
        () => Buffer.alloc(SECONDS * SECOND, 7),
        [speaker, node],
        (say, flow) =>
          work({
            house,
            player,
            say,
            out: (output) => flow.out(output),
            state: () => speakerStateOf((speakerNodes(flow.RED)[0] ?? assert.fail()).speaker()),
            async lose() {
              say('Hello');
              await until(() => player.state === 'PLAYING' && player.volume === DURING);
              house.freeze();
              assert.equal(errorOf(await flow.out('retryable')).code, 'timed-out');
            },
          }),
      );
    });

  it('has failed, with the cause, until an announcement plays to its end', () =>
    withSpeaker(async ({ house, player, say, out, state, lose }) => {
      assert.equal(state().is, 'idle');
      await lose();
      assert.equal(state().is, 'failed');
      assert.match(state().last?.problem ?? '', /kitchen is gone since/);
      house.thaw();
      say('A message stops this announcement');
      await until(() => state().is === 'playing' && player.state === 'PLAYING');
      say('', { reset: true });
      await until(() => state().is !== 'playing');
      assert.equal(state().is, 'failed');
      say('Hello again');
      await out('done');
      assert.equal(state().is, 'idle');
      assert.equal(state().last?.proof, 'state');
    }));

  it('is ready after a message has stopped its first announcement', () =>
    withSpeaker(async ({ player, say, state }) => {
      say('Hello');
      await until(() => player.state === 'PLAYING');
      say('', { reset: true });
      await until(() => state().is === 'idle');
      assert.equal(state().last?.isStopped, true);
    }));

  it('gets back its volume with the next announcement', () =>
    withSpeaker(async ({ house, player, say, out, lose }) => {
      await lose();
      assert.equal(player.volume, DURING);
      house.thaw();
      say('Hello again');
      assert.equal(playedIn({ ...(await out('done')) }).length, 1);
      assert.equal(player.volume, BEFORE);
    }));
});
