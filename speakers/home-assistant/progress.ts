import { SpeakerFault } from '../fault.js';
import type { Grade, Position, Sound } from '../kind.js';
import type { PlayerState } from './api.js';

/** Seconds after the expected end until which a player must have ended: some are asked by Home Assistant only now and then. */
const PATIENCE = 2;
/** Seconds by which a player may end early: a format may tell a longer time than it plays. */
const EARLY = 0.7;
/** Seconds in which a player that cannot play a sound gives up. */
const BRIEF = 1.2;
/** States of a player that plays nothing. */
export const SILENT: ReadonlySet<string> = new Set(['idle', 'off', 'standby', 'on', 'paused']);

/** Follows an announcement through the states of a media player. Times are milliseconds of `performance.now()`. */
export class PlayerProgress {
  /** The last position of the sound in seconds. */
  private last = 0;
  private isPaused = false;
  /** Whether the player named the sound. */
  private wasNamed = false;
  private hasPosition = false;
  /** The time at which the player said first that it plays the sound. */
  private began: number | undefined;
  private wasSilenced = false;
  private isOver = false;

  constructor(
    private readonly sound: Sound,
    /** Whether Home Assistant replied to the command. */
    private readonly wasTaken: boolean,
    private readonly asked: number,
    /** The content before the sound. A player may name it for a moment after the command. */
    private readonly former = '',
  ) {}

  /** Notes a state. Returns what is known of the end; undefined while the sound may play. @throws SpeakerFault if it does not */
  note(player: PlayerState, now: number): Grade | undefined {
    const { url, duration } = this.sound;
    const seconds = (now - this.asked) / 1000;
    const { state, content, position } = player;
    if (state === 'unavailable')
      throw new SpeakerFault('speaker-lost', {
        seconds: this.last,
        problem: 'Home Assistant does not reach it',
      });
    const isOurs = content === url;
    this.wasNamed ||= isOurs;
    this.isPaused = isOurs && state === 'paused';
    if (this.isPaused) return undefined;
    if (state === 'playing' && (isOurs || content === '')) {
      this.began ??= now;
      this.hasPosition ||= isOurs && position !== undefined;
      if (isOurs) this.last = Math.max(this.last, position ?? 0);
      this.wasSilenced ||= player.isMuted || player.volume === 0;
    }
    const isOther = content !== '' && !isOurs && (this.wasNamed || content !== this.former);
    const isOver = SILENT.has(state) || isOther;
    if (isOver && this.began !== undefined) return this.end(player, seconds);
    return seconds > duration + PATIENCE && this.wasTaken && this.sound.isFetched() ? 'accepted' : undefined;
  }

  /** A player without a position shows only that it has fetched the sound: from then on the clock counts. */
  position(now: number): Position {
    const warning = this.wasSilenced ? 'speaker-silent' : undefined;
    if (this.isOver) return { seconds: this.sound.duration, isPaused: false, warning };
    const seconds =
      this.began === undefined || this.hasPosition || !this.sound.isFetched()
        ? this.last
        : (now - this.began) / 1000;
    return { seconds: Math.min(seconds, this.sound.duration), isPaused: this.isPaused, warning };
  }

  private end({ state }: PlayerState, seconds: number): Grade | undefined {
    const { duration } = this.sound;
    if (!this.sound.isFetched()) return undefined;
    if (seconds >= duration - EARLY) {
      this.isOver = true;
      return this.last > 0 && !this.wasSilenced ? 'state' : 'accepted';
    }
    if (!SILENT.has(state)) throw new SpeakerFault('speaker-skipped', { seconds: this.last });
    if (this.last === 0 && seconds < BRIEF) throw new SpeakerFault('speaker-no-progress');
    throw new SpeakerFault('speaker-stopped', { seconds: this.last || seconds });
  }
}
