import { changePitch } from '../../../kit/audio/change-pitch.js';
import { medianPitch, trackPitch } from '../../../kit/audio/pitch.js';
import type { VoiceConfig } from '../../installed/voice-config.js';
import type { Phoneme, Prosody } from '../engine.js';
import { stretch } from '../espeak/stretch.js';
import type { Pace } from './pace/pace.js';
import type { Spelling } from './spelling/spelling.js';
import { audibleExtent, timedPhonemes } from './timing.js';

/** Semitones by which the pitch may change. Beyond that, speech is no longer understandable. */
const MAX_SHIFT = 12;
/** Hertz of the changed pitch. */
const PITCH = { min: 50, max: 600 };

/** The facts of a sentence that do not change while its audio arrives. */
export interface SentenceFacts {
  config: VoiceConfig;
  pace: Pace;
  spelling: Spelling;
  /** Samples of the sentence. */
  length: number;
}

/** The form of the finished audio of a sentence. */
interface Shape {
  config: VoiceConfig;
  prosody: Pick<Prosody, 'pitchShift' | 'pitchVariance'>;
  /** Samples. */
  length: number;
}

/** Whether the audio of a sentence is finished as the model returns it, so that each part can be finished by itself. */
export function isPlain({ pitchShift, pitchVariance }: Shape['prosody'], stretched: number): boolean {
  return pitchShift === 0 && pitchVariance === 1 && stretched === 1;
}

/** Finishes the length and the pitch of a whole sentence. */
export function shaped(samples: Float32Array, { config, prosody, length }: Shape): Float32Array {
  const { sampleRate } = config;
  return withPitch(withLength(samples, sampleRate, length), sampleRate, prosody);
}

function withLength(samples: Float32Array, sampleRate: number, length: number): Float32Array {
  return length === samples.length ? samples : stretch(samples, sampleRate, length / samples.length);
}

/** Moves the pitch around the median of the sentence. */
function withPitch(
  samples: Float32Array,
  sampleRate: number,
  { pitchShift, pitchVariance }: Shape['prosody'],
): Float32Array {
  if (pitchShift === 0 && pitchVariance === 1) return samples;
  const median = medianPitch(trackPitch(samples, sampleRate));
  if (median === undefined) return samples;
  const ratio = 2 ** (Math.max(-MAX_SHIFT, Math.min(MAX_SHIFT, pitchShift)) / 12);
  const newPitch = (pitch: number) =>
    Math.min(PITCH.max, Math.max(PITCH.min, (median + (pitch - median) * pitchVariance) * ratio));
  return changePitch(samples, sampleRate, newPitch);
}

/**
 * Returns the times of the phonemes in the audio of the model: from the durations of the model if it has them, otherwise from the pace.
 * @param samples audio from the start of the sentence
 */
export function timesOf(
  samples: Float32Array,
  durations: Float32Array | null,
  { config: { sampleRate }, spelling: { ids, sounds }, pace, length }: SentenceFacts,
): Phoneme[] {
  const seconds = length / sampleRate;
  if (durations?.length === ids.length) {
    return timedPhonemes(sounds, [...durations], { from: 0, to: seconds }, seconds);
  }
  const weights = ids.map((id) => Math.max(0, pace.ids[id] ?? 0) + pace.rounding);
  const { from, to } = audibleExtent(samples, sampleRate);
  const end = samples.length < length ? seconds : to;
  return timedPhonemes(sounds, weights, { from, to: end }, seconds);
}
