import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
} from '../kind.js';
import { type Command, commandFor, type Player } from './players.js';
import { type Card, cardOf, lowered, setVolume } from './streams.js';

/** Milliseconds between two reports. */
const REPORT_MS = 250;
/** UTF-16 code units of the text that a program prints to its standard error. */
const MAX_PROBLEM = 200;

/** A sound card of this computer. It mixes sounds: other programs play on with a lower volume. */
export class SoundCard implements Device {
  /** Ends the program that plays. */
  private readonly end = new AbortController();
  private card: Card | undefined;

  /** @param sink the name of the sound card; '' for the default card */
  constructor(
    private readonly player: Player,
    private readonly sink: string,
  ) {}

  async before(_sound: Sound, _settings: Settings, signal: AbortSignal): Promise<Before> {
    this.card = await cardOf(this.sink, signal);
    const { streams = [] } = this.card ?? {};
    return Object.fromEntries(streams.map(({ index, volume }) => [`stream ${index}`, volume]));
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    const pcm = await sound.pcm();
    const command = commandFor(this.player, pcm, this.sink);
    await settings.together();
    const { streams = [], isSilent = false } = this.card ?? {};
    const warning = isSilent ? ('speaker-silent' as const) : undefined;
    await Promise.all(
      streams.map(({ index, volume }) => setVolume({ index, volume: lowered(volume) }, signal)),
    );
    const started = performance.now();
    const ended = this.run(command, atVolume(pcm.data, volumeFor(settings, 100)), signal);
    const isOver = ended.then(() => true);
    // The program reports no position: the elapsed time shows only that it still runs.
    while (!(await Promise.race([isOver, sleep(REPORT_MS, false, { signal })])))
      yield {
        seconds: Math.min((performance.now() - started) / 1000, sound.duration),
        isPaused: false,
        warning,
      };
    return 'drained';
  }

  async restore(before: Before, signal: AbortSignal): Promise<void> {
    const card = Object.keys(before).length === 0 ? undefined : await cardOf(this.sink, signal);
    for (const { index, volume } of card?.streams ?? []) {
      const former = before[`stream ${index}`];
      if (typeof former === 'string' && volume === lowered(former))
        await setVolume({ index, volume: former }, signal);
    }
  }

  close(): void {
    this.end.abort();
  }

  /** Runs a program with samples. @throws SpeakerFault with its error output if it fails */
  private async run({ program, args }: Command, data: Uint8Array, signal: AbortSignal): Promise<void> {
    const child = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      signal: AbortSignal.any([signal, this.end.signal]),
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    let problem = '';
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (problem = (problem + text).slice(0, MAX_PROBLEM)));
    // A program that ends early closes its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(data);
    const [code] = await once(child, 'close');
    if (code !== 0)
      // Without a known card, the sound system or the card is missing.
      throw new SpeakerFault(this.card === undefined ? 'speaker-no-sound' : 'speaker-refused', {
        problem: problem.trim() || `${program} ended with ${code}`,
      });
  }
}

/**
 * Returns samples at a volume. The volume is cubic, as in PulseAudio and on most desktops: half of it sounds half as loud.
 * @param data signed samples of 16 bits in little-endian order
 * @param volume percent of the full volume; undefined leaves the samples unchanged
 */
function atVolume(data: Uint8Array, volume: number | undefined): Uint8Array {
  if (volume === undefined || volume >= 100) return data;
  const gain = (volume / 100) ** 3;
  const samples = Buffer.from(data);
  for (let at = 0; at + 1 < samples.length; at += 2)
    samples.writeInt16LE(Math.round(samples.readInt16LE(at) * gain), at);
  return samples;
}
