/** Filters voices. */
import {
  type Facet,
  FACETS,
  type Filters as VoiceFilters,
  languageName as nameIn,
  matchesFilters,
  type Voice,
} from '@herald-speech/browser';
import { languageName, plain } from '../lib/format.js';

/** The values of all filters. A missing or empty value matches every voice. `kind`: `natural`, `preset` or `custom`. */
export type Filters = VoiceFilters & { readonly kind?: string };

export const filterNames = ['kind', ...FACETS] as const;

/** Returns the name of a value in a list. */
export function valueName(facet: Facet, value: string): string {
  if (facet === 'language') return languageName(value);
  return facet === 'model' ? value : plain(value);
}

/** Returns whether a voice matches all filters. A natural voice is also a preset voice. */
export function matches(voice: Voice, { kind = '', ...filters }: Filters): boolean {
  return isOfKind(voice, kind) && matchesFilters(voice, filters, searchNames);
}

/** Returns all names of a value for a search: its word, its name, and for a language also the English name. */
const searchNames = (facet: Facet, value: string): string =>
  [value, valueName(facet, value), facet === 'language' ? nameIn(value, 'en') : ''].join(' ');

function isOfKind({ own, isNatural }: Voice, kind: string): boolean {
  if (kind === 'natural') return isNatural;
  return kind === '' || (kind === 'custom') === own;
}
