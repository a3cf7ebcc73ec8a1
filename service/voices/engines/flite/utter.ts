import { changePitch } from '../../../kit/audio/change-pitch.js';
import { levelled } from '../../../kit/audio/level.js';
import { toFloat, toInt16 } from '../../../kit/audio/samples.js';
import type { Phoneme, Prosody, EnginePiece } from '../engine.js';
import { loudnessOfVoice } from '../loudness-of-voices.js';
import { toIpa } from './arpabet.js';
import type { FliteVoice } from './voices.js';
import { runWasi } from './wasi.js';

/** The prosody of one sentence. The requested duration is already part of the speed. */
export type SentenceProsody = Omit<Prosody, 'duration'>;

/** Limits of Flite's duration stretch, within which the duration follows the setting. */
const STRETCH = { min: 0.05, max: 100 };
const OUTPUT = 'speech.wav';
/** Bytes of the RIFF header that Flite writes. */
const HEADER_BYTES = 44;

/**
 * Speaks one sentence. Blocks for about 2 % of the duration of the audio.
 * @param sentence Text of `toFliteText` with at least one letter or digit.
 */
export function utter(
  module: WebAssembly.Module,
  voice: FliteVoice,
  sentence: string,
  prosody: SentenceProsody,
): EnginePiece {
  // Without the spaces, Flite reads a leading "-" as an option and a single word as a file name.
  const { exitCode, stdout, files } = runWasi(module, [
    'flite',
    '-psdur',
    '-voice',
    voice.id,
    ...settings(voice, prosody).flatMap(([name, value]) => ['--setf', `${name}=${value}`]),
    '-t',
    ` ${sentence} `,
    '-o',
    OUTPUT,
  ]);
  const file = files.contents(OUTPUT);
  if (exitCode !== 0 || file === undefined) throw new Error(`Flite ended with exit code ${exitCode}`);
  const { samples, sampleRate } = readWav(file);
  const pitched = withPitch(samples, sampleRate, voice, prosody);
  return {
    samples: toInt16(levelled(pitched, sampleRate, loudnessOfVoice(voice.id))),
    sampleRate,
    phonemes: readPhonemes(stdout, samples.length / sampleRate),
  };
}

/** Hertz, within the limits of the voice. */
function targetPitch(voice: FliteVoice, semitones: number): number {
  const { min, max } = voice.pitchLimits;
  return Math.min(max, Math.max(min, voice.pitch * 2 ** (semitones / 12)));
}

function isNeutral({ pitchShift, pitchVariance }: SentenceProsody): boolean {
  return pitchShift === 0 && pitchVariance === 1;
}

/** Flite's features. A neutral pitch leaves the pitch features at the defaults of the voice. */
function settings(voice: FliteVoice, prosody: SentenceProsody): Array<[name: string, value: number]> {
  const stretch = Math.min(STRETCH.max, Math.max(STRETCH.min, 1 / prosody.speed));
  if (isNeutral(prosody) || !voice.obeysPitch) return [['duration_stretch', stretch]];
  const pitch = targetPitch(voice, prosody.pitchShift);
  // The deviation grows with the pitch, so that the intervals stay the same. Flite divides by it, so it must not be 0.
  const deviation = Math.max(0.1, (voice.pitchDeviation * prosody.pitchVariance * pitch) / voice.pitch);
  return [
    ['duration_stretch', stretch],
    ['int_f0_target_mean', pitch],
    ['int_f0_target_stddev', deviation],
  ];
}

/** Changes the pitch of the finished audio of a voice that ignores Flite's pitch features. */
function withPitch(
  samples: Float32Array,
  sampleRate: number,
  voice: FliteVoice,
  prosody: SentenceProsody,
): Float32Array {
  if (isNeutral(prosody) || voice.obeysPitch) return samples;
  const { min, max } = voice.pitchLimits;
  const target = targetPitch(voice, prosody.pitchShift);
  const newPitch = (pitch: number) => {
    const moved = target + ((pitch - voice.pitch) * prosody.pitchVariance * target) / voice.pitch;
    return Math.min(max, Math.max(min, moved));
  };
  return changePitch(samples, sampleRate, newPitch);
}

function readWav(file: Buffer): { samples: Float32Array; sampleRate: number } {
  if (file.length < HEADER_BYTES) throw new Error('Flite wrote no audio');
  const data = Uint8Array.from(file.subarray(HEADER_BYTES, file.length - (file.length % 2)));
  return { samples: toFloat(new Int16Array(data.buffer)), sampleRate: file.readUInt32LE(24) };
}

/** Parses `phone:end phone:end ...` in seconds. The last phoneme ends with the audio; Flite's own end is too early. */
function readPhonemes(marks: string, seconds: number): Phoneme[] {
  const ends = [...marks.matchAll(/(?<![a-z])([a-z]+\d?):([\d.]+)/g)].map(([, phone = '', end]) => ({
    symbol: toIpa(phone),
    end: Math.min(Number(end), seconds),
  }));
  return ends.map(({ symbol, end }, index) => {
    const start = ends[index - 1]?.end ?? 0;
    return { symbol, start, duration: (index === ends.length - 1 ? seconds : end) - start };
  });
}
