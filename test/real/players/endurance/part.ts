import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kind, Pcm, Place } from '../../../../speakers/kind.js';
import { never } from '../../../support/waiting.js';

/** A real speaker that can be killed, started again and cut off, and that has a record of its sound. */
export interface Part {
  readonly kind: Kind;
  readonly place: Place;
  /** The address of this computer, as the part sees it. */
  readonly host: string;
  /** The samples that it plays without a change. */
  readonly format: Omit<Pcm, 'data'>;
  /** Seconds from the sound to its start, such as the buffer of Snapcast. */
  readonly buffer: number;
  /** The kind of power cut. */
  readonly cutBy: string;
  /** Seconds of the start of a sound that the recorder may miss. */
  readonly missed: number;
  start(): Promise<void>;
  kill(): Promise<void>;
  cut(): void;
  mend(): void;
  /** Returns all samples that were played so far. */
  heard(): Promise<Buffer>;
}

/** Milliseconds for a part to start. */
const START_MS = 60_000;

/** Resolves when a part takes announcements. */
export async function ready({ kind, place }: Part): Promise<void> {
  const sound = { duration: 1, url: 'http://127.0.0.1/', pcm: never, isFetched: () => false };
  const settings = { together: async () => {} };
  const deadline = performance.now() + START_MS;
  for (;;) {
    const limit = AbortSignal.timeout(2000);
    try {
      const device = await kind.connect(place, limit);
      try {
        const asked = { ...sound, pcm: () => Promise.reject(new Error('not asked for')) };
        await Promise.race([device.before(asked, settings, limit), rejected(limit)]);
        return;
      } finally {
        device.close();
      }
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

const rejected = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

/** Kills a program. */
export async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
