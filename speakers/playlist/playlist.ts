/** A player with a queue of songs, such as MPD and Mopidy. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SpeakerFault, unless } from '../fault.js';
import {
  type Before,
  type Device,
  type Grade,
  type Position,
  type Settings,
  type Sound,
  volumeFor,
} from '../kind.js';

/** Answers in turn that prove a stop by a user. */
const SURE_STOPS = 3;
/** Seconds by which the clock may be before the end of a song that ended by itself. */
const EARLY = 0.5;

/** Modes that decide what plays after a song, with their values during an announcement: only the announcement, once. */
const OWN_MODES = { repeat: '0', random: '0', single: '1', consume: '0' } as const;
const MODES = ['repeat', 'random', 'single', 'consume'] as const;

/** Each mode is `0` or `1`, or another value that the player knows. */
export type Modes = Record<(typeof MODES)[number], string>;

/** The report of a player on its playback. */
export interface Playback {
  state: 'playing' | 'paused' | 'stopped';
  /** The id of the present song in the queue; '' for none. */
  song: string;
  /** Seconds in the song. */
  elapsed: number;
  /** Percent; undefined if no output has a volume. */
  volume: number | undefined;
  isMuted: boolean;
  /** The reason for which a song does not play; '' for none. */
  error: string;
  modes: Modes;
}

/** The commands of a player. Each throws SpeakerFault `speaker-refused` or `speaker-unreachable`. */
export interface Playlist {
  /** Milliseconds between two questions for the position. */
  readonly pollMs: number;
  /** Milliseconds after the command to play, for which the player may report that it is stopped or plays the former song. */
  readonly startMs: number;
  playback(): Promise<Playback>;
  /** Adds a song to the end of the queue, and returns its id. */
  add(url: string): Promise<string>;
  /** Returns the id of the song with a URL; '' if the queue has none. */
  find(url: string): Promise<string>;
  remove(song: string): Promise<unknown>;
  setMode(mode: keyof Modes, value: string): Promise<unknown>;
  setVolume(percent: number): Promise<unknown>;
  play(song: string): Promise<unknown>;
  /** Plays a song from a position in seconds. */
  playFrom(song: string, seconds: number): Promise<unknown>;
  pause(): Promise<unknown>;
  close(): void;
}

/** Plays announcements with a queue. The announcement becomes the last song, and is removed afterwards. */
export class PlaylistDevice implements Device {
  /** The volume of the announcement in percent; undefined leaves the player as it is set. */
  private own: number | undefined;

  constructor(private readonly player: Playlist) {}

  async before({ url }: Sound, settings: Settings): Promise<Before> {
    const { state, song, elapsed, volume, modes } = await this.player.playback();
    const own = volumeFor(settings, volume);
    this.own = own;
    const volumes = own === undefined || volume === undefined ? {} : { own, volume };
    return { url, state, song, elapsed, ...volumes, ...modes };
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    const { player } = this;
    const own = await player.add(sound.url);
    await settings.together();
    for (const mode of MODES) await player.setMode(mode, OWN_MODES[mode]);
    if (this.own !== undefined) await player.setVolume(this.own);
    await player.play(own);
    const seen: Seen = { isStarted: false, seconds: 0, at: performance.now() };
    for (let stops = 0; ;) {
      await sleep(player.pollMs, undefined, { signal });
      const now = await player.playback();
      if (now.song === own && now.state !== 'stopped') {
        // A time after the end is that of the former song.
        const seconds = now.elapsed > sound.duration + 1 ? 0 : now.elapsed;
        Object.assign(seen, { isStarted: true, seconds, at: performance.now() });
        stops = 0;
        const warning = now.isMuted || now.volume === 0 ? 'speaker-silent' : undefined;
        yield { seconds, isPaused: now.state === 'paused', warning };
        continue;
      }
      const isLate = performance.now() - seen.at >= player.startMs;
      if (!seen.isStarted && now.error === '' && !isLate) {
        yield { seconds: 0, isPaused: false };
        continue;
      }
      // At the end of a song, some players name it as the present one for a moment, as they do after a stop by a user.
      stops += 1;
      if (now.song !== own || now.error !== '' || stops >= SURE_STOPS) return endOf(now, own, seen, sound);
    }
  }

  async restore(before: Before): Promise<void> {
    const { player } = this;
    const { song, state, volume, modes } = await player.playback();
    const own = await player.find(String(before['url']));
    // A stop or a pause by a user keeps the announcement as the present song: the player stays silent, as the user wants.
    const isOver = song === '' || (song === own && state === 'playing');
    if (own !== '') await player.remove(own);
    for (const mode of MODES)
      if (modes[mode] === OWN_MODES[mode] && before[mode] !== modes[mode])
        await player.setMode(mode, String(before[mode]));
    if (volume !== undefined && volume === before['own']) await player.setVolume(Number(before['volume']));
    const isSilent = before['song'] === '' || before['state'] === 'stopped' || before['replaces'] === true;
    if (isOver && !isSilent) await this.resume(before);
  }

  close(): void {
    this.player.close();
  }

  /** Plays the song of before from its position on. The player refuses it if a user removed it from the queue. */
  private async resume({ song, elapsed, state }: Before): Promise<void> {
    await this.player.playFrom(String(song), Number(elapsed)).catch(unless('speaker-refused'));
    if (state === 'paused') await this.player.pause();
  }
}

/** The last report on an announcement. */
interface Seen {
  isStarted: boolean;
  seconds: number;
  /** The time of the report, or of the command to play (`performance.now()` milliseconds). */
  at: number;
}

/** Returns the position of a song that went on after the last report. */
const furthestOf = ({ seconds, at }: Seen): number => seconds + (performance.now() - at) / 1000;

/** Returns the grade of an end by itself. @throws SpeakerFault if the player could not play the song, or a user ended it */
function endOf({ error, song }: Playback, own: string, seen: Seen, { duration, isFetched }: Sound): Grade {
  const { seconds } = seen;
  const isLong = furthestOf(seen) >= duration - EARLY;
  if (seconds === 0 && !isFetched()) throw new SpeakerFault('speaker-not-fetched');
  if (seconds === 0 && (error !== '' || !isLong))
    throw new SpeakerFault('speaker-refused', { problem: error || 'it does not start' });
  // At the end of the queue no song is the present one; a stop by a user keeps it.
  if (song === own) throw new SpeakerFault('speaker-stopped', { seconds });
  if (song !== '' && !isLong) throw new SpeakerFault('speaker-skipped', { seconds });
  return seconds === 0 ? 'accepted' : 'position';
}
