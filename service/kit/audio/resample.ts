import { toFloat, toInt16 } from './samples.js';

/** Zero crossings of the filter on each side. */
const CROSSINGS = 16;

/** The weights of the source samples around one output sample. `start` is relative to the source position, rounded down. */
interface Phase {
  start: number;
  weights: Float32Array;
}

/** Returns the number of samples after a change of the sample rate. */
export function resampledLength(length: number, from: number, to: number): number {
  return Math.round((length * to) / from);
}

/**
 * Changes the sample rate of a whole sentence with a windowed sinc filter.
 * @param from hertz, a whole number
 * @param to hertz, a whole number
 * @param start first sample of the result to compute
 * @param end sample of the result before which the computation ends
 */
export function resample(
  samples: Int16Array,
  from: number,
  to: number,
  start = 0,
  end = resampledLength(samples.length, from, to),
): Int16Array {
  if (from === to) return samples.subarray(start, end);
  const source = toFloat(samples);
  const phases = phasesOf(from, to);
  const output = new Float32Array(end - start);
  for (let index = start; index < end; index += 1) {
    const phase = phases[index % phases.length];
    if (phase !== undefined) output[index - start] = valueAt(source, Math.floor((index * from) / to), phase);
  }
  return toInt16(output);
}

/** Changes the sample rate of sentences that arrive in pieces. The pieces of a sentence have no seams. */
export class PieceResampler {
  readonly #to: number;
  /** The sentence so far. */
  #source = new Int16Array();
  /** Samples of its result so far. */
  #done = 0;

  /** @param to hertz, a whole number */
  constructor(to: number) {
    this.#to = to;
  }

  /** Returns the samples that later pieces of the sentence cannot change. */
  add(samples: Int16Array, from: number, isContinued: boolean): Int16Array {
    if (from === this.#to) return samples;
    const source = new Int16Array(this.#source.length + samples.length);
    source.set(this.#source);
    source.set(samples, this.#source.length);
    const reach = Math.ceil(CROSSINGS * Math.max(1, from / this.#to)) + 1;
    const known = isContinued ? Math.max(0, source.length - reach) : source.length;
    const start = this.#done;
    const end = Math.max(start, resampledLength(known, from, this.#to));
    [this.#source, this.#done] = isContinued ? [source, end] : [new Int16Array(), 0];
    return resample(source, from, this.#to, start, end);
  }
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
