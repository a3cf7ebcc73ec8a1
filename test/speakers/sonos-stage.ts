import assert from 'node:assert/strict';
import { sonos } from '../../speakers/sonos/sonos.js';
import { type SonosHouse, withSonosHouse } from '../support/speakers/sonos-house.js';
import type { SonosPlayer } from '../support/speakers/sonos-player.js';
import { type PlayOptions, type Stage, withStage } from './stage.js';

/** Seconds of an announcement. */
export const SECONDS = 2;

export interface House extends SonosHouse {
  /** The first player. */
  player: SonosPlayer;
  play(options?: PlayOptions & { on?: number }): ReturnType<Stage['play']>;
  stage: Stage;
  /** Whether the announcement is heard. */
  isAnnouncing(): boolean;
}
/** Runs `work` with players of Sonos and an announcement. */
export const withHouse = (
  work: (house: House) => Promise<void>,
  seconds = SECONDS,
  names = ['Kitchen', 'Hall'],
) =>
  withStage(sonos, seconds, (stage) =>
    withSonosHouse((house) => {
      const [player] = house.players;
      assert.ok(player);
      return work(
        Object.assign(house, {
          player,
          stage,
          play: ({ on = 0, ...options }: PlayOptions & { on?: number } = {}) =>
            stage.play(house.address(on), options),
          isAnnouncing: () =>
            player.uri === stage.sound && player.state === 'PLAYING' && player.seconds > 0.5,
        }),
      );
    }, names),
  );
