import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpeakerFault } from '../fault.js';
import type { Device, Grade, Position, Settings, Sound } from '../kind.js';
import { commandFor, playerNames } from './players.js';
import { atVolume } from './volume.js';

/** Milliseconds between two reports. */
const REPORT_MS = 250;
/** UTF-16 code units of the text that a program prints to its standard error. */
const MAX_PROBLEM = 200;

/** A sound card of this computer. It mixes sounds, so nothing must be restored. */
export class SoundCard implements Device {
  /** Ends the program that plays. */
  private readonly end = new AbortController();

  /** @param sink the name of the sound card; '' for the usual one */
  constructor(private readonly sink: string) {}

  async before() {
    return {};
  }

  async *play(
    sound: Sound,
    settings: Settings,
    signal: AbortSignal,
  ): AsyncGenerator<Position, Grade, undefined> {
    const pcm = await sound.pcm();
    const command = commandFor(pcm, this.sink);
    if (command === undefined)
      throw new SpeakerFault('speaker-unreachable', { problem: `none of ${playerNames} is installed` });
    await settings.together();
    const started = performance.now();
    const ended = this.run(command, atVolume(pcm.data, settings.volume), signal);
    const isOver = ended.then(() => true);
    // The program tells no position: the time on the clock shows only that it still runs.
    while (!(await Promise.race([isOver, sleep(REPORT_MS, false, { signal })])))
      yield { seconds: Math.min((performance.now() - started) / 1000, sound.duration), isPaused: false };
    return 'drained';
  }

  async restore(): Promise<void> {}

  close(): void {
    this.end.abort();
  }

  /** Runs a program with samples. @throws SpeakerFault with what it prints if it fails */
  private async run(
    { program, args }: { program: string; args: readonly string[] },
    data: Uint8Array,
    signal: AbortSignal,
  ): Promise<void> {
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
      throw new SpeakerFault('speaker-refused', {
        problem: problem.trim() || `${program} ended with ${code}`,
      });
  }
}
