/** The properties of voices that have a filter. */
import { languageName, plain } from './format.js';
import type { Voice } from './voice.js';

interface Facet {
  name: 'language' | 'gender' | 'age' | 'useCase' | 'style' | 'model';
  /** Label of the filter. */
  title: string;
  valuesOf(voice: Voice): readonly string[];
  /** Returns the label of a value. */
  labelFor(value: string): string;
}

export const facets: readonly Facet[] = [
  { name: 'language', title: 'Language', valuesOf: ({ languages }) => languages, labelFor: languageName },
  { name: 'gender', title: 'Gender', valuesOf: ({ gender }) => [gender], labelFor: plain },
  { name: 'age', title: 'Age', valuesOf: ({ age }) => [age], labelFor: plain },
  { name: 'useCase', title: 'Use case', valuesOf: ({ useCases }) => useCases, labelFor: plain },
  { name: 'style', title: 'Style', valuesOf: ({ styles }) => styles, labelFor: plain },
  { name: 'model', title: 'Model', valuesOf: ({ models }) => models, labelFor: (value) => value },
];
