/** The voices of the picker: parses them, filters them, and finds their supported combinations. */
import { fieldsOf, textOf } from '../text.js';

/** Language, style and model of a voice sample. */
export interface Combination {
  language: string;
  style: string;
  model: string;
}

export interface Voice {
  voice_id: string;
  name: string;
  description: string;
  /** Whether the voice is a custom voice. */
  own: boolean;
  gender: string;
  age: string;
  use_cases: readonly string[];
  language: readonly string[];
  styles: readonly string[];
  models: readonly string[];
  /** The supported combinations. A voice without samples may support any. */
  samples: readonly Combination[];
  image: string;
  /** Whether the user installed the voice as a natural voice. Only natural voices have a quality and a licence. */
  isNatural: boolean;
  quality: string;
  licence: string;
  isNonCommercial: boolean;
  /** False if the voice was measured to be too slow for live announcements. */
  isLive: boolean;
}

/** Properties that the picker has a filter list for. */
export const FACETS = ['language', 'gender', 'age', 'use_case', 'style'] as const;
export type Facet = (typeof FACETS)[number];
export type Filters = Readonly<Partial<Record<Facet | 'text', string>>>;

/** Returns the voices of a reply; `more` if the service has further voices. */
export function voicesIn(reply: ReadonlyMap<string, unknown>): { voices: Voice[]; more: boolean } {
  return { voices: listOf(reply.get('voices')).map(voiceOf), more: reply.get('more') === true };
}

function voiceOf(value: unknown): Voice {
  const fields = fieldsOf(value);
  const text = (name: string) => textOf(fields.get(name));
  const texts = (name: string) => listOf(fields.get(name)).map(textOf);
  return {
    voice_id: text('voice_id'),
    name: text('name'),
    description: text('description'),
    own: fields.get('own') === true,
    gender: text('gender'),
    age: text('age'),
    use_cases: [...new Set([text('use_case'), ...texts('use_cases')])].filter(Boolean),
    language: texts('language'),
    styles: texts('styles'),
    models: texts('models'),
    samples: listOf(fields.get('samples')).map(combinationOf),
    image: /^https?:/.test(text('thumbnail_image_url')) ? text('thumbnail_image_url') : '',
    isNatural: fields.get('natural') === true,
    quality: text('quality'),
    licence: text('licence'),
    isNonCommercial: fields.get('non_commercial') === true,
    isLive: fields.get('live') !== false,
  };
}

function combinationOf(value: unknown): Combination {
  const fields = fieldsOf(value);
  const text = (name: string) => textOf(fields.get(name));
  return { language: text('language'), style: text('style'), model: text('model') };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns the preferred language if the voice speaks it or its languages are unknown, otherwise its first language. */
export function languageFor({ language: [first, ...others] }: Voice, preferred: string): string {
  return first === undefined || [first, ...others].includes(preferred) ? preferred : first;
}

/** Returns a voice's values of a facet. Custom voices have no values. */
export function valuesOf(voice: Voice, facet: Facet): readonly string[] {
  if (facet === 'use_case') return voice.use_cases;
  if (facet === 'style') return voice.styles;
  return [voice[facet]].flat().filter(Boolean);
}

/** Returns all values of a facet, sorted. */
export function choicesOf(voices: readonly Voice[], facet: Facet): string[] {
  return [...new Set(voices.flatMap((voice) => valuesOf(voice, facet)))].sort();
}

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
  const possible = voice.samples.filter((sample) => others.every((other) => sample[other] === chosen[other]));
  const listed = { language: voice.language, style: voice.styles, model: voice.models }[part];
  const values = possible.length > 0 ? possible.map((sample) => sample[part]) : listed;
  return [...new Set(values)];
}

const PARTS = ['language', 'style', 'model'] as const;

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
    if (!offersOf(voice, part, settled).includes(value)) return true;
    settled[part] = value;
    return false;
  });
}

/** Returns the sample closest to the chosen values. The language has the highest weight, then the style. */
export function bestSample(voice: Voice, chosen: Readonly<Partial<Combination>>): Combination | undefined {
  const score = (sample: Combination) =>
    (sample.language === chosen.language ? 4 : 0) +
    (sample.style === chosen.style ? 2 : 0) +
    (sample.model === chosen.model ? 1 : 0);
  const [first, ...others] = voice.samples;
  return others.reduce((best, sample) => (best && score(best) >= score(sample) ? best : sample), first);
}
