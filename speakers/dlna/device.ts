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
/** Milliseconds until a renderer that refused to play is asked again. */
const AGAIN_MS = 300;
/** Milliseconds from a stop to the URI of another program. */
const OTHER_MS = 500;
/** Questions for the position from one question for the volume to the next. */
const SILENT_POLLS = 4;
const ENDED: ReadonlySet<string> = new Set(['STOPPED', 'NO_MEDIA_PRESENT']);
const MASTER = { Channel: 'Master' } as const;

export class DlnaDevice implements Device {
  private signal: AbortSignal;
  private readonly transport: Transport;
  private readonly rendering: Act | undefined;
  /** The volume of the announcement in percent; undefined leaves the renderer as it is set. */
  private own: number | undefined;

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
    return { url, ...(own !== undefined && { own }), state, ...media, position, volume };
  }

  async *play(
    { url, duration }: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    this.signal = signal;
    await this.transport.set(url, metadataOf(url));
    await settings.together();
    if (this.own !== undefined) await this.setVolume(this.own);
    await this.start(signal);
    let warning: Warning | undefined;
    for (let [last, polls] = [{ seconds: 0, isPaused: false }, 0]; ; polls += 1) {
      await sleep(POLL_MS, undefined, { signal });
      if (polls % SILENT_POLLS === 0 && (await this.isSilent().catch(() => false)))
        warning = 'speaker-silent';
      // Some renderers close a connection now and then. The watch ends an announcement that makes no progress.
      const now = await this.look().catch(unlessRefused);
      if (now === undefined) continue;
      // Some renderers keep the URI in their answers while they play another one: only the time shows it.
      if ((now.uri !== '' && now.uri !== url) || now.seconds > duration + 1)
        throw new SpeakerFault('speaker-skipped', { seconds: last.seconds });
      if (ENDED.has(now.state)) {
        // A renderer stops by itself near the end. Whole seconds are one late at most.
        if (last.seconds < duration - 1.7) throw await this.faultOfStop(url, last);
        yield { seconds: duration, isPaused: false, warning };
        return 'state';
      }
      last = { seconds: now.seconds, isPaused: now.state === 'PAUSED_PLAYBACK' };
      yield { ...last, warning };
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

  /** Some renderers refuse to play while they still end the sound before. */
  private async start(signal: AbortSignal): Promise<void> {
    await this.transport.play().catch(async (error: unknown) => {
      unlessLost(error);
      await sleep(AGAIN_MS, undefined, { signal });
      await this.transport.play();
    });
  }

  /** A renderer that gets another URI stops first. */
  private async faultOfStop(url: string, { seconds }: Position): Promise<SpeakerFault> {
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

  private look = async () => ({
    state: await this.transport.state(),
    uri: (await this.transport.media()).uri,
    seconds: await this.transport.seconds(),
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
