/** Search of voices by words, in any order. */
import type { Voice } from './voice.js';

/** Scripts that write words without spaces, so that a search word can start anywhere. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Converts a text to lower case and removes accents. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the words of a text. */
const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether each search word is a word of the text, or the start of one. */
export function hasWords(text: string, search: string): boolean {
  const words = wordsOf(text);
  return wordsOf(search).every((wanted) =>
    words.some((word) => word.startsWith(wanted) || (WITHOUT_SPACES.test(wanted) && word.includes(wanted))),
  );
}

/** Returns the names of a language code. */
export type NamesOf = (code: string) => string;

/** Returns the text that a search looks through: name, identifier, description, and all properties by their names. */
export function searchedText(voice: Voice, namesOf: NamesOf): string {
  const { name, voice_id, description, gender, age, use_cases: uses, styles, language } = voice;
  const languages = language.flatMap((code) => [code, namesOf(code)]);
  return [name, voice_id, description, gender, age, ...uses, ...styles, ...languages].join(' ');
}
