import { setTimeout as sleep } from 'node:timers/promises';
import { limitedTo } from '@herald-speech/client/abort';
import { SpeakerFault, unless } from '../fault.js';
import type { Before, Device, Grade, Position, Settings, Sound, Warning } from '../kind.js';
import { metadataOf, type Transport } from '../upnp/transport.js';
import type { Volumes } from './volumes.js';

/** Milliseconds between two questions for the position. */
const POLL_MS = 200;
/** Questions for the position from one question for the volume to the next. */
const POLLS = 5;
/** Seconds in which a player begins to load a sound. */
const START_S = 1.5;
/** Milliseconds of one question, and without any answer until a player is lost. */
const [LOOK_MS, LOST_MS] = [1000, 2000];
/** Seconds by which a player rounds its time down, and by which a sound may end early. */
const [ROUNDING, EARLY] = [1, 0.7];
/** Seconds of a sound that can end between two questions. */
const BRIEF = 1.5;
const ENDED: ReadonlySet<string> = new Set(['STOPPED', 'NO_MEDIA_PRESENT']);
const QUEUE = 'x-rincon-queue:';
/** What only the program continues that started it: Spotify, AirPlay, and queues in the cloud. */
const FOREIGN = /^x-sonos-vli:|^x-rincon-queue:[^#]*#(?!0$)/;

/** The parts of a group for its announcements. */
export interface Parts {
  /** The id of the player that takes the commands for the group. */
  coordinator: string;
  transport: Transport;
  volumes: Volumes;
  /** Sets the signal of the commands. */
  use(signal: AbortSignal): void;
}

/** The reports on a sound so far. */
interface Seen {
  /** The URI before the sound. A player may report it for a moment after the start. */
  former: string;
  /** Whether the player said that it plays the sound. */
  isStarted: boolean;
  last: Position;
  /** The times of the command to play and of the question for the last report, in milliseconds of `performance.now()`. */
  asked: number;
  at: number;
  /** Questions without an answer since then. */
  missed: number;
}

/** An answer of the player. */
interface Look {
  state: string;
  uri: string;
  seconds: number;
  warning: Warning | undefined;
}

/** A player of Sonos with its group. */
export class SonosDevice implements Device {
  private readonly transport: Transport;
  private readonly volumes: Volumes;
  /** Whether a user ended the announcement: then the group must stay silent. */
  private isEnded = false;

  constructor(private readonly parts: Parts) {
    this.transport = parts.transport;
    this.volumes = parts.volumes;
  }

  async before({ url }: Sound, settings: Settings, signal: AbortSignal): Promise<Before> {
    this.parts.use(signal);
    const { coordinator } = this.parts;
    const [state, { uri, metadata }, { time, track }, mode] = [
      await this.transport.state(),
      await this.transport.media(),
      await this.transport.position(),
      await this.transport.mode(),
    ];
    const volumes = await this.volumes.plan(settings);
    return { url, coordinator, state, uri, metadata, time, track, mode, ...volumes };
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    this.parts.use(signal);
    const { uri } = await this.transport.media();
    // Another speaker of this announcement can be a room of the same group.
    const isJoined = uri === sound.url;
    if (!isJoined) await this.transport.set(sound.url, metadataOf(sound.url));
    await settings.together();
    await this.volumes.set();
    // The other room can have started already.
    const played = isJoined ? (await this.transport.seconds()) + ROUNDING : 0;
    await this.transport.play();
    const asked = performance.now() - played * 1000;
    const isLost = FOREIGN.test(uri);
    const seen: Seen = {
      former: isJoined ? '' : uri,
      isStarted: false,
      last: { seconds: 0, isPaused: false, warning: isLost ? 'speaker-music-lost' : undefined },
      asked,
      at: performance.now(),
      missed: 0,
    };
    for (let polls = 0; ; polls += 1) {
      yield seen.last;
      await sleep(POLL_MS, undefined, { signal });
      const at = performance.now();
      const now = await this.look(polls % POLLS === 0, signal, seen);
      if (now === undefined) continue;
      const grade = this.gradeOf(now, sound, seen);
      // The grade allows for whole seconds and missed answers, which the watch does not know.
      if (grade === 'state') yield { seconds: sound.duration, isPaused: false };
      if (grade !== undefined) return grade;
      note(now, at, seen);
    }
  }

  async restore(before: Before, signal: AbortSignal): Promise<void> {
    this.parts.use(signal);
    await this.volumes.restore(before);
    // A user who changed the groups has chosen their music.
    if (before['coordinator'] !== this.parts.coordinator) return;
    const { uri } = await this.transport.media();
    const isOurs = uri === '' || uri === before['url'];
    if (!isOurs) return;
    const state = await this.transport.state();
    const isSilent = this.isEnded || state === 'PAUSED_PLAYBACK';
    if (!ENDED.has(state)) await this.transport.stop();
    const hasMusic = before['uri'] !== '' && before['uri'] !== before['url'];
    if (hasMusic && before['replaces'] !== true)
      await this.resume(before, isSilent).catch(unless('speaker-refused'));
  }

  close(): void {
    // Each command has its own connection.
  }

  /** Plays the music of before from its position on, if it played. Radio has no position, and an empty queue has no song. */
  private async resume(before: Before, isSilent: boolean): Promise<void> {
    const ignored = unless('speaker-refused');
    const [uri, time, mode] = [String(before['uri']), String(before['time']), String(before['mode'])];
    await this.transport.set(uri, String(before['metadata']));
    if (uri.startsWith(QUEUE)) {
      await this.transport.seek('TRACK_NR', String(before['track'])).catch(ignored);
      // The mode belongs to the queue. A player that left the queue can forget it.
      if ((await this.transport.mode()) !== mode) await this.transport.setMode(mode).catch(ignored);
    }
    if (/[1-9]/.test(time)) await this.transport.seek('REL_TIME', time).catch(ignored);
    const wasPlaying = before['state'] === 'PLAYING' || before['state'] === 'TRANSITIONING';
    if (wasPlaying && !isSilent) await this.transport.play();
  }

  /** Returns the grade of an end by itself; undefined while the sound may play. @throws SpeakerFault for any other end */
  private gradeOf(
    { state, uri }: { state: string; uri: string },
    { url, duration, isFetched }: Sound,
    { former, isStarted, last: { seconds, isPaused }, asked, at }: Seen,
  ): Grade | undefined {
    const since = (time: number) => (performance.now() - time) / 1000;
    const isOurs = uri === '' || uri === url;
    if (isOurs && !ENDED.has(state)) return undefined;
    if (!isOurs && !isStarted && uri === former && since(asked) < START_S) return undefined;
    if (isOurs && !isStarted) {
      if (since(asked) < START_S) return undefined;
      if (!isFetched()) throw new SpeakerFault('speaker-not-fetched');
      if (duration < BRIEF) return 'accepted';
      throw new SpeakerFault('speaker-refused', { problem: 'it cannot load or decode the audio' });
    }
    // The clock and the last report, which can be late on a busy computer, allow an end by itself. A paused player does not go on.
    const furthest = Math.min(since(asked), seconds + (isPaused ? 0 : ROUNDING + since(at)));
    // A short sound can end before its time, in whole seconds, grows.
    if (furthest >= duration - EARLY) return seconds > 0 ? 'state' : 'accepted';
    this.isEnded = true;
    throw new SpeakerFault(isOurs ? 'speaker-stopped' : 'speaker-skipped', { seconds: furthest });
  }

  /**
   * Asks for the state; undefined without an answer. A computer that stood still may miss an answer, but not two.
   * @throws SpeakerFault `speaker-lost` after some time without an answer
   */
  private async look(withVolume: boolean, signal: AbortSignal, seen: Seen): Promise<Look | undefined> {
    this.parts.use(limitedTo(LOOK_MS, signal));
    try {
      const [state, { uri }, time, isSilent] = await Promise.all([
        this.transport.state(),
        this.transport.media(),
        this.transport.seconds(),
        withVolume && this.volumes.isSilent(),
      ]);
      return { state, uri, seconds: time, warning: isSilent ? 'speaker-silent' : undefined };
    } catch (error) {
      unless('speaker-unreachable')(error);
      seen.missed += 1;
      const { at, missed, last } = seen;
      if (missed > 1 && performance.now() - at > LOST_MS)
        throw new SpeakerFault(
          'speaker-lost',
          { seconds: last.seconds, problem: 'no reply' },
          { cause: error },
        );
      return undefined;
    }
  }
}

/** Notes an answer to a question that was asked at the time `at`. */
function note({ state, uri, seconds, warning }: Look, at: number, seen: Seen): void {
  const isOurs = uri !== seen.former || uri === '';
  seen.isStarted ||= isOurs && state === 'PLAYING';
  seen.missed = 0;
  // A player that ends between the answers says that it plays, at the time 0.
  if (isOurs && seconds === 0 && seen.last.seconds > 0) return;
  seen.at = at;
  // The time of the music before is none of the sound.
  seen.last = isOurs
    ? { seconds, isPaused: state === 'PAUSED_PLAYBACK', warning }
    : { ...seen.last, warning };
}
