/** The facts of a voice that decide its language, style and model. */
import { DEFAULT_MODEL, models } from '../interface/models.js';

/** A voice as the service describes it. A missing or empty list is unknown, as for most custom voices. */
export interface VoiceFacts {
  voice_id: string;
  name: string;
  /** `male`, `female` or another word of the service (docs/interface.md#voice). Blank if the service does not state it. */
  gender?: string | undefined;
  /** ISO 639-1 codes. */
  language?: readonly string[] | undefined;
  /** The first one is the default. */
  styles?: readonly string[] | undefined;
  models?: readonly string[] | undefined;
  /** The supported combinations (docs/interface.md#sample). */
  samples?: readonly Combination[] | null | undefined;
  /** Whether the user installed the voice as a natural voice. */
  natural?: boolean | null | undefined;
  /** False if the voice is too slow for live announcements. */
  live?: boolean | null | undefined;
}

/** A language with a style and a model. */
interface Combination {
  language: string;
  style: string;
  model: string;
}

/** Language, style and model of a request. */
type Wish = { language: string; style?: string | undefined; model?: string | undefined };

/** Returns whether a voice speaks a language. True if its languages are unknown: only the service can decide then. */
export function speaks(
  { language: languages = [] }: Pick<VoiceFacts, 'language'>,
  language: string,
): boolean {
  return languages.length === 0 || languages.includes(language);
}

/** Returns the gender of a voice; undefined if it is unknown. */
export const genderOf = (voice: Pick<VoiceFacts, 'gender'> | undefined): string | undefined =>
  voice?.gender || undefined;

/** Returns the best of equally suitable voices: a natural voice that is fast enough, then a simple voice, then a slow one. */
export function bestVoice<Facts extends Pick<VoiceFacts, 'natural' | 'live'>>(
  voices: readonly Facts[],
): Facts | undefined {
  const fast = voices.filter(({ live }) => live !== false);
  return fast.find(({ natural }) => natural === true) ?? fast[0] ?? voices[0];
}

/** Returns the preferred language if the voice speaks it, otherwise the first language of the voice. */
export function languageOf(voice: VoiceFacts | undefined, preferred: string): string {
  if (voice === undefined || speaks(voice, preferred)) return preferred;
  return voice.language?.[0] ?? preferred;
}

/**
 * Returns the style and the model for a language: the requested ones, otherwise the first style of the voice and the
 * default model. If the voice lacks a sample of that combination, another sample decides. Undefined means unknown.
 */
export function styleAndModel(
  voice: VoiceFacts | undefined,
  { language, style, model }: Wish,
): { style: string | undefined; model: string | undefined } {
  const usual = style ?? voice?.styles?.[0];
  const samples = (voice?.samples ?? []).filter(
    (sample) =>
      sample.language === language &&
      sample.style === (style ?? sample.style) &&
      sample.model === (model ?? sample.model),
  );
  const inStyle = samples.filter((sample) => sample.style === usual);
  const best = inStyle.find((sample) => sample.model === DEFAULT_MODEL) ?? inStyle[0] ?? samples[0];
  return { style: best?.style ?? usual, model: best?.model ?? model ?? modelOf(voice, language) };
}

/** Returns the default model if it speaks the language, otherwise the first model of the voice that does. */
function modelOf(voice: VoiceFacts | undefined, language: string): string | undefined {
  const speaking = (voice?.models ?? []).filter(
    (name) => models[name]?.languages.includes(language) !== false,
  );
  return speaking.includes(DEFAULT_MODEL) ? DEFAULT_MODEL : speaking[0];
}

/** Returns whether the default model speaks a language. */
export const isInDefaultModel = (language: string): boolean =>
  models[DEFAULT_MODEL]?.languages.includes(language) === true;
