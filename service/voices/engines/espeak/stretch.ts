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
  const before = reach + hop;
  const audio = padded(samples, before, reach + 3 * hop + Math.ceil(hop / factor));
  const energies = energiesOf(audio);
  let from = before;
  for (let to = 0; to < result.length + hop; to += hop) {
    const wanted = before + Math.round(to / factor);
    if (to > 0) from = bestMatch(audio, energies, from + hop, wanted - reach, wanted + reach, hop);
    addWindow(audio, from, result, to, window);
  }
  return result;
}

/** Returns the samples between silence, so that no window reaches beyond them: such reads are many times slower. */
function padded(samples: Float32Array, before: number, after: number): Float32Array {
  const result = new Float32Array(before + samples.length + after);
  result.set(samples, before);
  return result;
}

/** Returns for each place the sum of the squares of the compared samples before it. */
function energiesOf(audio: Float32Array): Float64Array {
  const sums = new Float64Array(audio.length + COMPARED);
  for (let place = 0; place < audio.length; place++)
    sums[place + COMPARED] = (sums[place] ?? 0) + (audio[place] ?? 0) ** 2;
  return sums;
}

/** Finds the position from `first` to `last` that is most similar to the natural continuation. */
function bestMatch(
  audio: Float32Array,
  energies: Float64Array,
  continuation: number,
  first: number,
  last: number,
  length: number,
): number {
  const span = Math.ceil(length / COMPARED) * COMPARED;
  let best = (first + last) / 2;
  let highest = -Infinity;
  for (let place = first; place <= last; place++) {
    let product = 0;
    for (let index = 0; index < length; index += COMPARED)
      product += (audio[place + index] ?? 0) * (audio[continuation + index] ?? 0);
    const power = 1e-9 + Math.max(0, (energies[place + span] ?? 0) - (energies[place] ?? 0));
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
