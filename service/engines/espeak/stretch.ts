/** Seconds: a few periods of a deep voice, shorter than most sounds. */
const WINDOW_SECONDS = 0.04;
/** How far a window may move to meet its neighbour in phase: a period of a deep voice. */
const REACH_SECONDS = 0.012;
/** One sample in this many is compared: enough to find the phase. */
const COMPARED = 4;

/**
 * The same sound at the same pitch, longer or shorter (WSOLA: Verhelst and Roelands, 1993): windows are laid down at an
 * even distance, each taken from where it continues the one before best.
 * @param samples Mono, -1 to 1.
 * @param factor 2 is twice as long.
 */
export function stretch(samples: Float32Array, sampleRate: number, factor: number): Float32Array {
  const hop = Math.round((WINDOW_SECONDS * sampleRate) / 2);
  const reach = Math.round(REACH_SECONDS * sampleRate);
  const result = new Float32Array(Math.round(samples.length * factor));
  let from = 0;
  for (let to = 0; to < result.length + hop; to += hop) {
    const wanted = Math.round(to / factor);
    if (to > 0) from = bestMatch(samples, from + hop, wanted, reach, hop);
    layWindow(samples, from, result, to, hop);
  }
  return result;
}

/** Near `wanted`, the place that is most like the natural continuation. */
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
    const likeness = product / Math.sqrt(power);
    if (likeness > highest) [best, highest] = [place, likeness];
  }
  return best;
}

/** Adds two hops under a Hann window, centred on their new place; neighbours add up to the full level. */
function layWindow(samples: Float32Array, from: number, result: Float32Array, to: number, hop: number): void {
  for (let offset = -hop; offset < hop; offset++) {
    const place = to + offset;
    if (place < 0 || place >= result.length) continue;
    const weight = 0.5 + 0.5 * Math.cos((Math.PI * offset) / hop);
    result[place] = (result[place] ?? 0) + weight * (samples[from + offset] ?? 0);
  }
}
