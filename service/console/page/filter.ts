/** Which voices pass the filters. */
import type { Sample, Voice } from './voice.js';

/** An empty word filters nothing. */
export interface Filters {
  /** Words that must all occur in name or description. */
  words: string;
  kind: string;
  language: string;
  gender: string;
  age: string;
  useCase: string;
  style: string;
  model: string;
}

/** Whether a voice passes every filter. Of an own voice only name and description are known, so others leave it out. */
export function passes(voice: Voice, filters: Filters): boolean {
  const { kind, language, gender, age, useCase, style, model } = filters;
  return (
    hasWords(`${voice.name} ${voice.description}`, filters.words) &&
    (kind === '' || (kind === 'own') === voice.isOwn) &&
    has(voice.languages, language) &&
    has([voice.gender], gender) &&
    has([voice.age], age) &&
    has(voice.useCases, useCase) &&
    has(voice.styles, style) &&
    has(voice.models, model)
  );
}

/** The sample that fits the filters best: the first one that has what they ask for, or the first of all. */
export function sampleFor({ samples }: Voice, { language, style, model }: Filters): Sample | undefined {
  const fits = (sample: Sample) =>
    has([sample.language], language) && has([sample.style], style) && has([sample.model], model);
  return samples.find(fits) ?? samples[0];
}

function has(values: readonly string[], wanted: string): boolean {
  return wanted === '' || values.includes(wanted);
}

function hasWords(within: string, words: string): boolean {
  const lower = within.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => lower.includes(word));
}
