/** Integrated loudness of ITU-R BS.1770-4, apart from the code that Herald sets its loudness with. */

/** Shelf and high-pass of the standard: frequency in hertz, quality, gain in dB. */
const SHELF = { frequency: 1681.974450955533, quality: 0.7071752369554196, gain: 3.999843853973347 };
const HIGH_PASS = { frequency: 38.13547087602444, quality: 0.5003270373238773 };

/**
 * @param {Int16Array} samples mono
 * @param {number} rate hertz
 * @returns {number} LUFS
 */
export function loudnessOf(samples, rate) {
  const weighted = filtered(
    filtered(
      Float64Array.from(samples, (sample) => sample / 32_768),
      shelf(rate),
    ),
    highPass(rate),
  );
  const block = Math.round(0.4 * rate);
  /** @type {number[]} */
  const powers = [];
  for (let start = 0; start + block <= weighted.length; start += Math.round(0.1 * rate)) {
    powers.push(meanOf(weighted.subarray(start, start + block).map((sample) => sample * sample)));
  }
  const loud = powers.filter((power) => level(power) > -70);
  const gate = level(meanOf(loud)) - 10;
  return level(meanOf(loud.filter((power) => level(power) > gate)));
}

/** @param {number} power */
const level = (power) => -0.691 + 10 * Math.log10(power);

/** @param {ArrayLike<number>} values */
export const meanOf = (values) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/** @param {readonly number[]} values */
export function deviationOf(values) {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** @typedef {{ b: [number, number, number], a: [number, number] }} Biquad */

/** @param {number} rate @returns {Biquad} */
function shelf(rate) {
  const { frequency, quality, gain } = SHELF;
  const k = Math.tan((Math.PI * frequency) / rate);
  const high = 10 ** (gain / 20);
  const band = high ** 0.4996667741545416;
  const norm = 1 + k / quality + k * k;
  return {
    b: [
      (high + (band * k) / quality + k * k) / norm,
      (2 * (k * k - high)) / norm,
      (high - (band * k) / quality + k * k) / norm,
    ],
    a: [(2 * (k * k - 1)) / norm, (1 - k / quality + k * k) / norm],
  };
}

/** @param {number} rate @returns {Biquad} */
function highPass(rate) {
  const { frequency, quality } = HIGH_PASS;
  const k = Math.tan((Math.PI * frequency) / rate);
  const norm = 1 + k / quality + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / norm, (1 - k / quality + k * k) / norm] };
}

/** @param {Float64Array} samples @param {Biquad} filter */
function filtered(samples, { b, a }) {
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return samples.map((x) => {
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
}
