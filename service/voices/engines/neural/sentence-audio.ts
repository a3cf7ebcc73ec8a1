import { changePitch } from '../../../kit/audio/change-pitch.js';
import { medianPitch, trackPitch } from '../../../kit/audio/pitch.js';
import { normalize, toInt16 } from '../../../kit/audio/samples.js';
import type { VoiceConfig } from '../../installed/voice-config.js';
import type { Phoneme, Prosody, SpeechPiece } from '../engine.js';
import { stretch } from '../espeak/stretch.js';
import type { NeuralSpoken } from './messages.js';
import type { Pace } from './pace/pace.js';
import type { Spelling } from './spelling.js';
import { audibleExtent, timedPhonemes } from './timing.js';

/** Semitones by which the pitch may change. Beyond that, speech is no longer understandable. */
const MAX_SHIFT = 12;
/** Hertz of the changed pitch. */
const PITCH = { min: 50, max: 600 };

/**
 * Finishes the audio of a sentence: length, pitch and loudness.
 * @param length samples of the result
 */
export function finished(
  { samples, durations }: NeuralSpoken,
  { config, pace, spelling, prosody, length }: SentenceFacts,
): SpeechPiece {
  const { sampleRate } = config;
  const spoken = withPitch(withLength(samples, sampleRate, length), sampleRate, prosody);
  return {
    samples: toInt16(normalize(spoken)),
    sampleRate,
    phonemes: timesOf(spoken, sampleRate, spelling, durations, pace),
  };
}

export interface SentenceFacts {
  config: VoiceConfig;
  pace: Pace;
  spelling: Spelling;
  prosody: Pick<Prosody, 'pitchShift' | 'pitchVariance'>;
  length: number;
}

function withLength(samples: Float32Array, sampleRate: number, length: number): Float32Array {
  return length === samples.length ? samples : stretch(samples, sampleRate, length / samples.length);
}

/** Moves the pitch around the median of the sentence. */
function withPitch(
  samples: Float32Array,
  sampleRate: number,
  { pitchShift, pitchVariance }: SentenceFacts['prosody'],
): Float32Array {
  if (pitchShift === 0 && pitchVariance === 1) return samples;
  const median = medianPitch(trackPitch(samples, sampleRate));
  if (median === undefined) return samples;
  const ratio = 2 ** (Math.max(-MAX_SHIFT, Math.min(MAX_SHIFT, pitchShift)) / 12);
  const newPitch = (pitch: number) =>
    Math.min(PITCH.max, Math.max(PITCH.min, (median + (pitch - median) * pitchVariance) * ratio));
  return changePitch(samples, sampleRate, newPitch);
}

/** Returns the times of the phonemes: from the durations of the model if it has them, otherwise from the pace. */
function timesOf(
  samples: Float32Array,
  sampleRate: number,
  { ids, sounds }: Spelling,
  durations: Float32Array | null,
  pace: Pace,
): Phoneme[] {
  const seconds = samples.length / sampleRate;
  if (durations?.length === ids.length) {
    return timedPhonemes(sounds, [...durations], { from: 0, to: seconds }, seconds);
  }
  const weights = ids.map((id) => Math.max(0, pace.ids[id] ?? 0) + pace.rounding);
  return timedPhonemes(sounds, weights, audibleExtent(samples, sampleRate), seconds);
}
