import { inspectAudio } from '@herald-speech/client/audio';
import { type operations } from '@herald-speech/client/interface';
import type { z } from 'zod';
import { type CustomVoiceRow, CustomVoices } from '../../accounts/custom-voices.js';
import type { SampleFacts } from '../../kit/audio/sample.js';
import {
  type Catalogue,
  type CatalogueVoice,
  unchangedProsody,
  semitones,
  type SpeakableVoice,
} from '../catalogue/catalogue.js';
import { numberToken, type Order } from '../../kit/paging.js';
import type { SpeechSynthesis } from '../workers/speech.js';
import type { SampleFiles } from '../../accounts/sample-files.js';

type CloneRequest = z.output<typeof operations.createClonedVoice.request>;

/** Hertz. Pitch of a sample without a measurable pitch: between typical male and female voices. */
const MIDDLE_PITCH = 140;

interface CloneDependencies {
  speech: SpeechSynthesis;
  samples: SampleFiles;
  voices: CustomVoices;
  catalogue: Catalogue;
}

/**
 * Creates a custom voice from a sample (docs/interface.md#clone). Stores the sample, the preset voice with the nearest
 * pitch, and the prosody of the sample relative to that voice. An engine that clones uses only the sample. The other
 * values serve if that engine is removed later.
 * @throws WorkerError `refused` for a silent, damaged or too short sample; AccountsError `conflict` if the account has
 *   the maximum number of custom voices, `invalid` for a text that cannot be stored
 */
export async function cloneVoice(
  { files, name, description }: CloneRequest,
  account: string,
  { speech, samples, voices, catalogue }: CloneDependencies,
  signal: AbortSignal,
): Promise<CustomVoiceRow> {
  const facts = await speech.analyse(files, signal);
  const { pitch } = facts;
  const preset = catalogue.nearestSimple(pitch ?? MIDDLE_PITCH);
  if (preset === undefined) throw new Error('no engine has a voice: check the setting "engines"');
  const voice_id = CustomVoices.newId();
  const sample = `${voice_id}.${inspectAudio(files).format}`;
  const voice = {
    voice_id,
    name,
    description: description ?? '',
    preset: preset.id,
    pitchShift: pitch === null ? 0 : semitones(preset.pitch, pitch),
    ...prosodyOf(facts, preset),
    sample,
  };
  return samples.add(sample, files, () => voices.add(account, voice));
}

/** Limits of the prosody of a custom voice, because the estimates are rough. */
const VARIANCE = { min: 0.4, max: 2 };
const RATE = { min: 0.75, max: 1.35 };

/**
 * Returns pitch range and rate of a sample, relative to the preset voice. Loudness peaks merge in fast speech: on the
 * built-in voices at speeds of 0.75 to 1.4, the rate of the peaks follows the square root of the speed.
 */
function prosodyOf(
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

/** The single style of a custom voice. */
export const customStyles = ['neutral'] as const;

/**
 * Returns a custom voice in the form that speech requests need. It has a single style. If an engine clones voices in the
 * language, that engine speaks. Otherwise the preset voice approximates the sample. If the preset voice lacks the
 * language, the voice of that language with the nearest pitch takes its place, at the same pitch.
 * @returns undefined if no engine clones and the preset voice was removed
 */
export function speakable(
  customVoice: CustomVoiceRow,
  language: string,
  catalogue: Catalogue,
): SpeakableVoice | undefined {
  const { voice_id, name, sample } = customVoice;
  const styles = customStyles;
  const cloner = catalogue.cloner(language);
  if (cloner !== undefined) {
    const { id: engine, cloning } = cloner;
    const { languages } = cloning;
    return { voice_id, name, engine, engineVoice: voice_id, sample, languages, styles, ...unchangedProsody };
  }
  const preset = catalogue.get(customVoice.preset);
  if (preset === undefined) return undefined;
  const pitch = preset.pitch * 2 ** (customVoice.pitchShift / 12);
  const voice = preset.languages.includes(language) ? preset : (catalogue.nearest(pitch, language) ?? preset);
  const { pitchVariance, rate } = customVoice;
  const { engine, languages } = voice;
  const prosody = { pitchShift: semitones(voice.pitch, pitch), pitchVariance, rate };
  const approximate = true;
  return { voice_id, name, engine, engineVoice: voice.id, approximate, languages, styles, ...prosody };
}

/** Returns the reply field of voices that only approximate their samples (docs/interface.md#custom-voice). */
export const approximation = (catalogue: Catalogue): { approximate?: true } =>
  catalogue.cloner() === undefined ? { approximate: true } : {};

/** Returns the reply fields of a custom voice (docs/interface.md#custom-voice). */
export function toCustomVoice({ voice_id, name, description }: CustomVoiceRow, catalogue: Catalogue) {
  return { voice_id, name, description, styles: [...customStyles], ...approximation(catalogue) };
}

/** The order of creation. The tokens are integers (docs/interface.md#paging). */
export const customVoiceOrder: Order<CustomVoiceRow> = {
  place: ({ place }) => place,
  write: ({ place }) => numberToken.write(place),
  read: (token) => numberToken.read(token),
};
