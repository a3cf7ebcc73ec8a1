/** The voices of a service: parses them, and finds their supported combinations. */
import { withoutRegion } from './languages.js';
import { type Fields, fieldsOf, listOf, numberOf, textOf, textsOf } from './values.js';

/** Language, style and model of a voice sample. */
export interface Combination {
  language: string;
  style: string;
  model: string;
}

/** A recorded combination. The runtime of Node-RED leaves out the URL: '' without it. */
export interface Sample extends Combination {
  url: string;
}

/** A voice. Unknown values are empty. */
export interface Voice {
  voice_id: string;
  name: string;
  description: string;
  /** Whether the voice is a custom voice. */
  own: boolean;
  /** Whether the service speaks the custom voice with a voice that only approximates the sample. */
  isApproximate: boolean;
  gender: string;
  age: string;
  use_cases: readonly string[];
  language: readonly string[];
  /** The first language with the region of the accent (BCP 47), if the service tells it. */
  locale: string;
  styles: readonly string[];
  models: readonly string[];
  /** The supported combinations. A voice without samples may support any. */
  samples: readonly Sample[];
  image: string;
  /** Whether the user installed the voice as a natural voice. Only natural voices have a quality and a licence. */
  isNatural: boolean;
  quality: string;
  licence: string;
  isNonCommercial: boolean;
  /** False if the voice was measured to be too slow for live announcements. */
  isLive: boolean;
  /** Seconds of computing per second of speech. 0 if not measured. */
  realTimeFactor: number;
}

/** Properties of voices that have a filter. */
export const FACETS = ['language', 'gender', 'age', 'use_case', 'style', 'model'] as const;
export type Facet = (typeof FACETS)[number];
export type VoiceFilters = Readonly<Partial<Record<Facet | 'text', string>>>;

/** Reads the voices of a reply; `more` if the service has further voices. */
export function voicesIn({ voices, more }: Fields): { voices: Voice[]; more: boolean } {
  return { voices: listOf(voices).map(voiceOf), more: more === true };
}

/** Reads a voice. A custom voice of a service has only name and description (docs/interface.md#custom-voice). */
export function voiceOf(value: unknown): Voice {
  const fields = fieldsOf(value);
  const text = (name: string) => textOf(fields[name]);
  return {
    voice_id: text('voice_id'),
    name: text('name'),
    description: text('description'),
    own: fields['own'] === true,
    isApproximate: fields['approximate'] === true,
    gender: text('gender'),
    age: text('age'),
    use_cases: [...new Set([text('use_case'), ...textsOf(fields['use_cases'])])].filter(Boolean),
    language: textsOf(fields['language']),
    locale: text('locale'),
    styles: textsOf(fields['styles']),
    models: textsOf(fields['models']),
    samples: listOf(fields['samples']).map(sampleOf),
    image: /^https?:/.test(text('thumbnail_image_url')) ? text('thumbnail_image_url') : '',
    isNatural: fields['natural'] === true,
    quality: text('quality'),
    licence: text('licence'),
    isNonCommercial: fields['non_commercial'] === true,
    isLive: fields['live'] !== false,
    realTimeFactor: numberOf(fields['real_time_factor']) ?? 0,
  };
}

function sampleOf(value: unknown): Sample {
  const { language, style, model, url } = fieldsOf(value);
  return { language: textOf(language), style: textOf(style), model: textOf(model), url: textOf(url) };
}

/** Whether a value of a voice fits a chosen one: `en` fits `en-GB`. */
const fits = (part: keyof Combination, value: string, chosen: string | undefined): boolean =>
  part === 'language' ? withoutRegion(value) === withoutRegion(chosen ?? '') : value === chosen;

/**
 * Returns the preferred language, with its region, if the voice speaks it or its languages are unknown, otherwise the first language of
 * the voice.
 */
export function languageFor({ language }: Voice, preferred: string): string {
  const [first] = language;
  return first === undefined || language.some((one) => fits('language', one, preferred)) ? preferred : first;
}

/** Returns a voice's values of a facet. Custom voices have no values. */
export function valuesOf(voice: Voice, facet: Facet): readonly string[] {
  if (facet === 'use_case') return voice.use_cases;
  if (facet === 'style') return voice.styles;
  if (facet === 'model') return voice.models;
  return [voice[facet]].flat().filter(Boolean);
}

/** Returns all values of a facet, sorted. */
export function choicesOf(voices: readonly Voice[], facet: Facet): string[] {
  return [...new Set(voices.flatMap((voice) => valuesOf(voice, facet)))].sort();
}

const PARTS = ['language', 'style', 'model'] as const;

/**
 * Returns the values of one part that the voice supports together with the other chosen parts.
 * @param chosen a missing or blank part means any value
 */
export function offersOf(
  voice: Voice,
  part: keyof Combination,
  chosen: Readonly<Partial<Combination>>,
): string[] {
  const others = PARTS.filter((other) => other !== part && chosen[other]);
  const possible = voice.samples.filter((sample) =>
    others.every((other) => fits(other, sample[other], chosen[other])),
  );
  const values = possible.length > 0 ? possible.map((sample) => sample[part]) : valuesOf(voice, part);
  return [...new Set(values)];
}

/** Returns the first chosen part that the voice does not support, undefined if it supports the combination. */
export function impossiblePart(
  voice: Voice,
  chosen: Readonly<Partial<Combination>>,
): keyof Combination | undefined {
  if (chosen.language && languageFor(voice, chosen.language) !== chosen.language) return 'language';
  if (voice.samples.length === 0) return undefined;
  const settled: Partial<Combination> = {};
  return PARTS.find((part) => {
    const value = chosen[part];
    if (!value) return false;
    if (!offersOf(voice, part, settled).some((offer) => fits(part, offer, value))) return true;
    settled[part] = value;
    return false;
  });
}

/** Returns the sample closest to the chosen values. The language has the highest weight, then the style. */
export function bestSample(voice: Voice, chosen: Readonly<Partial<Combination>>): Sample | undefined {
  const score = (sample: Combination) =>
    (fits('language', sample.language, chosen.language) ? 4 : 0) +
    (sample.style === chosen.style ? 2 : 0) +
    (sample.model === chosen.model ? 1 : 0);
  const [first, ...others] = voice.samples;
  return others.reduce((best, sample) => (best && score(best) >= score(sample) ? best : sample), first);
}
