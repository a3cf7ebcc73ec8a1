import { z } from '#zod';
import { checkRequest } from '../interface/check-request.js';
import { rule } from '../interface/describe-issues.js';
import { MAX_TEXT_LENGTH } from '../interface/limits.js';
import { lazy } from '../base/lazy.js';
import { text as message } from '../base/messages.js';
import { type WordBorders, wordBorders } from './word-borders.js';

/** A word and the text that the service reads in its place. */
export interface Pronunciation {
  /** One or more words. */
  word: string;
  replacement: string;
  /** Language code of the texts to which the entry applies, such as "en". Blank or missing: all languages. */
  language?: string | undefined;
  /** Whether upper and lower case must match. Default false. */
  matchCase?: boolean | undefined;
}

/** Maximum number of entries of a dictionary. */
const MAX_ENTRIES = 10_000;

/** The schema of a dictionary. It is built on first use. */
export const pronunciationList = lazy(() => {
  const words = z
    .string()
    .max(MAX_TEXT_LENGTH)
    .refine((value) => value.trim() !== '', rule(message('rule-word')));
  const language = z.string().regex(/^(?:[a-z]{2,3}(?:[-_][a-z0-9]+)*)?$/i, rule(message('rule-language')));
  const matchCase = z.boolean();
  return z
    .array(
      z.object({
        word: words,
        replacement: words,
        language: language.optional(),
        matchCase: matchCase.optional(),
      }),
    )
    .max(MAX_ENTRIES);
});

/** The list as a field, so that a message names the field. */
const dictionary = lazy(() => z.object({ pronunciations: pronunciationList() }));

/**
 * Replaces whole words, as `pronunciations` say. Among the entries that match at one place, the longest word wins, then an
 * entry for the language of the text, then the first entry. A replacement is not searched again. `wordBorders` documents
 * when a match is a whole word.
 * @param language language of the text
 * @throws SpeechError `bad-request`; the message names the invalid entry by its number, counted from 0
 */
export function pronounced(
  text: string,
  language: string,
  pronunciations: readonly Pronunciation[] = [],
): string {
  if (pronunciations.length === 0) return text;
  const entries = entriesOf(checkRequest(dictionary(), { pronunciations }).pronunciations, language);
  const borders = wordBorders(text, language);
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < text.length; at += 1) {
    const found = entries.get(firstOf(text, at))?.find((entry) => matches(entry, text, at, borders));
    if (found === undefined) continue;
    parts.push(text.slice(done, at), found.replacement);
    done = at + found.word.length;
    at = done - 1;
  }
  return parts.join('') + text.slice(done);
}

/** The form of an entry for comparison: one Unicode form, in lower case unless case matters. */
interface Entry {
  word: string;
  replacement: string;
  language: string;
  matchCase: boolean;
}

/** Returns the entries for a language by the first letter of the word, the best entry first. */
function entriesOf(pronunciations: readonly Pronunciation[], language: string): Map<string, Entry[]> {
  const byFirst = new Map<string, Entry[]>();
  const entries = pronunciations
    .flatMap(formsOf)
    .filter((entry) => ['', primary(language)].includes(entry.language));
  entries.sort((a, b) => b.word.length - a.word.length || b.language.length - a.language.length);
  for (const entry of entries) {
    const first = firstOf(entry.word, 0);
    const group = byFirst.get(first);
    if (group === undefined) byFirst.set(first, [entry]);
    else group.push(entry);
  }
  return byFirst;
}

/** Returns an entry with its word in composed and in decomposed form: "é" can be one or two code points. */
function formsOf({ word, replacement, language = '', matchCase = false }: Pronunciation): Entry[] {
  const plain = word.trim();
  const composed = [plain.normalize('NFC'), plain.normalize('NFD')];
  const forms = new Set(matchCase ? composed : composed.map(lowerCase));
  return Array.from(forms, (form) => ({
    word: form,
    replacement: replacement.trim(),
    language: primary(language),
    matchCase,
  }));
}

/** Returns the language without region: "de" for "de-AT". */
const primary = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? '';

/** Returns lower case of the same length. JavaScript would turn "İ", alone of all letters, into two code units. */
const lowerCase = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();

const firstOf = (text: string, at: number): string => lowerCase(text.charAt(at));

function matches({ word, matchCase }: Entry, text: string, at: number, borders: WordBorders): boolean {
  const end = at + word.length;
  const found = text.slice(at, end);
  if ((matchCase ? found : lowerCase(found)) !== word) return false;
  return borders.isStart(at) && borders.isEnd(end);
}
