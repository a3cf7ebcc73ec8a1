import { changePitch } from '../../audio/change-pitch.js';
import { normalize, toFloat, toInt16 } from '../../audio/samples.js';
import type { Delivery, Phoneme, SpeechPiece } from '../engine.js';
import { toIpa } from './arpabet.js';
import type { FliteVoice } from './voices.js';
import { runWasi } from './wasi.js';

/** Of a delivery, what one sentence needs: the wished length has become a stretch by then. */
export interface Manner extends Pick<Delivery, 'pitchShift' | 'pitchVariance'> {
  /** 2 is twice as long. */
  stretch: number;
}

/** Where Flite still gives sound of about the length asked for. */
const STRETCH = { min: 0.05, max: 100 };
const OUTPUT = 'speech.wav';
/** A RIFF header as Flite writes it, always this long. */
const HEADER_BYTES = 44;

/**
 * One sentence as audio with its phonemes; blocks for about 2 % of the audio's length.
 * @param sentence Readable text (`toReadable`) with something to say.
 */
export function utter(
  module: WebAssembly.Module,
  voice: FliteVoice,
  sentence: string,
  manner: Manner,
): SpeechPiece {
  // The spaces keep a leading "-" from being read as an option, and a single word from being read as a file name.
  const { exitCode, stdout, files } = runWasi(module, [
    'flite',
    '-psdur',
    '-voice',
    voice.id,
    ...settings(voice, manner).flatMap(([name, value]) => ['--setf', `${name}=${value}`]),
    '-t',
    ` ${sentence} `,
    '-o',
    OUTPUT,
  ]);
  const file = files.contents(OUTPUT);
  if (exitCode !== 0 || file === undefined) throw new Error(`the engine ended with ${exitCode}`);
  const { samples, sampleRate } = readWav(file);
  const spoken = normalize(withMelody(samples, sampleRate, voice, manner));
  return {
    samples: toInt16(spoken),
    sampleRate,
    phonemes: readPhonemes(stdout, samples.length / sampleRate),
  };
}

/** The pitch that a voice shall have in Hz, as far as it goes. */
function targetPitch(voice: FliteVoice, semitones: number): number {
  const { min, max } = voice.pitchRange;
  return Math.min(max, Math.max(min, voice.pitch * 2 ** (semitones / 12)));
}

function isOwnMelody({ pitchShift, pitchVariance }: Manner): boolean {
  return pitchShift === 0 && pitchVariance === 1;
}

/** Flite's features; without a wish for another melody the voice keeps its own, untouched. */
function settings(voice: FliteVoice, manner: Manner): Array<[name: string, value: number]> {
  const stretch = Math.min(STRETCH.max, Math.max(STRETCH.min, manner.stretch));
  if (isOwnMelody(manner) || !voice.obeysPitch) return [['duration_stretch', stretch]];
  const pitch = targetPitch(voice, manner.pitchShift);
  // The spread grows with the pitch, so that a shifted melody keeps its intervals. Flite divides by it: never 0.
  const spread = Math.max(0.1, (voice.pitchSpread * manner.pitchVariance * pitch) / voice.pitch);
  return [
    ['duration_stretch', stretch],
    ['int_f0_target_mean', pitch],
    ['int_f0_target_stddev', spread],
  ];
}

/** For a voice that ignores Flite's pitch features: the same melody, made from the finished audio. */
function withMelody(
  samples: Float32Array,
  sampleRate: number,
  voice: FliteVoice,
  manner: Manner,
): Float32Array {
  if (isOwnMelody(manner) || voice.obeysPitch) return samples;
  const { min, max } = voice.pitchRange;
  const target = targetPitch(voice, manner.pitchShift);
  const melody = (pitch: number) => {
    const moved = target + ((pitch - voice.pitch) * manner.pitchVariance * target) / voice.pitch;
    return Math.min(max, Math.max(min, moved));
  };
  return changePitch(samples, sampleRate, melody);
}

function readWav(file: Buffer): { samples: Float32Array; sampleRate: number } {
  if (file.length < HEADER_BYTES) throw new Error('the engine wrote no audio');
  const data = Uint8Array.from(file.subarray(HEADER_BYTES, file.length - (file.length % 2)));
  return { samples: toFloat(new Int16Array(data.buffer)), sampleRate: file.readUInt32LE(24) };
}

/** Reads `phone:end phone:end ...` (seconds). The last one ends with the audio, which Flite cuts a little early. */
function readPhonemes(marks: string, seconds: number): Phoneme[] {
  const ends = [...marks.matchAll(/([a-z]+\d?):([\d.]+)/g)].map(([, phone = '', end]) => ({
    symbol: toIpa(phone),
    end: Math.min(Number(end), seconds),
  }));
  return ends.map(({ symbol, end }, index) => {
    const start = ends[index - 1]?.end ?? 0;
    return { symbol, start, duration: (index === ends.length - 1 ? seconds : end) - start };
  });
}
