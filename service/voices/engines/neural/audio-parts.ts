import type { NeuralPart } from './messages.js';

/** A part of the audio of a sentence, or all of it. */
export type AudioPart = Pick<NeuralPart, 'samples' | 'length' | 'durations'>;

/**
 * Starts work that calls back with audio. Returns the audio for one reader, who may read it later.
 * @throws the error of the work, to the reader and after the audio
 */
export function audioOf(
  start: (onPart: (part: AudioPart) => void) => Promise<unknown>,
): AsyncIterable<AudioPart> {
  const parts: AudioPart[] = [];
  let isOver = false;
  let wake = (): void => undefined;
  const over = start((part) => {
    parts.push(part);
    wake();
  }).finally(() => {
    isOver = true;
  });
  over.catch(() => undefined); // The reader gets the error.
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return (async function* (): AsyncGenerator<AudioPart> {
    for (;;) {
      const part = parts.shift();
      if (part !== undefined) yield part;
      else if (isOver) break;
      else await Promise.race([next(), over]);
    }
    await over;
  })();
}
