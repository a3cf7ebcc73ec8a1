import type { VoiceConfig } from '../../../installed/voice-config.js';

/** Unused rows that determine the range of lengths. Voices have about 100. */
const MIN_UNUSED = 20;
/** Part by which a length may lie outside of the range of the unused rows. */
const MARGIN = 0.1;
/** Symbols of each sentence. */
const IN_EACH_SENTENCE = ['^', '_', '$'];

/**
 * Returns the ids of the symbols that a model never learned. The training shrinks the vectors of symbols that do not occur, all by the
 * same factor. Rows without a symbol never occur, so their lengths show the range of untrained ones: 0.35 to 0.43 in a real voice, whose
 * trained vectors have 0.54 to 1.42.
 * @param lengths length of the vector of each id
 * @returns nothing if the vectors do not separate: too few unused rows, or lengths of symbols that all sentences have in their range
 */
export function untrainedIds(lengths: Float32Array, { phonemeIds }: VoiceConfig): number[] {
  const used = new Set([...phonemeIds.values()].flat());
  const unused = lengths.filter((_, id) => !used.has(id));
  if (unused.length < MIN_UNUSED) return [];
  const [min, max] = [Math.min(...unused) * (1 - MARGIN), Math.max(...unused) * (1 + MARGIN)];
  const isUntrained = (id: number) => {
    const length = lengths[id];
    return length !== undefined && length >= min && length <= max;
  };
  const surelyTrained = IN_EACH_SENTENCE.flatMap((symbol) => phonemeIds.get(symbol) ?? []);
  if (surelyTrained.some(isUntrained)) return [];
  return [...used].filter(isUntrained).toSorted((one, other) => one - other);
}
