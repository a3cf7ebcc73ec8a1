import type { ReadableStream, ReadableStreamDefaultReader, ReadableStreamReadResult } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import type { SynthesizedAudio } from '../voices/workers/jobs.js';

/** Speech that has started, and the work that it belongs to. */
interface Started<Work> {
  pieces: AsyncIterable<SynthesizedAudio>;
  by: Work;
}

/**
 * Starts the wanted work. If it has no audio in time, cancels it and starts the simple work. The wait in the queue and the
 * load of a model count.
 * @param limit milliseconds
 * @throws the error of the wanted work, if it fails in time
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
  const first = await firstInTime(reader, limit);
  if (first !== undefined) return { pieces: continued(first, reader), by: wanted };
  await reader.cancel();
  return { pieces: await start(simple), by: simple };
}

/** Returns undefined if the first piece is late. */
async function firstInTime(
  reader: ReadableStreamDefaultReader<SynthesizedAudio>,
  limit: number,
): Promise<ReadableStreamReadResult<SynthesizedAudio> | undefined> {
  const timer = new AbortController();
  const first = reader.read();
  const late = delay(limit, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([first, late]);
  } finally {
    timer.abort();
  }
}

async function* continued(
  first: ReadableStreamReadResult<SynthesizedAudio>,
  reader: ReadableStreamDefaultReader<SynthesizedAudio>,
): AsyncGenerator<SynthesizedAudio> {
  try {
    for (let next = first; !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
