import { withCounters } from '../../normalize/normalize-text.js';
import { MAX_TEXT } from '../messages.js';
import { readCounted } from './counters.js';
import { readNumeral } from './numbers.js';
import { expandSigns } from './signs.js';

/** Letters and digits other than kana. */
const NOT_KANA = /(?![\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{N}]/u;
/** Maximum length of a piece before its comma or space, in characters of up to two UTF-16 code units. */
const MAX_PIECE = MAX_TEXT / 2 - 1;
const PIECES = new RegExp(`.{1,${MAX_PIECE}}[、,\\s]|.{1,${MAX_PIECE}}`, 'gsu');

/** "Hello" and "good evening". Their は is a particle, and they have no other meaning. */
const GREETING = /(こんにち|こんばん)は/gu;

/** The counters of times, dates and amounts, for use without the dictionary. */
const COUNTERS: Readonly<Record<string, string>> = {
  年: 'ネン',
  月: 'ガツ',
  日: 'ニチ',
  時: 'ジ',
  分: 'フン',
  度: 'ド',
  円: 'エン',
  人: 'ニン',
};
const COUNTED = new RegExp(`(\\d+(?:\\.\\d+)*)([${Object.keys(COUNTERS).join('')}]?)`, 'gu');

/**
 * Converts Japanese text to its reading in kana. A text of kana only is already a reading: only the two greetings change.
 * @param text text in the form of `toUsualForm`
 * @param signal aborts between two parts
 * @param read returns the reading of a part of at most `MAX_TEXT` UTF-16 code units. Without it, kanji stay unchanged and only
 *   numbers are converted.
 * @param isReading whether figures stay as the caller wrote them
 */
export async function readJapanese(
  text: string,
  signal: AbortSignal,
  read?: (part: string) => Promise<string>,
  isReading = false,
): Promise<string> {
  const expanded = expandSigns(isReading ? text : withCounters(text));
  if (!NOT_KANA.test(expanded)) return expanded.replace(GREETING, '$1わ');
  if (read === undefined) return expanded.replace(COUNTED, readWithoutDictionary);
  let reading = '';
  for (const part of partsOf(expanded)) {
    signal.throwIfAborted();
    reading += await read(part);
  }
  return reading;
}

function readWithoutDictionary(
  _: string,
  numeral: string,
  surface: string,
  offset: number,
  text: string,
): string {
  const counter = { surface, kana: COUNTERS[surface] ?? '' };
  return readCounted(readNumeral(numeral), counter, text.charAt(offset - 1) === '月');
}

/** Splits a text into parts of whole sentences. A longer sentence is split at commas or spaces if it has any. */
function* partsOf(text: string): Generator<string> {
  let part = '';
  for (const { segment } of new Intl.Segmenter('ja', { granularity: 'sentence' }).segment(text)) {
    for (const piece of segment.match(PIECES) ?? []) {
      if (part.length + piece.length > MAX_TEXT) {
        yield part;
        part = '';
      }
      part += piece;
    }
  }
  yield part;
}
