import { samplesOf } from '../../support/service/service.js';

interface TimedSymbol {
  symbol: string;
  start: number;
  duration: number;
}

/** Returns the samples and the phonemes in the lines of a stream. */
export function contentOf(body: string) {
  const audio: Buffer[] = [];
  const phonemes: TimedSymbol[] = [];
  for (const line of body.trim().split('\n')) {
    const { audio_base64, phonemes: marks } = JSON.parse(line) as {
      audio_base64: string | null;
      phonemes: { symbols: string[]; start_times_seconds: number[]; durations_seconds: number[] } | null;
    };
    if (audio_base64 !== null) audio.push(Buffer.from(audio_base64, 'base64'));
    marks?.symbols.forEach((symbol, at) =>
      phonemes.push({
        symbol,
        start: marks.start_times_seconds[at] ?? 0,
        duration: marks.durations_seconds[at] ?? 0,
      }),
    );
  }
  return { samples: samplesOf(Buffer.concat(audio)).samples, phonemes };
}

/** Returns the text from each of its words on, with the number of words before. */
export const suffixesOf = (text: string) =>
  [...text.matchAll(/\S+/gu)].map(({ index }, before) => ({ text: text.slice(index), before }));

export const isTail = (samples: Float32Array, tail: Float32Array) =>
  tail.length < samples.length &&
  tail.every((sample, at) => sample === samples[samples.length - tail.length + at]);

/** Returns the number of words that phonemes complete. */
export const wordsIn = (phonemes: readonly TimedSymbol[]) =>
  phonemes.filter(({ symbol }, at) => symbol.trim() === '' && (phonemes[at - 1]?.symbol ?? '').trim() !== '')
    .length;
