import { FRAME_SECONDS, medianPitch } from './pitch.js';

/** Pitches further from the median than this are mistakes of the tracker, by an octave as a rule. */
const PLAUSIBLE_RATIO = 1.6;
/** Frames on each side that smooth the loudness: 80 ms in all, shorter than a syllable. */
const SMOOTHING = 4;
/** Of the loudest: below it nobody speaks, and no syllable peaks. */
const SPOKEN = 0.06;
const SYLLABLE = 0.12;
/** How far the loudness falls after a syllable, and rises to the next. */
const FALL = 0.75;

/**
 * How lively the melody is: the standard deviation of the pitch around its median, in semitones.
 * @param track what `trackPitch` gave
 * @returns undefined where nothing has a pitch
 */
export function melodySpread(track: Float32Array): number | undefined {
  const median = medianPitch(track);
  if (median === undefined) return undefined;
  const voiced = [...track].filter((hz) => hz > median / PLAUSIBLE_RATIO && hz < median * PLAUSIBLE_RATIO);
  const squares = voiced.reduce((sum, hz) => sum + (12 * Math.log2(hz / median)) ** 2, 0);
  return Math.sqrt(squares / voiced.length);
}

/**
 * How fast somebody speaks: peaks of loudness, one for most syllables, per second in which something is said.
 * @param samples mono, -1 to 1, with something to be heard in it
 */
export function syllableRate(samples: Float32Array, sampleRate: number): number {
  const loudness = smoothed(loudnessOf(samples, Math.round(sampleRate * FRAME_SECONDS)));
  const loudest = loudness.reduce((most, one) => Math.max(most, one), 0);
  const spoken = loudness.filter((one) => one > SPOKEN * loudest).length * FRAME_SECONDS;
  return countPeaks(loudness, SYLLABLE * loudest, SPOKEN * loudest) / spoken;
}

function loudnessOf(samples: Float32Array, frame: number): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / frame) }, (_, index) => {
    const piece = samples.subarray(index * frame, (index + 1) * frame);
    return Math.sqrt(piece.reduce((sum, sample) => sum + sample * sample, 0) / frame);
  });
}

/** Each frame with its neighbours, the nearer ones the more (a triangle). */
function smoothed(frames: Float32Array): Float32Array {
  return frames.map((_, index) => {
    let sum = 0;
    let weights = 0;
    for (let offset = -SMOOTHING; offset <= SMOOTHING; offset++) {
      const weight = SMOOTHING + 1 - Math.abs(offset);
      sum += (frames[index + offset] ?? 0) * weight;
      weights += weight;
    }
    return sum / weights;
  });
}

/** Peaks of at least `high`, each after a fall; a rise begins above `low`. */
function countPeaks(frames: Float32Array, high: number, low: number): number {
  let count = 0;
  let isRising = true;
  let extreme = 0;
  for (const value of frames) {
    const turned = isRising ? value < extreme * FALL : value > extreme / FALL && value > low;
    if (turned) {
      if (isRising && extreme > high) count++;
      isRising = !isRising;
      extreme = value;
    } else {
      extreme = isRising ? Math.max(extreme, value) : Math.min(extreme, value);
    }
  }
  return count;
}
