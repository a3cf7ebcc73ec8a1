/** A digital filter of second order: the coefficients of input and output, with a0 = 1. */
interface Biquad {
  b: readonly [number, number, number];
  a: readonly [number, number];
}

/**
 * The K-weighting of ITU-R BS.1770-5, annex 1: a high shelf for the effect of the head, then a high-pass filter. The standard
 * lists coefficients for 48 kHz only. These parameters of the analogue filters reproduce them, and give the coefficients of other rates.
 */
const SHELF = { frequency: 1681.974450955533, gain: 3.999843853973347, quality: 0.7071752369554196 };
const HIGH_PASS = { frequency: 38.13547087602444, quality: 0.5003270373238773 };

function shelfAt(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * SHELF.frequency) / sampleRate);
  const high = 10 ** (SHELF.gain / 20);
  const band = high ** 0.4996667741545416;
  const scale = 1 + k / SHELF.quality + k * k;
  return {
    b: [
      (high + (band * k) / SHELF.quality + k * k) / scale,
      (2 * (k * k - high)) / scale,
      (high - (band * k) / SHELF.quality + k * k) / scale,
    ],
    a: poles(k, SHELF.quality),
  };
}

function highPassAt(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * HIGH_PASS.frequency) / sampleRate);
  return { b: [1, -2, 1], a: poles(k, HIGH_PASS.quality) };
}

function poles(k: number, quality: number): readonly [number, number] {
  const scale = 1 + k / quality + k * k;
  return [(2 * (k * k - 1)) / scale, (1 - k / quality + k * k) / scale];
}

/** Returns a function that filters a continuous signal with the K-weighting. */
export function startWeighting(sampleRate: number): (samples: Float32Array) => Float32Array {
  const [shelf, highPass] = [startBiquad(shelfAt(sampleRate)), startBiquad(highPassAt(sampleRate))];
  return (samples) => highPass(shelf(samples.slice()));
}

/** Transposed direct form II. Filters in place, with a loop: the callback of `map` takes twice the time. */
function startBiquad({ b: [b0, b1, b2], a: [a1, a2] }: Biquad): (samples: Float32Array) => Float32Array {
  let [one, two] = [0, 0];
  return (samples) => {
    for (let at = 0; at < samples.length; at += 1) {
      const sample = samples[at] ?? 0;
      const output = b0 * sample + one;
      one = b1 * sample - a1 * output + two;
      two = b2 * sample - a2 * output;
      samples[at] = output;
    }
    return samples;
  };
}
