import type { VoiceConfig } from '../../../natural/voice-config.js';

/** Linear model of the length of a sentence. */
export interface Pace {
  /** Seconds of each phoneme id at the voice's normal speed. The place is the id. */
  ids: number[];
  /** Seconds of each sentence at the voice's normal speed. */
  sentence: number;
  /** Seconds of each id that do not depend on the speed: a model rounds each length up to a whole frame. */
  rounding: number;
}

/** Approximate seconds by symbol, for a voice that was not measured. All other symbols are sounds. */
const SILENT: Readonly<Record<string, number>> = {
  '^': 0.04,
  $: 0.04,
  _: 0.02,
  ' ': 0.02,
  ',': 0.15,
  ';': 0.15,
  ':': 0.15,
  '.': 0.12,
  '!': 0.12,
  '?': 0.12,
};
const SOUND = 0.045;
/** Stress marks, the length mark, tones and combining marks have little length or none. */
const MARK = /^[\p{M}\p{Lm}\p{Sk}\d]$/u;
const MARKED = 0.02;

/** Returns an approximate pace for a voice that was not measured. */
export function defaultPace({ phonemeIds, symbols, lengthScale, hopLength, sampleRate }: VoiceConfig): Pace {
  const ids = Array.from({ length: symbols }, () => SOUND * lengthScale);
  for (const [symbol, [first, ...rest]] of phonemeIds) {
    if (first === undefined || rest.length > 0) continue;
    ids[first] = (SILENT[symbol] ?? (MARK.test(symbol) ? MARKED : SOUND)) * lengthScale;
  }
  return { ids, sentence: 0, rounding: hopLength / sampleRate / 2 };
}

/**
 * Predicts the seconds of a sentence.
 * @param stretch length relative to the voice's normal speed: 2 is half as fast
 */
export function secondsOf(
  { ids: seconds, sentence, rounding }: Pace,
  ids: readonly number[],
  stretch: number,
): number {
  const scaled = ids.reduce((sum, id) => sum + (seconds[id] ?? 0), sentence);
  return Math.max(0, stretch * scaled + rounding * ids.length);
}
