import type { VoiceConfig } from '../../../installed/voice-config.js';

/** Linear model of the length of a sentence. */
export interface Pace {
  /** Seconds of each phoneme id at the voice's normal speed. The place is the id. */
  ids: number[];
  /** Seconds of each sentence at the voice's normal speed, beside those of its ids. */
  sentence: number;
  /** Seconds of each id that do not depend on the speed: a model rounds each length up to a whole frame. */
  rounding: number;
  /**
   * Seconds of a frame, if the length of each id is rounded up to whole frames: a model whose lengths do not depend on the
   * neighbours. 0 if `rounding` describes the rounding.
   */
  frame: number;
}

/** Approximate seconds by symbol, for a voice that was not measured. All other symbols are sounds. */
const SILENT: Readonly<Record<string, number>> = {
  '^': 0.04,
  $: 0.04,
  _: 0.02,
  ' ': 0.02,
  ',': 0.1,
  ';': 0.1,
  ':': 0.1,
  '.': 0.08,
  '!': 0.08,
  '?': 0.08,
};
const SOUND = 0.045;
/** Stress marks, the length mark, tones and combining marks have little length or none. */
const MARK = /^[\p{M}\p{Lm}\p{Sk}\d]$/u;
const MARKED = 0.02;

/** Returns the ids of start, end, pad, space and punctuation. */
export function silentIds({ phonemeIds }: Pick<VoiceConfig, 'phonemeIds'>): Set<number> {
  return new Set(Object.keys(SILENT).flatMap((symbol) => phonemeIds.get(symbol) ?? []));
}

/** Returns an approximate pace for a voice that was not measured. */
export function defaultPace({ phonemeIds, symbols, lengthScale, hopLength, sampleRate }: VoiceConfig): Pace {
  const ids = Array.from({ length: symbols }, () => SOUND * lengthScale);
  for (const [symbol, [first, ...rest]] of phonemeIds) {
    if (first === undefined || rest.length > 0) continue;
    ids[first] = (SILENT[symbol] ?? (MARK.test(symbol) ? MARKED : SOUND)) * lengthScale;
  }
  return { ids, sentence: 0, rounding: hopLength / sampleRate / 2, frame: 0 };
}

/**
 * Predicts the seconds of a sentence.
 * @param stretch length relative to the voice's normal speed: 2 is half as fast
 */
export function secondsOfSentence(
  { ids: lengths, sentence, rounding, frame }: Pace,
  ids: readonly number[],
  stretch: number,
): number {
  const lengthOf = (id: number) => roundedUp((lengths[id] ?? 0) * stretch, frame);
  const seconds = ids.reduce((sum, id) => sum + lengthOf(id), 0);
  return Math.max(0, seconds + stretch * sentence + rounding * ids.length);
}

/** Parts of a frame that count as an error of computation. */
export const EPSILON = 1e-4;

function roundedUp(seconds: number, frame: number): number {
  return frame === 0 ? seconds : Math.ceil(seconds / frame - EPSILON) * frame;
}
