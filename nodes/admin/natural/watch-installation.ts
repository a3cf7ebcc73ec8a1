import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@herald-speech/client';
import { readInstallation } from './operations.js';

/** Milliseconds between two looks. Shorter than the time for which a connection stays open after the flows stop. */
const PAUSE_MS = 500;
/** Milliseconds that one look may take. */
const TIMEOUT_MS = 10_000;
/** Milliseconds after which the watch ends in any case: 120 MB over a slow line. */
const MAX_MS = 3 * 3_600_000;

/** The watched voices. */
const watched = new Set<string>();

/**
 * Uses the local service until an installation has ended. Without a deployed account, the service would stop soon after the
 * dialog closes, and the installation with it. Resolves without an error if the installation was cancelled, or the service
 * does not answer.
 * @param connect opens the connection of the editor again, which keeps the service running
 * @param pause milliseconds between two looks
 */
export async function watchInstallation(
  name: string,
  connect: (signal: AbortSignal) => Promise<Client>,
  pause = PAUSE_MS,
): Promise<void> {
  if (watched.has(name)) return;
  watched.add(name);
  const end = performance.now() + MAX_MS;
  try {
    for (let isDone = false; !isDone && performance.now() < end;) {
      await sleep(pause, undefined, { ref: false });
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const client = await connect(signal);
      ({ isDone } = await client.call(readInstallation, { name }, { signal, attempts: 1 }));
    }
  } catch {
    // The dialog shows the reason if it is open.
  } finally {
    watched.delete(name);
  }
}
