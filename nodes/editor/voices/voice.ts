/** Voices as the picker knows them: what there is, what fits, and what a voice can be combined with. */
import { fieldsOf, textOf } from '../text.js';

/** What a voice can be spoken with. */
export interface Combination {
  language: string;
  style: string;
  model: string;
}

export interface Voice {
  voice_id: string;
  name: string;
  description: string;
  own: boolean;
  gender: string;
  age: string;
  use_cases: readonly string[];
  language: readonly string[];
  styles: readonly string[];
  models: readonly string[];
  /** The authority on what can be combined, where there are any. */
  samples: readonly Combination[];
  image: string;
}

/** What a voice can be looked for by, beside words. */
export const FACETS = ['language', 'gender', 'age', 'use_case', 'style'] as const;
export type Facet = (typeof FACETS)[number];
export type Filters = Readonly<Partial<Record<Facet | 'text', string>>>;

/** The voices in a reply of the runtime. */
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
  };
}

function combinationOf(value: unknown): Combination {
  const fields = fieldsOf(value);
  const text = (name: string) => textOf(fields.get(name));
  return { language: text('language'), style: text('style'), model: text('model') };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What a voice has of a facet; own voices have nothing but a name and a description. */
export function valuesOf(voice: Voice, facet: Facet): readonly string[] {
  if (facet === 'use_case') return voice.use_cases;
  if (facet === 'style') return voice.styles;
  return [voice[facet]].flat().filter(Boolean);
}

/** The values of a facet that any of the voices has, in order. */
export function choicesOf(voices: readonly Voice[], facet: Facet): string[] {
  return [...new Set(voices.flatMap((voice) => valuesOf(voice, facet)))].sort();
}

/** Whether every filter fits, and every word is in the name, the description or the identifier. */
export function fits(voice: Voice, filters: Filters): boolean {
  const words = (filters.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const told = [voice.name, voice.description, voice.voice_id].join(' ').toLowerCase();
  const wanted = FACETS.filter((facet) => filters[facet]);
  return (
    words.every((word) => told.includes(word)) &&
    wanted.every((facet) => valuesOf(voice, facet).includes(filters[facet] ?? ''))
  );
}

/** The values of one part that a voice can be spoken with, where the other parts are as chosen; blank is any. */
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

/** The first part of a choice that the voice can't be spoken with; a voice without samples can be with anything. */
export function impossiblePart(
  voice: Voice,
  chosen: Readonly<Partial<Combination>>,
): keyof Combination | undefined {
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

/** The sample that is nearest to what is chosen; language first, then style. */
export function bestSample(voice: Voice, chosen: Readonly<Partial<Combination>>): Combination | undefined {
  const score = (sample: Combination) =>
    (sample.language === chosen.language ? 4 : 0) +
    (sample.style === chosen.style ? 2 : 0) +
    (sample.model === chosen.model ? 1 : 0);
  const [first, ...others] = voice.samples;
  return others.reduce((best, sample) => (best && score(best) >= score(sample) ? best : sample), first);
}
