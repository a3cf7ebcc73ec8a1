import { setTimeout as sleep } from 'node:timers/promises';
import { SpeakerFault } from '../fault.js';
import {
  type Before,
  type Device,
  type Grade,
  type Position,
  type Settings,
  type Sound,
  volumeFor,
  type Warning,
} from '../kind.js';
import { type CastChannel, RECEIVER } from './channel.js';
import type { CastState, Media, Receiver } from './status.js';

/** The id of Google's program for URLs, the "Default Media Receiver". */
const PLAYER = 'CC1AD845';
/** Milliseconds between two questions for the position, and between two looks at a program that starts. */
const [POLL_MS, LOOK_MS] = [150, 30];
/** Milliseconds in which a device starts the program. */
const LAUNCH_MS = 6000;
/** Percent by which a device rounds a volume. */
const ROUNDING = 1.5;
/** Seconds of a sound that can end before the first report of its time. */
const BRIEF = 1;
const UNPLAYABLE = { problem: 'it cannot load or decode the audio' } as const;

/** Audio for the program: its URL, its MIME type, and the place to begin in seconds. */
interface Content {
  url: string;
  type: string;
  isLive: boolean;
  position: number;
  isPaused: boolean;
}

/** A Cast device, or a group of them. */
export class CastDevice implements Device {
  /** Whether another sender ended the announcement: then the device must stay silent. */
  private isEnded = false;
  /** The volume of the announcement in percent; undefined leaves the volume unchanged. */
  private own: number | undefined;
  /** The address of the program on the connection. */
  private program = '';

  constructor(
    private readonly channel: CastChannel,
    private readonly state: CastState,
  ) {}

  async before({ url }: Sound, settings: Settings): Promise<Before> {
    const { app, volume } = await this.receiver();
    this.own = volumeFor(settings, volume);
    const volumes = this.own === undefined ? {} : { own: this.own, volume };
    const media = app === PLAYER ? await this.media() : undefined;
    if (media === undefined || media.state === 'IDLE') return { url, app, ...volumes };
    const { url: content, type, isLive, position, state } = media;
    return { url, app, ...volumes, content, type, isLive, position, isPaused: state === 'PAUSED' };
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    const { app } = await this.receiver();
    // Each other program ends when the program for URLs starts, and no sender can continue its music.
    const isLost = app !== '' && app !== PLAYER;
    await this.launch(signal);
    const session = await this.loadPaused(sound.url, signal);
    await settings.together();
    if (this.own !== undefined) await this.setVolume(this.own);
    this.toProgram({ type: 'PLAY', mediaSessionId: session });
    let last: Position = { seconds: 0, isPaused: false, warning: isLost ? 'speaker-music-lost' : undefined };
    for (;;) {
      yield last;
      this.ask(last);
      await sleep(POLL_MS, undefined, { signal });
      // A program that closes its connection says nothing about the next one.
      if (this.state.isClosed) await this.receiver();
      const grade = this.gradeOf(session, sound, last);
      if (grade !== undefined) return grade;
      const { position = 0, state } = this.state.media ?? {};
      last = { seconds: position, isPaused: state === 'PAUSED', warning: this.warning() };
    }
  }

  async restore(before: Before): Promise<void> {
    const { app, volume, session } = await this.receiver();
    if (before['own'] !== undefined && Math.abs(volume - Number(before['own'])) < ROUNDING)
      await this.setVolume(Number(before['volume']));
    if (app !== PLAYER) return;
    const media = await this.media();
    const isRunning = media !== undefined && media.state !== 'IDLE';
    if (isRunning && media.url !== before['url']) return;
    if (before['content'] !== undefined && before['replaces'] !== true)
      this.load(this.contentOf(before, media));
    else if (before['app'] !== PLAYER)
      this.channel.send('receiver', RECEIVER, { type: 'STOP', sessionId: session });
    else if (isRunning) this.toProgram({ type: 'STOP', mediaSessionId: media.session });
    // A reply shows that the device has got the command.
    await this.receiver();
  }

  close(): void {
    this.channel.close();
  }

  /** Returns the former audio of the program: paused if another sender ended or paused the announcement. */
  private contentOf(before: Before, media: Media | undefined): Content {
    const isPaused = before['isPaused'] === true || this.isEnded || media?.state === 'PAUSED';
    const [url, type] = [String(before['content']), String(before['type'])];
    return { url, type, isLive: before['isLive'] === true, position: Number(before['position']), isPaused };
  }

