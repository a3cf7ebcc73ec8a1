import { inspectAudio, type operations } from '@herald-speech/client';
import type { z } from 'zod';
import { nearestVoice, presets, type SpeakableVoice } from '../voices/catalogue.js';
import type { Speech } from '../speech.js';
import type { Clone, CloneStore } from './clone-store.js';

type CloneRequest = z.output<typeof operations.createClonedVoice.request>;

/** A pitch to start from where a sample has none, in Hz: between a usual man's and a usual woman's. */
const MIDDLE_PITCH = 140;

const APPROXIMATION =
  'An approximation: a built-in voice at the pitch of the sample, not its timbre or accent.';

/**
 * Makes an own voice of a sample: the nearest preset voice at the sample's pitch.
 * @throws WorkerError `refused` for a silent or too short sample
 */
export async function makeClone(
  { files, name, description }: CloneRequest,
  { speech, clones }: { speech: Speech; clones: CloneStore },
  signal: AbortSignal,
): Promise<Clone> {
  const { pitch } = await speech.analyse(files, signal);
  const preset = nearestVoice(pitch ?? MIDDLE_PITCH);
  const wanted = {
    name,
    description: description ? `${description} (${APPROXIMATION})` : APPROXIMATION,
    preset: preset.id,
    pitchShift: pitch === null ? 0 : 12 * Math.log2(pitch / preset.pitch),
  };
  return clones.add(wanted, files, inspectAudio(files).format);
}

/** An own voice as a speech request uses it; it has a single style. undefined when its preset voice is gone. */
export function speakable({ voice_id, preset, pitchShift }: Clone): SpeakableVoice | undefined {
  const voice = presets.get(preset);
  return voice && { ...voice, voice_id, styles: ['neutral'], pitchShift };
}

/** An own voice as the interface shows it (operations.md, Custom voices). */
export function toCustomVoice({ voice_id, name, description }: Clone) {
  return { voice_id, name, description };
}
