/** Filters voices. */
import type { Sample, Voice } from './voice.js';

/** The values of all filters. An empty value matches every voice. */
export interface Filters {
  /** Words separated by spaces. All of them must occur in the name or description. */
  words: string;
  /** `preset` or `custom`. */
  kind: string;
  language: string;
  gender: string;
  age: string;
  useCase: string;
  style: string;
  model: string;
}

/** Returns whether a voice matches all filters. Custom voices match only the filters of words and kind. */
export function matches(voice: Voice, filters: Filters): boolean {
  const { kind, language, gender, age, useCase, style, model } = filters;
  return (
    hasWords(`${voice.name} ${voice.description}`, filters.words) &&
    (kind === '' || (kind === 'custom') === voice.isCustom) &&
    has(voice.languages, language) &&
    has([voice.gender], gender) &&
    has([voice.age], age) &&
    has(voice.useCases, useCase) &&
    has(voice.styles, style) &&
    has(voice.models, model)
  );
}

/** Returns the first sample that matches the filters, or the first sample if none matches. */
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