  /** Starts the program for URLs. New devices answer with LAUNCH_STATUS, which has another id: only their state counts. */
  private async launch(signal: AbortSignal): Promise<void> {
    if (this.state.receiver?.app !== PLAYER) {
      const id = this.channel.send('receiver', RECEIVER, { type: 'LAUNCH', appId: PLAYER });
      const late = performance.now() + LAUNCH_MS;
      while (this.state.receiver?.app !== PLAYER) {
        this.throwRefusal(id);
        if (performance.now() > late)
          throw new SpeakerFault('speaker-unreachable', { problem: 'its player does not start' });
        await sleep(LOOK_MS, undefined, { signal });
      }
    }
    this.state.isClosed = false;
    this.join();
  }

  /** Loads a URL, so that it starts at once later. Returns its session. @throws SpeakerFault `speaker-refused` */
  private async loadPaused(url: string, signal: AbortSignal): Promise<number> {
    const former = this.state.media?.session;
    const id = this.load({ url, type: mimeOf(url), isLive: false, position: 0, isPaused: true });
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal });
      this.throwRefusal(id);
      const { media } = this.state;
      if (media === undefined || media.session === former || media.url !== url) continue;
      if (media.state === 'IDLE' && media.reason === 'ERROR')
        throw new SpeakerFault('speaker-refused', UNPLAYABLE);
      if (media.state !== 'PAUSED' && media.state !== 'PLAYING') continue;
      if (former !== undefined) this.state.former = { program: this.program, session: former };
      return media.session;
    }
  }

  private load({ url, type, isLive, position, isPaused }: Content): number {
    const media = { contentId: url, contentType: type, streamType: isLive ? 'LIVE' : 'BUFFERED' };
    return this.toProgram({ type: 'LOAD', media, autoplay: !isPaused, currentTime: position });
  }

  /** Asks for the position. @throws SpeakerFault `speaker-lost` if the connection has ended */
  private ask({ seconds }: Position): void {
    try {
      this.toProgram({ type: 'GET_STATUS' });
    } catch (error) {
      const problem = error instanceof SpeakerFault ? error.values.problem : undefined;
      throw new SpeakerFault(
        'speaker-lost',
        { seconds, ...(problem !== undefined && { problem }) },
        { cause: error },
      );
    }
  }

  /** Returns the grade of an end by itself; undefined while the sound may play. @throws SpeakerFault for any other end */
  private gradeOf(session: number, { duration }: Sound, { seconds }: Position): Grade | undefined {
    const { media, receiver, isClosed } = this.state;
    const isRunning = receiver?.transport === this.program && !isClosed;
    const isOurs = isRunning && media?.session === session;
    if (isOurs && media.state !== 'IDLE') return undefined;
    // A program that says only FINISHED may have played nothing.
    if (isOurs && media.reason === 'FINISHED') return seconds > 0 || duration > BRIEF ? 'state' : 'accepted';
    if (isOurs && media.reason === 'ERROR') throw new SpeakerFault('speaker-refused', UNPLAYABLE);
    this.isEnded = true;
    const isOther = isRunning
      ? media?.reason === 'INTERRUPTED' || (media !== undefined && media.session !== session)
      : receiver?.app !== '' && receiver?.transport !== this.program;
    throw new SpeakerFault(isOther ? 'speaker-skipped' : 'speaker-stopped', { seconds });
  }

  private warning(): Warning | undefined {
    const { receiver } = this.state;
    return receiver?.isMuted === true || receiver?.volume === 0 ? 'speaker-silent' : undefined;
  }

  /** @throws SpeakerFault if the device refused a command, or is gone */
  private throwRefusal(id: number): void {
    this.channel.check();
    const { refusal } = this.state;
    if (refusal?.id === id) throw new SpeakerFault('speaker-refused', { problem: refusal.reason });
  }

  private async setVolume(percent: number): Promise<void> {
    if (this.state.receiver?.isFixed === true) return;
    await this.channel.ask('receiver', RECEIVER, { type: 'SET_VOLUME', volume: { level: percent / 100 } });
  }

  private join(): void {
    this.program = this.state.receiver?.transport ?? '';
    this.channel.join(this.program);
  }

  private toProgram = (command: object): number => this.channel.send('media', this.program, command);

  /** Asks for the program and the volume. */
  private async receiver(): Promise<Receiver> {
    await this.channel.ask('receiver', RECEIVER, { type: 'GET_STATUS' });
    const { receiver } = this.state;
    if (receiver === undefined) throw new SpeakerFault('speaker-unreachable', { problem: 'no Cast device' });
    return receiver;
  }

  /** Asks the program for its audio. */
  private async media(): Promise<Media | undefined> {
    this.join();
    await this.channel.ask('media', this.program, { type: 'GET_STATUS' });
    return this.state.media;
  }
}

/** Returns the type of the audio. A device that gets a wrong one refuses it. */
const mimeOf = (url: string): string => (url.endsWith('.mp3') ? 'audio/mpeg' : 'audio/wav');
