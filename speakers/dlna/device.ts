/** A DLNA renderer (UPnP AVTransport 1.0 and RenderingControl 1.0). */
import { setTimeout as sleep } from 'node:timers/promises';
import { SpeakerFault, unless } from '../fault.js';
import {
  type Before,
  type Device,
  type Grade,
  type Position,
  type Settings,
  type Sound,
  type Warning,
  volumeFor,
} from '../kind.js';
import { type Act, actionsOf } from '../upnp/control.js';
import type { Renderer } from '../upnp/description.js';
import { metadataOf, Transport } from '../upnp/transport.js';

/** Milliseconds between two questions for the position. */
const POLL_MS = 200;
/** Milliseconds in which music must start again before its position can be set. */
const SEEK_MS = 1500;
/** How often a renderer is asked to play, and the milliseconds after which one that refused is asked again. */
const [TRIES, AGAIN_MS] = [4, 300];
/** Milliseconds after the command to play, for which a renderer may report the music before, or that it is stopped. */
const START_MS = 2000;
/** Milliseconds from a stop to the URI of another program. */
const OTHER_MS = 500;
/** Questions for the position from one question for the volume to the next. */
const SILENT_POLLS = 4;
const ENDED: ReadonlySet<string> = new Set(['STOPPED', 'NO_MEDIA_PRESENT']);
const MASTER = { Channel: 'Master' } as const;

/** The report of a renderer. */
interface Look {
  state: string;
  uri: string;
  seconds: number;
}

/** The reports on a sound so far. */
interface Seen {
  /** The time of the command to play, in milliseconds of `performance.now()`. */
  asked: number;
  /** Whether the renderer said that it plays. */
  isStarted: boolean;
  seconds: number;
  /** The time of the question for the latest report of the sound, or before it of any audio, in milliseconds of `performance.now()`. */
  at: number;
}

export class DlnaDevice implements Device {
  private signal: AbortSignal;
  private readonly transport: Transport;
  private readonly rendering: Act | undefined;
  /** The volume of the announcement in percent; undefined leaves the renderer as it is set. */
  private own: number | undefined;
  /** The URI before the announcement. */
  private former = '';

  constructor(renderer: Renderer, signal: AbortSignal) {
    this.signal = signal;
    this.transport = new Transport(actionsOf(renderer.transport, () => this.signal));
    this.rendering = renderer.rendering && actionsOf(renderer.rendering, () => this.signal);
  }

  async before({ url }: Sound, settings: Settings, signal: AbortSignal): Promise<Before> {
    this.signal = signal;
    const [state, media, { time: position }, volume] = [
      await this.transport.state(),
      await this.transport.media(),
      await this.transport.position(),
      await this.volume(),
    ];
    const own = volumeFor(settings, volume === '' ? undefined : Number(volume));
    this.own = own;
    this.former = media.uri;
    return { url, ...(own !== undefined && { own }), state, ...media, position, volume };
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    const seen = await this.begin(sound.url, settings, signal);
    let warning: Warning | undefined;
    for (let polls = 0; ; polls += 1) {
      await sleep(POLL_MS, undefined, { signal });
      if (polls % SILENT_POLLS === 0 && (await this.isSilent().catch(() => false)))
        warning = 'speaker-silent';
      // The report can be from this time on: a busy computer reads it late.
      const at = performance.now();
      // Some renderers close a connection now and then. The watch ends an announcement that makes no progress.
      const now = await this.look().catch(unlessRefused);
      if (now === undefined) continue;
      const isPaused = now.state === 'PAUSED_PLAYBACK';
      if (this.isLate(now, sound, seen)) {
        if (!seen.isStarted) seen.at = at;
        yield { seconds: 0, isPaused: false, warning };
        continue;
      }
      // Some renderers keep the URI in their answers while they play another one: only the time shows it.
      if ((now.uri !== '' && now.uri !== sound.url) || now.seconds > sound.duration + 1)
        throw new SpeakerFault('speaker-skipped', { seconds: seen.seconds });
      if (ENDED.has(now.state)) {
        const grade = await this.gradeOf(sound, seen, performance.now() - seen.at);
        if (grade === 'state') yield { seconds: sound.duration, isPaused: false, warning };
        return grade;
      }
      seen.isStarted ||= now.state === 'PLAYING';
      Object.assign(seen, { seconds: now.seconds, at });
      yield { seconds: now.seconds, isPaused, warning };
    }
  }

  async restore(before: Before, signal: AbortSignal): Promise<void> {
    this.signal = signal;
    const { uri } = await this.transport.media();
    const [state, isOurs] = [await this.transport.state(), uri === '' || uri === before['url']];
    if (before['own'] !== undefined && (await this.volume()) === String(before['own']))
      await this.setVolume(Number(before['volume']));
    if (!isOurs) return;
    if (uri !== '' && state !== 'STOPPED') await this.transport.stop();
    if (before['uri'] === '' || before['replaces'] === true) return;
    await this.transport.set(String(before['uri']), String(before['metadata']));
    if (before['state'] === 'PLAYING' || before['state'] === 'PAUSED_PLAYBACK') await this.resume(before);
  }

