import { toFloat, toInt16 } from './samples.js';

/** Zero crossings of the filter on each side. */
const CROSSINGS = 16;

/**
 * Changes the sample rate of a whole sentence with a windowed sinc filter.
 * @param from hertz
 * @param to hertz
 */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples;
  const source = toFloat(samples);
  const cutoff = Math.min(1, to / from);
  const length = Math.round((samples.length * to) / from);
  const output = Float32Array.from({ length }, (_, index) => valueAt(source, (index * from) / to, cutoff));
  return toInt16(output);
}

/** @param cutoff limit of the frequencies, relative to half the sample rate of the source */
function valueAt(source: Float32Array, position: number, cutoff: number): number {
  const reach = CROSSINGS / cutoff;
  const last = Math.min(source.length - 1, Math.floor(position + reach));
  let sum = 0;
  for (let index = Math.max(0, Math.ceil(position - reach)); index <= last; index += 1) {
    const distance = position - index;
    sum += (source[index] ?? 0) * cutoff * sinc(cutoff * distance) * hann(distance / reach);
  }
  return sum;
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
/** The Hann window from -1 to 1. */
const hann = (x: number): number => 0.5 + 0.5 * Math.cos(Math.PI * x);
