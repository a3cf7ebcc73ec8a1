import { ceilingBelow, startLimiter } from '@herald-speech/client/audio';
import { peakOf } from './samples.js';

/** Loudness in LUFS of the sentences of each voice: `docs/decisions/0183-one-gain-for-each-voice.md` has the measurements. */
export const VOICE_LOUDNESS = -19;
/** The highest gain: 30 dB. A quieter voice is noise. */
const MAX_GAIN = 10 ** (30 / 20);
/** The highest true peak: -1 dBTP. */
const CEILING = ceilingBelow(0);
/** Part of the ceiling below which no peak between two samples of speech reaches it. */
const SAFE = 0.5;

/** Sets the level of a sentence, part by part. The output is delayed; `end` returns the rest. */
export interface SentenceLevel {
  push(samples: Float32Array): Float32Array;
  end(): Float32Array;
}

/**
 * Starts to set the level of a sentence. The gain depends on the voice only, so that its sentences keep their differences.
 * @param loudness LUFS of the voice before its gain
 */
export function startLevel(sampleRate: number, loudness: number): SentenceLevel {
  const gain = gainOf(loudness);
  const limiter = startLimiter(sampleRate, CEILING);
  return { push: (samples) => limiter.push(scaled(samples, gain)), end: limiter.end };
}

/** Sets the level of a whole sentence, see `startLevel`. */
export function levelled(samples: Float32Array, sampleRate: number, loudness: number): Float32Array {
  const gain = gainOf(loudness);
  if (peakOf(samples) * gain < SAFE * CEILING) return scaled(samples, gain);
  const level = startLevel(sampleRate, loudness);
  return joinedPair(level.push(samples), level.end());
}

const gainOf = (loudness: number): number => Math.min(MAX_GAIN, 10 ** ((VOICE_LOUDNESS - loudness) / 20));

/** Not `map`, which is slower for typed arrays. */
function scaled(samples: Float32Array, gain: number): Float32Array {
  const result = new Float32Array(samples.length);
  for (let index = 0; index < result.length; index++) result[index] = (samples[index] ?? 0) * gain;
  return result;
}

/** Returns the samples of both arrays. */
export function joinedPair(first: Float32Array, second: Float32Array): Float32Array {
  const result = new Float32Array(first.length + second.length);
  result.set(first);
  result.set(second, first.length);
  return result;
}
