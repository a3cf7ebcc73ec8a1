/** The saved pronunciations of an account. */
import { fieldsOf, textOf } from '@herald-speech/browser';
import { isLanguage } from './account-values.js';

/** A word of a text and its replacement. */
export interface Pronunciation {
  word: string;
  replacement: string;
  /** Two-letter code; without it, the entry applies to all languages. */
  language?: string;
  matchCase?: boolean;
}

/** Returns the entries of a saved property. Other values are left out. */
export function pronunciationsIn(saved: unknown): Pronunciation[] {
  const entries: unknown[] = Array.isArray(saved) ? saved : [];
  return entries.map(fieldsOf).map((entry) => {
    const [word, replacement, language] = ['word', 'replacement', 'language'].map((name) =>
      textOf(entry[name]),
    );
    return entryOf(word ?? '', replacement ?? '', language ?? '', entry['matchCase'] === true);
  });
}

/** Returns the localized problem of the first invalid entry, as the runtime would find it. */
export function pronunciationProblem(
  entries: readonly Pronunciation[],
  node: EditorNode,
): string | undefined {
  const wrong = entries.find(
    ({ word, replacement, language = '' }) => word === '' || replacement === '' || !isLanguage(language),
  );
  if (wrong === undefined) return undefined;
  const isFilled = wrong.word !== '' && wrong.replacement !== '';
  return isFilled ? node._('language.wrong') : node._('pronunciations.missing');
}

/** Returns an entry without blank optional fields. */
export const entryOf = (
  word: string,
  replacement: string,
  language: string,
  matchCase: boolean,
): Pronunciation => ({
  word,
  replacement,
  ...(language !== '' && { language }),
  ...(matchCase && { matchCase }),
});
