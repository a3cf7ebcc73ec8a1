import { joinedPair } from '../../../kit/audio/level.js';
import { peakOf } from '../../../kit/audio/samples.js';
import type { Phoneme } from '../engine.js';

/** Silence around the sounds of a sentence, in seconds. */
export interface Edges {
  before: number;
  after: number;
}

/**
 * Returns the silence around a sentence. It belongs to the audio of the sentence, so that the pause between two sentences is the same
 * whether one request or several have spoken them: 0.4 s, and 0.25 s after a part of a sentence, as models pause at a comma.
 * @param scale length relative to the voice's normal speed
 */
export function edgesOf({ isPart }: { isPart: boolean }, scale: number): Edges {
  return { before: 0.05 * scale, after: (isPart ? 0.2 : 0.35) * scale };
}

/** Part of the loudest sample below which audio counts as silence: -40 dB. */
const QUIET = 0.01;
/** Silence of a part without speech: -50 dBFS, below the sounds of any voice. */
const FLOOR = 0.003;

/** Gives a sentence its silence, part by part. Holds silence back until the next sound arrives. */
export class EdgeCutter {
  readonly #before: number;
  readonly #after: number;
  #held = new Float32Array();
  #peak = 0;
  #shift: number | undefined;

  constructor({ before, after }: Edges, sampleRate: number) {
    this.#before = Math.round(before * sampleRate);
    this.#after = Math.round(after * sampleRate);
  }

  /** Samples by which the sounds come later, negative if they come earlier. */
  get shift(): number {
    return this.#shift ?? 0;
  }

  /** Returns the next samples of the sentence, possibly none. A sentence without a sound stays as it is. */
  add(part: Float32Array, isLast: boolean): Float32Array {
    this.#peak = Math.max(this.#peak, peakOf(part));
    const threshold = Math.max(QUIET * this.#peak, FLOOR);
    const isAudible = (sample: number) => Math.abs(sample) > threshold;
    const audio = this.#started(joinedPair(this.#held, part), isAudible);
    const end = this.#shift === undefined ? 0 : audio.findLastIndex(isAudible) + 1;
    this.#held = audio.slice(end);
    if (!isLast) return audio.subarray(0, end);
    return this.#shift === undefined ? audio : resized(audio, end + this.#after);
  }

  /** Starts the sentence at its first sound. */
  #started(audio: Float32Array, isAudible: (sample: number) => boolean): Float32Array {
    if (this.#shift !== undefined) return audio;
    const first = audio.findIndex(isAudible);
    if (first < 0) return audio;
    this.#shift = this.#before - first;
    return joinedPair(new Float32Array(Math.max(0, this.#shift)), audio.subarray(Math.max(0, -this.#shift)));
  }
}

function resized(samples: Float32Array, length: number): Float32Array {
  const result = new Float32Array(length);
  result.set(samples.subarray(0, length));
  return result;
}

/**
 * Moves the phonemes of a sentence to its audio with other edges, and then stretches them. The first silence starts at 0.
 * @param shift seconds
 */
export function placed(phonemes: readonly Phoneme[], shift: number, factor: number): Phoneme[] {
  const at = (time: number) => Math.max(0, (time + shift) * factor);
  const moved = phonemes.map(({ symbol, start, duration }) => ({
    symbol,
    start: at(start),
    duration: at(start + duration) - at(start),
  }));
  const [first] = moved;
  if (first === undefined || first.start === 0) return moved.filter(isNeeded);
  if (first.symbol !== '') return [{ symbol: '', start: 0, duration: first.start }, ...moved];
  return [{ symbol: '', start: 0, duration: first.start + first.duration }, ...moved.slice(1)];
}

/** Ends phonemes with the audio, in seconds: shortens those that end later, or adds silence. */
export function endedAt(phonemes: readonly Phoneme[], end: number): Phoneme[] {
  const cut = phonemes.map((phoneme) => {
    const start = Math.min(phoneme.start, end);
    return { ...phoneme, start, duration: Math.min(phoneme.start + phoneme.duration, end) - start };
  });
  const last = cut.at(-1);
  if (last?.symbol === '') last.duration = end - last.start;
  else if (last !== undefined) {
    const start = last.start + last.duration;
    cut.push({ symbol: '', start, duration: end - start });
  }
  return cut.filter(isNeeded);
}

const isNeeded = ({ symbol, duration }: Phoneme): boolean => symbol !== '' || duration > 0;
