import { VoiceError } from '../../engine.js';
import type { NeuralPart, NeuralSpoken } from './messages.js';

/** A part of the audio of a sentence, or all of it. */
export type AudioPart = Pick<NeuralPart, 'samples' | 'length' | 'durations'>;

/** Joins the parts of a sentence. @throws VoiceError if the process sent no audio, or less or more than it announced */
export function joinedParts(parts: readonly NeuralPart[]): Pick<NeuralSpoken, 'samples' | 'durations'> {
  const [first] = parts;
  const length = parts.reduce((sum, { samples }) => sum + samples.length, 0);
  if (first === undefined || parts.some((part) => part.length !== length))
    throw new VoiceError('the neural process sent incomplete audio');
  const { durations } = first;
  if (parts.length === 1) return { samples: first.samples, durations };
  const samples = new Float32Array(length);
  let place = 0;
  for (const part of parts) {
    samples.set(part.samples, place);
    place += part.samples.length;
  }
  return { samples, durations };
}
