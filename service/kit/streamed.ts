import { ReadableStream, type UnderlyingSource } from 'node:stream/web';
import { linked } from '@herald-speech/client/abort';

/**
 * Starts work, and returns the stream of its parts, which buffers what is not read yet. The stream fails at once with the reason of the
 * first signal that aborts, or after all parts with the error of the work.
 * @param work has a signal that aborts with the signals, and when the reader cancels the stream
 */
export function streamed<Part>(
  signals: readonly AbortSignal[],
  work: (emit: (part: Part) => void, signal: AbortSignal) => Promise<unknown>,
): ReadableStream<Part> {
  const cancelled = new AbortController();
  let failure: { error: unknown } | undefined;
  const source: UnderlyingSource<Part> = {
    start: (stream) => {
      const isOpen = () => stream.desiredSize !== null && !cancelled.signal.aborted;
      const run = (signal: AbortSignal) => {
        signal.addEventListener('abort', () => stream.error(signal.reason), { once: true });
        return work((part) => isOpen() && stream.enqueue(part), signal);
      };
      const fail = (error: unknown) => {
        failure = { error };
        if (stream.desiredSize === 0) stream.error(error);
      };
      linked([...signals, cancelled.signal], run).then(() => isOpen() && stream.close(), fail);
    },
    // The reader waits for a part, and has read all others.
    pull: (stream) => failure && stream.error(failure.error),
    cancel: () => cancelled.abort(),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
