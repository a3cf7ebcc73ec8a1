import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@herald-speech/client';

/** Milliseconds between two looks. Shorter than the time for which a connection stays open after the flows stop. */
const PAUSE_MS = 500;
/** Milliseconds that one look may take. */
const TIMEOUT_MS = 10_000;
/** Milliseconds after which the watch ends in any case: 120 MB over a slow line. */
const MAX_MS = 3 * 3_600_000;

/** The names of the watched jobs. */
const watched = new Set<string>();

/**
 * Uses the local service until an installation or an import has ended. Without a deployed account, the service would stop soon after the
 * dialog closes, and the installation with it. Resolves without an error if the installation was cancelled, or the service
 * does not answer.
 * @param name tells jobs apart
 * @param read reads the state of the job
 * @param connect opens the connection of the editor again, which keeps the service running
 * @param pause milliseconds between two looks
 */
export async function watchInstallation(
  name: string,
  read: (client: Client, options: { signal: AbortSignal; attempts: number }) => Promise<{ isDone: boolean }>,
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
      ({ isDone } = await read(client, { signal, attempts: 1 }));
    }
  } catch {
    // The dialog shows the reason if it is open.
  } finally {
    watched.delete(name);
  }
}
