import { FRAME_SECONDS, medianPitch } from './pitch.js';

/** A pitch further from the median than this ratio counts as an error of the tracker, usually by an octave. */
const PLAUSIBLE_RATIO = 1.6;
/** Frames on each side for smoothing the loudness: 80 ms in total, shorter than a syllable. */
const SMOOTHING = 4;
/** Minimum loudness of speech, as a fraction of the loudest frame. */
const SPOKEN = 0.06;
/** Minimum loudness of a syllable's peak, as a fraction of the loudest frame. */
const SYLLABLE = 0.12;
/** The ratio by which the loudness falls after a syllable and rises before the next one. */
const FALL = 0.75;

/**
 * Returns the pitch range: the standard deviation of the pitch around its median, in semitones.
 * @param track the result of `trackPitch`
 * @returns undefined if no frame is voiced
 */
export function pitchRange(track: Float32Array): number | undefined {
  const median = medianPitch(track);
  if (median === undefined) return undefined;
  const voiced = [...track].filter((hz) => hz > median / PLAUSIBLE_RATIO && hz < median * PLAUSIBLE_RATIO);
  const squares = voiced.reduce((sum, hz) => sum + (12 * Math.log2(hz / median)) ** 2, 0);
  return Math.sqrt(squares / voiced.length);
}

/**
 * Estimates the speaking rate in syllables per second: counts the loudness peaks and divides by the seconds of speech.
 * @param samples mono, -1 to 1, not silent
 */
export function syllableRate(samples: Float32Array, sampleRate: number): number {
  const loudness = smoothed(loudnessOf(samples, Math.round(sampleRate * FRAME_SECONDS)));
  const loudest = loudness.reduce((max, one) => Math.max(max, one), 0);
  const spoken = loudness.filter((one) => one > SPOKEN * loudest).length * FRAME_SECONDS;
  return countPeaks(loudness, SYLLABLE * loudest, SPOKEN * loudest) / spoken;
}

/** Returns the RMS loudness of each frame. */
function loudnessOf(samples: Float32Array, frame: number): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / frame) }, (_, index) => {
    const piece = samples.subarray(index * frame, (index + 1) * frame);
    return Math.sqrt(piece.reduce((sum, sample) => sum + sample * sample, 0) / frame);
  });
}

/** Smooths frames with a triangular window. */
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

/** Counts peaks of at least `high`. Between two peaks the loudness must fall, and a rise starts above `low`. */
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
