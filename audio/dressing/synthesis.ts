import type { ChimeName } from './dressing.js';

/** One decaying note. Times in seconds, pitch in hertz. */
interface Note {
  at: number;
  pitch: number;
  /** Seconds until the note has fallen to a third. */
  decay: number;
  /** Overtones: the factor of the pitch and the level. */
  partials: readonly (readonly [factor: number, level: number])[];
}

interface Melody {
  /** Seconds. */
  length: number;
  notes: readonly Note[];
}

const BAR = [
  [1, 1],
  [2.76, 0.25],
  [5.4, 0.08],
] as const;
const GONG = [
  [1, 1],
  [1.48, 0.6],
  [2.09, 0.5],
  [2.56, 0.35],
  [3.39, 0.2],
  [4.1, 0.12],
] as const;
const BELL = [
  [0.5, 0.3],
  [1, 1],
  [1.19, 0.25],
  [2, 0.3],
  [3, 0.1],
] as const;
const TONE = [
  [1, 1],
  [2, 0.2],
  [3, 0.06],
] as const;

const melodies: Readonly<Record<ChimeName, Melody>> = {
  'ding-dong': {
    length: 1.8,
    notes: [
      { at: 0, pitch: 659.26, decay: 0.35, partials: BAR },
      { at: 0.55, pitch: 523.25, decay: 0.4, partials: BAR },
    ],
  },
  gong: { length: 2.2, notes: [{ at: 0, pitch: 233.08, decay: 0.6, partials: GONG }] },
  'three-tones': {
    length: 1.9,
    notes: [
      { at: 0, pitch: 523.25, decay: 0.25, partials: TONE },
      { at: 0.35, pitch: 659.26, decay: 0.25, partials: TONE },
      { at: 0.7, pitch: 783.99, decay: 0.4, partials: TONE },
    ],
  },
  'soft-bell': { length: 1.6, notes: [{ at: 0, pitch: 698.46, decay: 0.4, partials: BELL }] },
};

/** Amplitude of the loudest sample: -9 dB of full scale, about as loud as speech. */
const PEAK = 10 ** (-9 / 20);
/** Seconds in which a note starts. */
const ATTACK = 0.004;
/** Seconds in which the end fades to silence. */
const FADE = 0.1;

/** Synthesises a built-in chime. It starts and ends with silence, so that its seams do not click. */
export function synthesise(name: ChimeName, sampleRate: number): Float32Array {
  const { length, notes } = melodies[name];
  const samples = new Float32Array(Math.round(length * sampleRate));
  for (const note of notes) addNote(samples, note, sampleRate);
  const highest = samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  const fade = FADE * sampleRate;
  return samples.map(
    (sample, at) => (sample * PEAK * Math.min(1, (samples.length - 1 - at) / fade)) / highest,
  );
}

/** Higher partials decay faster, as in struck metal. Omits partials that the sample rate cannot represent. */
function addNote(samples: Float32Array, { at, pitch, decay, partials }: Note, sampleRate: number): void {
  const start = Math.round(at * sampleRate);
  for (const [factor, level] of partials.filter(([factor]) => factor * pitch < 0.45 * sampleRate)) {
    const step = (2 * Math.PI * pitch * factor) / sampleRate;
    const fall = Math.exp(-Math.sqrt(Math.max(1, factor)) / (decay * sampleRate));
    let amplitude = level;
    for (let index = start; index < samples.length; index += 1) {
      const attack = Math.min(1, (index - start) / (ATTACK * sampleRate));
      samples[index] = (samples[index] ?? 0) + amplitude * attack * Math.sin(step * (index - start));
      amplitude *= fall;
    }
  }
}
