import type { SynthesizedAudio } from '../voices/workers/jobs.js';
import type { SpokenSpeech } from './start-speech.js';

/**
 * Waits for the first piece of speech. Then the voice for the headers and the mark is known.
 * @throws the error of the first piece
 */
export async function begun(spoken: SpokenSpeech): Promise<SpokenSpeech> {
  const reader = spoken.pieces[Symbol.asyncIterator]();
  return { ...spoken, pieces: from(await reader.next(), reader) };
}

async function* from(
  first: IteratorResult<SynthesizedAudio>,
  reader: AsyncIterator<SynthesizedAudio>,
): AsyncGenerator<SynthesizedAudio> {
  try {
    for (let next = first; next.done !== true; next = await reader.next()) yield next.value;
  } finally {
    await reader.return?.();
  }
}
