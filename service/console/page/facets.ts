/** What voices are told apart by, each with a list to choose from. */
import type { Voice } from './voice.js';
import { languageName, plain } from './words.js';

interface Facet {
  name: 'language' | 'gender' | 'age' | 'useCase' | 'style' | 'model';
  /** What the page calls it. */
  title: string;
  valuesOf(voice: Voice): readonly string[];
  /** How the page calls a value. */
  wordFor(value: string): string;
}

export const facets: readonly Facet[] = [
  { name: 'language', title: 'Language', valuesOf: ({ languages }) => languages, wordFor: languageName },
  { name: 'gender', title: 'Gender', valuesOf: ({ gender }) => [gender], wordFor: plain },
  { name: 'age', title: 'Age', valuesOf: ({ age }) => [age], wordFor: plain },
  { name: 'useCase', title: 'Use case', valuesOf: ({ useCases }) => useCases, wordFor: plain },
  { name: 'style', title: 'Style', valuesOf: ({ styles }) => styles, wordFor: plain },
  { name: 'model', title: 'Model', valuesOf: ({ models }) => models, wordFor: (value) => value },
];
