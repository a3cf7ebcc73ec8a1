/** Seconds of a window: a few periods of a deep voice, shorter than most sounds. */
const WINDOW_SECONDS = 0.04;
/** Seconds that a window may move to be in phase with the previous window: one period of a deep voice. */
const REACH_SECONDS = 0.012;
/** Only every fourth sample is compared, which is enough to find the phase. */
const COMPARED = 4;

/**
 * Changes the length of audio and keeps its pitch (WSOLA: Verhelst and Roelands, 1993). Copies windows to regular
 * positions. Each window comes from the position that best continues the previous window.
 * @param samples Mono, from -1 to 1.
 * @param factor 2 is twice as long.
 */
export function stretch(samples: Float32Array, sampleRate: number, factor: number): Float32Array {
  const hop = Math.round((WINDOW_SECONDS * sampleRate) / 2);
  const reach = Math.round(REACH_SECONDS * sampleRate);
  const result = new Float32Array(Math.round(samples.length * factor));
  const window = hannWindow(hop);
  let from = 0;
  for (let to = 0; to < result.length + hop; to += hop) {
    const wanted = Math.round(to / factor);
    if (to > 0) from = bestMatch(samples, from + hop, wanted, reach, hop);
    addWindow(samples, from, result, to, window);
  }
  return result;
}

/** Finds the position near `wanted` that is most similar to the natural continuation. */
function bestMatch(
  samples: Float32Array,
  continuation: number,
  wanted: number,
  reach: number,
  length: number,
): number {
  let best = wanted;
  let highest = -Infinity;
  for (let place = wanted - reach; place <= wanted + reach; place++) {
    let product = 0;
    let power = 1e-9;
    for (let index = 0; index < length; index += COMPARED) {
      const value = samples[place + index] ?? 0;
      product += value * (samples[continuation + index] ?? 0);
      power += value * value;
    }
    const similarity = product / Math.sqrt(power);
    if (similarity > highest) [best, highest] = [place, similarity];
  }
  return best;
}

/** A Hann window of two hops. Neighbouring windows, one hop apart, add up to 1. */
function hannWindow(hop: number): Float32Array {
  return Float32Array.from({ length: 2 * hop }, (_, index) => 0.5 - 0.5 * Math.cos((Math.PI * index) / hop));
}

/** Adds a part of the samples, centred on its new position and weighted by the window. */
function addWindow(
  samples: Float32Array,
  from: number,
  result: Float32Array,
  to: number,
  window: Float32Array,
): void {
  const half = window.length / 2;
  const end = Math.min(window.length, result.length - to + half);
  for (let index = Math.max(0, half - to); index < end; index++) {
    const place = to - half + index;
    result[place] = (result[place] ?? 0) + (window[index] ?? 0) * (samples[from - half + index] ?? 0);
  }
}
