import type { operations, RequestOf, Voice } from '@herald-speech/client/interface';
import { modelNamed } from './model-name.js';

/** What `GET /v1/voices/search` filters by (docs/interface.md#voice-search), without the paging. */
export type VoiceFilters = Omit<RequestOf<typeof operations.searchVoices>, 'page_size' | 'next_page_token'>;

/**
 * The voices that pass every filter, in their natural order (docs/interface.md#voice-search).
 * A comma is "or" within a filter; in `style` a semicolon is "and".
 */
export function searchVoices(voices: readonly Voice[], filters: VoiceFilters): Voice[] {
  return voices.filter(
    (voice) =>
      hasWords(voice.name, filters.name) &&
      hasWords(voice.description, filters.description) &&
      hasAny(voice.language, filters.language) &&
      hasAny([voice.gender], filters.gender) &&
      hasAny([voice.age], filters.age) &&
      hasAny([voice.use_case], filters.use_case) &&
      hasAny(voice.use_cases, filters.use_cases) &&
      hasStyle(voice.styles, filters.style) &&
      hasModel(voice.models, filters.model),
  );
}

/** Whether every word of the search occurs, in any case, anywhere in the text (docs/interface.md#voice-search). */
export function hasWords(text: string | null | undefined, search: string | undefined): boolean {
  const within = (text ?? '').toLowerCase();
  const words = (search ?? '').toLowerCase().split(/\s+/u);
  return words.every((word) => within.includes(word));
}

function hasAny(values: readonly string[], filter: string | undefined): boolean {
  return filter === undefined || wordsOf(filter, ',').some((word) => has(values, word));
}

function hasModel(models: readonly string[], filter: string | undefined): boolean {
  return filter === undefined || wordsOf(filter, ',').some((word) => models.includes(modelNamed(word)));
}

function hasStyle(styles: readonly string[], filter: string | undefined): boolean {
  if (filter?.includes(';') !== true) return hasAny(styles, filter);
  return wordsOf(filter, ';').every((word) => has(styles, word));
}

function has(values: readonly string[], word: string): boolean {
  return values.some((value) => value.toLowerCase() === word);
}

function wordsOf(filter: string, separator: string): string[] {
  return filter
    .split(separator)
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}