  close(): void {
    // Each action has its own connection.
  }

  private async begin(url: string, settings: Settings, signal: AbortSignal): Promise<Seen> {
    this.signal = signal;
    await this.transport.set(url, metadataOf(url));
    await settings.together();
    if (this.own !== undefined) await this.setVolume(this.own);
    await this.start(url, signal);
    return { asked: performance.now(), isStarted: false, seconds: 0, at: performance.now() };
  }

  /** Some renderers refuse to play while they still end the sound before. */
  private async start(url: string, signal: AbortSignal): Promise<void> {
    for (let tries = 1; tries < TRIES; tries += 1) {
      const isPlaying = await this.transport.play().then(() => true, unlessLost);
      if (isPlaying === true) return;
      await sleep(AGAIN_MS, undefined, { signal });
      // The failure of a pipeline can last until its next stop.
      await this.transport.stop().catch(unlessLost);
      await this.transport.set(url, metadataOf(url));
    }
    await this.transport.play();
  }

  /** Whether a report may be older than the start of the sound: it has the music before, its time, or a stop. */
  private isLate({ uri, state, seconds }: Look, { duration }: Sound, seen: Seen): boolean {
    const since = performance.now() - seen.asked;
    if (since >= START_MS || seen.seconds > 0) return false;
    const isFormer = uri !== '' && uri === this.former;
    const isEnd = seen.isStarted && since >= duration * 1000;
    return isFormer || seconds > duration + 1 || (ENDED.has(state) && !isEnd);
  }

  /**
   * Returns the grade of an end by itself.
   * @param unseen milliseconds from the question for the latest report of the sound to the report of its end
   * @throws SpeakerFault for any other end
   */
  private async gradeOf(
    { url, duration, isFetched }: Sound,
    { isStarted, seconds }: Seen,
    unseen: number,
  ): Promise<Grade> {
    // A renderer stops by itself near the end. Whole seconds are one late at most.
    const isEnd = seconds >= duration - 1.7;
    if (isStarted || seconds > 0) {
      if (isEnd) return 'state';
      // A busy computer or network: the sound may have ended by itself meanwhile. The time is in whole seconds.
      if (seconds + 1 + unseen / 1000 >= duration) return 'accepted';
      throw await this.faultOfStop(url, seconds);
    }
    if (!isFetched()) throw new SpeakerFault('speaker-not-fetched');
    // A short sound can end between two questions, and any sound while this computer stands still.
    if (isEnd || unseen / 1000 >= duration) return 'accepted';
    throw new SpeakerFault('speaker-refused', { problem: 'it cannot load or decode the audio' });
  }

  /** A renderer that gets another URI stops first. */
  private async faultOfStop(url: string, seconds: number): Promise<SpeakerFault> {
    await sleep(OTHER_MS, undefined, { signal: this.signal });
    const { uri } = await this.transport.media();
    return new SpeakerFault(uri === '' || uri === url ? 'speaker-stopped' : 'speaker-skipped', { seconds });
  }

  /** Plays the former URI from its position on. A renderer refuses to seek before the time of the new URI grows. */
  private async resume(before: Before): Promise<void> {
    await this.transport.play();
    const late = performance.now() + SEEK_MS;
    while ((await this.transport.seconds()) === 0 && performance.now() < late)
      await sleep(POLL_MS, undefined, { signal: this.signal });
    await this.transport.seek('REL_TIME', String(before['position'])).catch(unlessLost);
    if (before['state'] === 'PAUSED_PLAYBACK') await this.transport.pause().catch(unlessLost);
  }

  /** Asks for the state last: a renderer that ends between two questions has the time 0, and must not seem to play then. */
  private look = async (): Promise<Look> => ({
    uri: (await this.transport.media()).uri,
    seconds: await this.transport.seconds(),
    state: await this.transport.state(),
  });

  private async volume(): Promise<string> {
    return this.rendering === undefined ? '' : (await this.rendering('GetVolume', MASTER))('CurrentVolume');
  }

  private async isSilent(): Promise<boolean> {
    if (this.rendering === undefined) return false;
    if ((await this.volume()) === '0') return true;
    return (await this.rendering('GetMute', MASTER))('CurrentMute') === '1';
  }

  private async setVolume(volume: number): Promise<void> {
    await this.rendering?.('SetVolume', { ...MASTER, DesiredVolume: String(volume) });
  }
}

/** Some renderers cannot seek or pause. */
const unlessLost = unless('speaker-refused');
const unlessRefused = unless('speaker-unreachable');
