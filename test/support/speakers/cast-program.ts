import { fieldOf, numberOf, textOf } from '../../../speakers/base/values.js';
import { secondsOf } from './fetched.js';

/** Milliseconds in which a program decodes a file. */
const LOAD_MS = 30;

type Payload = Record<string, unknown>;
type State = 'IDLE' | 'BUFFERING' | 'PLAYING' | 'PAUSED';

interface Loaded {
  session: number;
  url: string;
  type: string;
  duration: number;
  state: State;
  reason: string;
  /** Seconds at the time `since`. */
  position: number;
  since: number;
}

/** The "Default Media Receiver" of a Cast device: it plays URLs by the clock. */
export class CastProgram {
  /** A program that plays no URLs. */
  isForeign = false;
  /** Milliseconds after which senders hear that a former sound has ended. */
  lateMs = 0;
  private sessions = 0;
  private loaded: Loaded | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param tell function that sends to all senders */
  constructor(
    readonly transport: string,
    private readonly tell: (payload: Payload) => void,
  ) {}

  /** The URL of its audio, its state and its position in seconds. */
  get now(): { url: string; state: State; position: number } {
    const { url = '', state = 'IDLE' } = this.loaded ?? {};
    return { url, state, position: this.position };
  }

  take(payload: Payload, reply: (payload: Payload) => void): void {
    const type = textOf(payload['type']);
    if (this.isForeign) return reply({ type: 'INVALID_REQUEST', reason: 'INVALID_COMMAND' });
    if (type === 'GET_STATUS') return reply(this.status(this.loaded?.state !== 'IDLE'));
    if (type === 'LOAD') return void this.load(payload, reply);
    if (this.loaded === undefined || this.loaded.state === 'IDLE')
      return reply({ type: 'INVALID_PLAYER_STATE' });
    if (payload['mediaSessionId'] !== this.loaded.session)
      return reply({ type: 'INVALID_REQUEST', reason: 'INVALID_MEDIA_SESSION_ID' });
    if (type === 'PLAY') this.play();
    else if (type === 'PAUSE') this.pause();
    else if (type === 'STOP') this.finish('CANCELLED');
    else return reply({ type: 'INVALID_REQUEST', reason: 'INVALID_COMMAND' });
  }

  play(): void {
    this.set({ state: 'PLAYING' });
  }

  pause(): void {
    this.set({ state: 'PAUSED' });
  }

  /** Ends the audio before its end. */
  finish(reason: string): void {
    this.set({ state: 'IDLE', reason });
  }

  /** Loads a URL. @param payload the command LOAD */
  async load(payload: Payload, reply: (payload: Payload) => void = () => undefined): Promise<void> {
    const media = payload['media'];
    const [url, type] = [textOf(fieldOf(media, 'contentId')), textOf(fieldOf(media, 'contentType'))];
    if (url === '' || type === '' || !['BUFFERED', 'LIVE'].includes(textOf(fieldOf(media, 'streamType'))))
      return reply({ type: 'INVALID_REQUEST', reason: 'INVALID_PARAMS' });
    if (this.loaded !== undefined && this.loaded.state !== 'IDLE') this.replace();
    const session = (this.sessions += 1);
    const start = {
      session,
      url,
      type,
      duration: 0,
      state: 'BUFFERING',
      reason: '',
      position: 0,
      since: performance.now(),
    } as const;
    this.loaded = { ...start };
    this.tell(this.status());
    const duration = await secondsOf(url);
    if (this.loaded.session !== session) return reply({ type: 'LOAD_CANCELLED' });
    if (duration === undefined) {
      this.finish('ERROR');
      return reply({ type: 'LOAD_FAILED', detailedErrorCode: 104 });
    }
    this.timer = setTimeout(() => {
      this.loaded = { ...start, duration, position: numberOf(payload['currentTime']) };
      this.set({ state: payload['autoplay'] === false ? 'PAUSED' : 'PLAYING' });
      reply(this.status());
    }, LOAD_MS);
  }

  private replace(): void {
    const { tell, lateMs } = this;
    if (lateMs === 0) return this.finish('INTERRUPTED');
    const status = [{ mediaSessionId: this.loaded?.session, playerState: 'IDLE', idleReason: 'INTERRUPTED' }];
    clearTimeout(this.timer);
    setTimeout(() => tell({ type: 'MEDIA_STATUS', requestId: 0, status }), lateMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private get position(): number {
    const { state, position = 0, since = 0, duration = 0 } = this.loaded ?? {};
    return state === 'PLAYING' ? Math.min(position + (performance.now() - since) / 1000, duration) : position;
  }

  private set(change: { state: State; reason?: string }): void {
    if (this.loaded === undefined) return;
    clearTimeout(this.timer);
    this.loaded = { ...this.loaded, position: this.position, since: performance.now(), ...change };
    const { state, duration, position } = this.loaded;
    if (state === 'PLAYING')
      this.timer = setTimeout(() => this.finish('FINISHED'), (duration - position) * 1000);
    this.tell(this.status());
  }

  private status(hasMedia = true): Payload {
    const { loaded } = this;
    if (loaded === undefined || !hasMedia) return { type: 'MEDIA_STATUS', status: [], requestId: 0 };
    const { session, url, type, duration, state, reason } = loaded;
    // An idle status has no media.
    const media = { contentId: url, contentType: type, streamType: 'BUFFERED', duration };
    return {
      type: 'MEDIA_STATUS',
      requestId: 0,
      status: [
        {
          mediaSessionId: session,
          playerState: state,
          currentTime: state === 'IDLE' ? 0 : this.position,
          ...(state === 'IDLE' ? { idleReason: reason } : { media }),
        },
      ],
    };
  }
}
