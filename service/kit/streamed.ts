import { ReadableStream } from 'node:stream/web';
import { linked } from '@herald-speech/client/abort';

/**
 * Returns the stream of a work that starts at once. The stream buffers what is not read yet. It fails with the reason of the first signal
 * that aborts, or with the error of the work.
 * @param work has a signal that aborts with the signals, and when the reader cancels the stream
 */
export function streamed<Part>(
  signals: readonly AbortSignal[],
  work: (emit: (part: Part) => void, signal: AbortSignal) => Promise<unknown>,
): ReadableStream<Part> {
  const cancelled = new AbortController();
  let isOpen = true;
  const close = (end: () => void) => {
    if (isOpen) end();
    isOpen = false;
  };
  return new ReadableStream<Part>({
    start: (stream) => {
      const fail = (error: unknown) => close(() => stream.error(error));
      const run = (signal: AbortSignal) => {
        signal.addEventListener('abort', () => fail(signal.reason), { once: true });
        return work((part) => isOpen && stream.enqueue(part), signal);
      };
      linked([...signals, cancelled.signal], run).then(() => close(() => stream.close()), fail);
    },
    cancel: () => {
      isOpen = false;
      cancelled.abort();
    },
  });
}
