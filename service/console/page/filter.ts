/** Filters voices. */
import { languageName } from './format.js';
import type { Sample, Voice } from './voice.js';

/** The values of all filters. An empty value matches every voice. */
export interface Filters {
  /** Words separated by spaces. Each must start a word of a property of the voice, also of the name of a language. */
  words: string;
  /** `natural`, `preset` or `custom`. A natural voice is also a preset voice. */
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
    hasWords(searchedText(voice), filters.words) &&
    isOfKind(voice, kind) &&
    has(voice.languages, language) &&
    has([voice.gender], gender) &&
    has([voice.age], age) &&
    has(voice.useCases, useCase) &&
    has(voice.styles, style) &&
    has(voice.models, model)
  );
}

function isOfKind({ isCustom, isNatural }: Voice, kind: string): boolean {
  if (kind === 'natural') return isNatural;
  return kind === '' || (kind === 'custom') === isCustom;
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

/** Returns all properties of a voice that a search looks through. */
function searchedText({ languages, ...voice }: Voice): string {
  const { id, name, description, gender, age, useCases, styles } = voice;
  const words = [id, name, description, gender, age, useCases, styles, languages.map(languageName)];
  return words.flat().join(' ');
}

/** Scripts that write words without spaces, so that a search word can start anywhere. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Returns whether each word of the search starts a word of the text, by the rules of the service's voice search. */
export function hasWords(within: string, search: string): boolean {
  const words = wordsOf(within);
  return wordsOf(search).every((wanted) =>
    words.some((word) => word.startsWith(wanted) || (WITHOUT_SPACES.test(wanted) && word.includes(wanted))),
  );
}

/** Returns the words of a text in lower case, without accents. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
