import { inspectAudio } from '@herald-speech/client/audio';
import { type operations } from '@herald-speech/client/interface';
import type { z } from 'zod';
import { type CustomVoiceRow, CustomVoices } from './custom-voices.js';
import type { SampleFacts } from '../audio/sample.js';
import {
  type Catalogue,
  type CatalogueVoice,
  ownManner,
  semitones,
  type SpeakableVoice,
} from '../voices/catalogue.js';
import { numberToken, type Order } from '../paging.js';
import type { Speech } from '../workers/speech.js';
import type { SampleFiles } from './sample-files.js';

type CloneRequest = z.output<typeof operations.createClonedVoice.request>;

/** A pitch to start from where a sample has none, in Hz: between a usual man's and a usual woman's. */
const MIDDLE_PITCH = 140;

const APPROXIMATION =
  'An approximation: a built-in voice with the pitch, melody and pace of the sample, not its timbre or accent.';

interface CloneParts {
  speech: Speech;
  samples: SampleFiles;
  voices: CustomVoices;
  catalogue: Catalogue;
}

/**
 * Makes an own voice of a sample: the nearest preset voice at the sample's pitch, with its melody and pace. An engine that
 * clones takes the sample itself; the rest is kept for the day when that engine is gone.
 * @throws WorkerError `refused` for a silent or too short sample; AccountsError when there is no room for another
 */
export async function makeClone(
  { files, name, description }: CloneRequest,
  account: string,
  { speech, samples, voices, catalogue }: CloneParts,
  signal: AbortSignal,
): Promise<CustomVoiceRow> {
  const facts = await speech.analyse(files, signal);
  const { pitch } = facts;
  const preset = catalogue.nearest(pitch ?? MIDDLE_PITCH);
  if (preset === undefined) throw new Error('there is no engine with a voice');
  const voice_id = CustomVoices.newId();
  const sample = `${voice_id}.${inspectAudio(files).format}`;
  const voice = {
    voice_id,
    name,
    description: catalogue.cloner() === undefined ? approximate(description) : (description ?? ''),
    preset: preset.id,
    pitchShift: pitch === null ? 0 : semitones(preset.pitch, pitch),
    ...mannerOf(facts, preset),
    sample,
  };
  return samples.add(sample, files, () => voices.add(account, voice));
}

function approximate(description: string | undefined): string {
  return description ? `${description} (${APPROXIMATION})` : APPROXIMATION;
}

/** Estimates of a voice's manner are rough: a clone stays within these. */
const VARIANCE = { min: 0.4, max: 2 };
const RATE = { min: 0.75, max: 1.35 };

/**
 * Melody and pace of a sample, relative to the preset voice. Peaks of loudness merge when speech gets faster: measured on
 * the built-in voices at speeds of 0.75 to 1.4, their rate follows the square root of the speed.
 */
function mannerOf(
  { spread, rate }: SampleFacts,
  { manner }: CatalogueVoice,
): { pitchVariance: number; rate: number } {
  if (manner === undefined) return { pitchVariance: 1, rate: 1 };
  return {
    pitchVariance: spread === null ? 1 : within(VARIANCE, spread / manner.spread),
    rate: within(RATE, (rate / manner.rate) ** 2),
  };
}

const within = ({ min, max }: { min: number; max: number }, value: number) =>
  Math.min(max, Math.max(min, value));

/**
 * An own voice as a speech request uses it; it has a single style. An engine that clones in the language speaks like the
 * sample. Where none does, the preset voice approximates it; in a language that this one lacks, the nearest voice that
 * has it speaks at the same pitch.
 * @returns undefined when its preset voice is gone
 */
export function speakable(
  own: CustomVoiceRow,
  language: string,
  catalogue: Catalogue,
): SpeakableVoice | undefined {
  const { voice_id, name, sample } = own;
  const styles = ['neutral'] as const;
  const cloner = catalogue.cloner(language);
  if (cloner !== undefined) {
    const { id: engine, cloning } = cloner;
    const { languages } = cloning;
    return { voice_id, name, engine, engineVoice: voice_id, sample, languages, styles, ...ownManner };
  }
  const home = catalogue.get(own.preset);
  if (home === undefined) return undefined;
  const pitch = home.pitch * 2 ** (own.pitchShift / 12);
  const voice = home.languages.includes(language) ? home : (catalogue.nearest(pitch, language) ?? home);
  const { pitchVariance, rate } = own;
  const { engine, languages } = voice;
  const pitchShift = semitones(voice.pitch, pitch);
  const like = { pitchShift, pitchVariance, rate };
  return { voice_id, name, engine, engineVoice: voice.id, languages, styles, ...like };
}

/** An own voice as the interface shows it (docs/interface.md#custom-voice). */
export function toCustomVoice({ voice_id, name, description }: CustomVoiceRow) {
  return { voice_id, name, description };
}

/** The order of their making; the tokens are numbers (docs/interface.md#paging). */
export const customVoiceOrder: Order<CustomVoiceRow> = {
  place: ({ place }) => place,
  write: ({ place }) => numberToken.write(place),
  read: (token) => numberToken.read(token),
};
