import { MAX_TEXT } from '../messages.js';
import { readCounted } from './counters.js';
import { readNumeral } from './numbers.js';
import { withWords } from './signs.js';

/** Letters and digits other than kana. */
const NOT_KANA = /(?![\p{Script=Hiragana}\p{Script=Katakana}ー])[\p{L}\p{N}]/u;
/** Characters, of two UTF-16 units each, that a piece may have before its comma or space. */
const MAX_PIECE = MAX_TEXT / 2 - 1;
const PIECES = new RegExp(`.{1,${MAX_PIECE}}[、,\\s]|.{1,${MAX_PIECE}}`, 'gsu');

/** Hello and good evening: nobody means anything else by them, and their は is a particle. */
const GREETING = /(こんにち|こんばん)は/gu;

/** What times, dates and amounts count, for when there is no dictionary. */
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
 * A Japanese text as it is read, in kana. One of kana alone is a reading already and stays as it is, but for the two
 * greetings.
 * @param text In its usual form (`toUsualForm`).
 * @param signal Ends it between two parts.
 * @param read Reads a part of at most `MAX_TEXT` UTF-16 units; without it words in kanji stay, only numbers are read.
 */
export async function readJapanese(
  text: string,
  signal: AbortSignal,
  read?: (part: string) => Promise<string>,
): Promise<string> {
  const worded = withWords(text);
  if (!NOT_KANA.test(worded)) return worded.replace(GREETING, '$1わ');
  if (read === undefined) return worded.replace(COUNTED, readWithoutDictionary);
  let reading = '';
  for (const part of partsOf(worded)) {
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

/** Whole sentences, as many as fit; one that is longer ends a part at a comma or space where it has some. */
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
