/** Filters voices. */
import {
  type Facet,
  FACETS,
  type VoiceFilters,
  matchesFilters,
  searchNames,
  valueNameIn,
  type Voice,
} from '@herald-speech/browser';
import { capitalized, language } from '../lib/text.js';

/** The values of all filters. A missing or empty value matches every voice. `kind`: `natural`, `preset` or `custom`. */
export type ListFilters = VoiceFilters & { readonly kind?: string };

export const filterNames = ['kind', ...FACETS] as const;

/** Returns the name of a value in a list. */
export const valueName = (facet: Facet, value: string): string =>
  facet === 'model' ? value : capitalized(valueNameIn(facet, value, language()));

/** Returns whether a voice matches all filters. A natural voice is also a preset voice. */
export function matches(voice: Voice, { kind = '', ...filters }: ListFilters): boolean {
  return isOfKind(voice, kind) && matchesFilters(voice, filters, searchNames(language()));
}

function isOfKind({ own, isNatural }: Voice, kind: string): boolean {
  if (kind === 'natural') return isNatural;
  return kind === '' || (kind === 'custom') === own;
}
