/** The words of voices in the language of the editor. */
import type { Facet } from '@herald-speech/browser';
import { languageName } from './languages.js';

/** The known words of the interface (docs/interface.md#voice) with their texts. A service may use further words. */
const TEXTS: Readonly<Record<string, string>> = {
  female: 'picker.values.female',
  male: 'picker.values.male',
  child: 'picker.values.child',
  'young-adult': 'picker.values.young-adult',
  'middle-aged': 'picker.values.middle-aged',
  elder: 'picker.values.elder',
  advertisement: 'picker.values.advertisement',
  announcement: 'picker.values.announcement',
  audiobook: 'picker.values.audiobook',
  documentary: 'picker.values.documentary',
  education: 'picker.values.education',
  game: 'picker.values.game',
  narration: 'picker.values.narration',
  storytelling: 'picker.values.storytelling',
  meme: 'picker.values.meme',
  neutral: 'picker.values.neutral',
  happy: 'picker.values.happy',
  sad: 'picker.values.sad',
  angry: 'picker.values.angry',
  serene: 'picker.values.serene',
};

/** Texts with further words for a value. They only serve the search. */
const ALSO: Readonly<Record<string, string>> = {
  female: 'picker.also.female',
  male: 'picker.also.male',
  serene: 'picker.also.serene',
};

/** Returns the name of a value. A value without a text keeps its word. */
export function valueName(facet: Facet, value: string, node: Pick<EditorNode, '_'>): string {
  if (facet === 'language') return languageName(value);
  const key = TEXTS[value];
  return key === undefined ? value : node._(key);
}

/** Returns all names of a value for a search: its word, its name and synonyms, and for a language also the English name. */
export const searchNames =
  (node: Pick<EditorNode, '_'>) =>
  (facet: Facet, value: string): string => {
    const also = ALSO[value];
    const others = facet === 'language' ? languageName(value, 'en') : also && node._(also);
    return [value, valueName(facet, value, node), others].filter(Boolean).join(' ');
  };

const QUALITIES: Readonly<Record<string, string>> = {
  x_low: 'picker.natural.quality.x_low',
  low: 'picker.natural.quality.low',
  medium: 'picker.natural.quality.medium',
  high: 'picker.natural.quality.high',
};

/** Returns the quality in words. An unknown quality keeps its word. */
export function qualityName(quality: string, node: Pick<EditorNode, '_'>): string {
  const key = QUALITIES[quality];
  return key === undefined ? quality : node._(key);
}
