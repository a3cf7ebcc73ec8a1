import type { Phoneme } from '../engine.js';
import type { SpelledPhoneme } from './spelling/spelling.js';

/** The part of the audio with speech, in seconds. */
export interface Extent {
  from: number;
  to: number;
}

/** Part of the loudest sample below which audio counts as silence: -40 dB. */
const QUIET = 0.01;

/** Returns the part of the audio between the first and the last audible sample; all of it if it is silent. */
export function audibleExtent(samples: Float32Array, sampleRate: number): Extent {
  const threshold = QUIET * samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  const isAudible = (sample: number) => Math.abs(sample) > threshold;
  const first = samples.findIndex(isAudible);
  if (first < 0) return { from: 0, to: samples.length / sampleRate };
  return { from: first / sampleRate, to: (samples.findLastIndex(isAudible) + 1) / sampleRate };
}

/**
 * Spreads the sounds of a sentence over a part of its audio. Adds silence before and after the part, and joins pauses.
 * @param weights relative length of each id
 * @param seconds length of the audio
 */
export function timedPhonemes(
  sounds: readonly SpelledPhoneme[],
  weights: readonly number[],
  { from, to }: Extent,
  seconds: number,
): Phoneme[] {
  const lengths = lengthsOf(sounds, weights);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const scale = total === 0 ? 0 : (to - from) / total;
  let start = from;
  const spread = sounds.map(({ symbol }, at) => {
    const phoneme = { symbol, start, duration: (lengths[at] ?? 0) * scale };
    start += phoneme.duration;
    return phoneme;
  });
  return joined([
    { symbol: '', start: 0, duration: from },
    ...spread,
    { symbol: '', start: to, duration: seconds - to },
  ]);
}

function lengthsOf(sounds: readonly SpelledPhoneme[], weights: readonly number[]): number[] {
  let place = 0;
  return sounds.map(({ ids }) => {
    const idWeights = weights.slice(place, (place += ids));
    return idWeights.reduce((sum, weight) => sum + Math.max(0, weight), 0);
  });
}

/** Joins neighbouring pauses, and leaves out pauses without length. */
function joined(phonemes: readonly Phoneme[]): Phoneme[] {
  const result: Phoneme[] = [];
  for (const phoneme of phonemes) {
    const last = result.at(-1);
    if (phoneme.symbol !== '') result.push(phoneme);
    else if (last?.symbol === '') last.duration += phoneme.duration;
    else if (phoneme.duration > 0) result.push({ ...phoneme });
  }
  return result;
}
