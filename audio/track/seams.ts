/** Seconds in which a step at a seam fades. */
const FADE = 0.005;

/**
 * Returns the samples with a smooth start if the step from `previous` to the first sample is higher than all steps inside.
 * The difference fades within milliseconds.
 * @param previous the sample before the start; 0 for silence
 */
export function smoothStart(samples: Float32Array, previous: number, sampleRate: number): Float32Array {
  const step = previous - (samples[0] ?? 0);
  return Math.abs(step) > highestStep(samples) ? faded(samples, step, sampleRate, (at) => at) : samples;
}

/** Returns the samples with a smooth end before silence, as `smoothStart` does. */
export function smoothEnd(samples: Float32Array, sampleRate: number): Float32Array {
  const step = -(samples.at(-1) ?? 0);
  const fromEnd = (at: number) => samples.length - 1 - at;
  return Math.abs(step) > highestStep(samples) ? faded(samples, step, sampleRate, fromEnd) : samples;
}

function highestStep(samples: Float32Array): number {
  let highest = 0;
  for (let at = 1; at < samples.length; at += 1)
    highest = Math.max(highest, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)));
  return highest;
}

/** Adds `step` at the seam, and less with the distance from it. */
function faded(
  samples: Float32Array,
  step: number,
  sampleRate: number,
  distanceOf: (at: number) => number,
): Float32Array {
  const length = Math.min(samples.length, Math.round(FADE * sampleRate));
  return samples.map((sample, at) => {
    const distance = distanceOf(at);
    return distance >= length
      ? sample
      : sample + step * (0.5 + 0.5 * Math.cos((Math.PI * distance) / length));
  });
}
