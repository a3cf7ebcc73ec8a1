/** Seconds in which a step at a seam fades at most. */
const MAX_FADE = 0.1;
/** The part of the highest step inside a piece that the fade may add to a step. */
const ADDED = 0.02;

/** The last sample before a seam, and its difference from the sample before it. */
export interface Edge {
  value: number;
  slope: number;
}

export const silentEdge: Edge = { value: 0, slope: 0 };

/** Returns the end of a sound. */
export function edgeOf(samples: Float32Array): Edge {
  const [before = 0, value = before] = samples.subarray(-2);
  return { value, slope: value - before };
}

/**
 * Returns the samples with a smooth start if the step from the sound before to the first sample is higher than all steps
 * inside. The difference fades so slowly that it is not audible as a click.
 * @param outputRate hertz after a resampler: a higher rate makes the steps inside lower, but not the step to the sound before
 */
export function smoothStart(
  samples: Float32Array,
  before: Edge,
  sampleRate: number,
  outputRate = sampleRate,
): Float32Array {
  const [first = 0, second = first] = samples;
  const continued = before.value + (before.slope + second - first) / 2;
  return Math.abs(first - before.value) > highestStep(samples) * stepRatio(sampleRate, outputRate)
    ? faded(samples, continued - first, sampleRate, (at) => at)
    : samples;
}

/** Returns the samples with a smooth end before silence, as `smoothStart` does. */
export function smoothEnd(samples: Float32Array, sampleRate: number, outputRate = sampleRate): Float32Array {
  const { value, slope } = edgeOf(samples);
  const fromEnd = (at: number) => samples.length - 1 - at;
  return Math.abs(value) > highestStep(samples) * stepRatio(sampleRate, outputRate)
    ? faded(samples, -slope / 2 - value, sampleRate, fromEnd)
    : samples;
}

const stepRatio = (sampleRate: number, outputRate: number): number => Math.min(1, sampleRate / outputRate);

/** Adds `step` at the seam, and less with the distance from it. */
function faded(
  samples: Float32Array,
  step: number,
  sampleRate: number,
  distanceOf: (at: number) => number,
): Float32Array {
  // The steepest part of the cosine adds step * PI / (2 * length) to a step.
  const slow = (Math.abs(step) * Math.PI) / (2 * ADDED * highestStep(samples));
  const length = Math.min(samples.length, Math.round(MAX_FADE * sampleRate), slow);
  return samples.map((sample, at) => {
    const distance = distanceOf(at);
    return distance >= length
      ? sample
      : sample + step * (0.5 + 0.5 * Math.cos((Math.PI * distance) / length));
  });
}

function highestStep(samples: Float32Array): number {
  let highest = 0;
  for (let at = 1; at < samples.length; at += 1)
    highest = Math.max(highest, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)));
  return highest;
}
