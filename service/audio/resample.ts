import { toFloat, toInt16 } from './samples.js';

/** Zero crossings of the filter on each side. */
const CROSSINGS = 16;

/** The weights of the source samples around one output sample. `start` is relative to the source position, rounded down. */
interface Phase {
  start: number;
  weights: Float32Array;
}

/**
 * Changes the sample rate of a whole sentence with a windowed sinc filter.
 * @param from hertz, a whole number
 * @param to hertz, a whole number
 */
export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return samples;
  const source = toFloat(samples);
  const phases = phasesOf(from, to);
  const length = Math.round((samples.length * to) / from);
  const output = new Float32Array(length);
  for (let index = 0; index < length; index += 1) {
    const phase = phases[index % phases.length];
    if (phase !== undefined) output[index] = valueAt(source, Math.floor((index * from) / to), phase);
  }
  return toInt16(output);
}

function valueAt(source: Float32Array, position: number, { start, weights }: Phase): number {
  const first = position + start;
  const end = Math.min(weights.length, source.length - first);
  let sum = 0;
  for (let tap = Math.max(0, -first); tap < end; tap += 1) {
    sum += (source[first + tap] ?? 0) * (weights[tap] ?? 0);
  }
  return sum;
}

/** Returns the weights of each distance between an output sample and the source samples. The distances repeat. */
function phasesOf(from: number, to: number): Phase[] {
  const divisor = greatestCommonDivisor(from, to);
  const cutoff = Math.min(1, to / from);
  return Array.from({ length: to / divisor }, (_, index) => phaseAt(((index * from) / to) % 1, cutoff));
}

/**
 * @param offset distance of the output sample from the source sample before it, from 0 to 1
 * @param cutoff limit of the frequencies, relative to half the sample rate of the source
 */
function phaseAt(offset: number, cutoff: number): Phase {
  const reach = CROSSINGS / cutoff;
  const start = Math.ceil(offset - reach);
  const length = Math.floor(offset + reach) - start + 1;
  const weights = Float32Array.from({ length }, (_, tap) => {
    const distance = offset - start - tap;
    return cutoff * sinc(cutoff * distance) * hann(distance / reach);
  });
  return { start, weights };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
/** The Hann window from -1 to 1. */
const hann = (x: number): number => 0.5 + 0.5 * Math.cos(Math.PI * x);
