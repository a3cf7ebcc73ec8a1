import type { ReadableStream, ReadableStreamDefaultReader, ReadableStreamReadResult } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import type { SynthesizedAudio } from '../voices/workers/jobs.js';

/** Speech that has started, and the work that it belongs to. */
export interface Started<Work> {
  pieces: AsyncIterable<SynthesizedAudio>;
  by: Work;
}

/**
 * Starts the wanted work. If it has no audio in time, cancels it and starts the simple work. The wait in the queue and the
 * load of a model count.
 * @param limit milliseconds
 * @throws WorkerError if the work cannot start. A later failure arrives through the pieces.
 */
export async function startBeforeDeadline<Work>(
  start: (work: Work) => Promise<ReadableStream<SynthesizedAudio>>,
  wanted: Work,
  simple: Work | undefined,
  limit: number,
): Promise<Started<Work>> {
  const stream = await start(wanted);
  if (simple === undefined) return { pieces: stream, by: wanted };
  const reader = stream.getReader();
  const first = reader.read();
  if (await isInTime(first, limit)) return { pieces: continued(first, reader), by: wanted };
  await reader.cancel();
  return { pieces: await start(simple), by: simple };
}

/** Whether work ends within the milliseconds, with a result or a failure. */
async function isInTime(work: Promise<unknown>, limit: number): Promise<boolean> {
  const timer = new AbortController();
  const ended = work.then(
    () => true,
    () => true,
  );
  const late = delay(limit, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([ended, late]);
  } finally {
    timer.abort();
  }
}

async function* continued(
  first: Promise<ReadableStreamReadResult<SynthesizedAudio>>,
  reader: ReadableStreamDefaultReader<SynthesizedAudio>,
): AsyncGenerator<SynthesizedAudio> {
  try {
    for (let next = await first; !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
