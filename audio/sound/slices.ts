import { setImmediate } from 'node:timers/promises';

/** Samples that codecs and filters process at once: about 10 ms of work. */
const SLICE = 16_384;

/**
 * Processes samples slice by slice, so that the process can handle other events in between.
 * @throws the reason of the signal after it has aborted
 */
export async function inSlices<Result>(
  samples: Float32Array,
  process: (slice: Float32Array) => Result,
  signal?: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < samples.length; at += SLICE) {
    if (at > 0) await setImmediate();
    signal?.throwIfAborted();
    results.push(process(samples.subarray(at, at + SLICE)));
  }
  return results;
}
