import { readCounted } from './counters.js';
import { isNumeral, readNumeral } from './numbers.js';

/** A word with its entry in the dictionary IPADIC. */
export interface Word {
  surface: string;
  /** Pronunciation in katakana, or undefined if the dictionary lacks the word. */
  pronunciation?: string | undefined;
  /** Part of speech and two subdivisions. */
  partOfSpeech: string;
  subcategories: readonly [string, string];
}

const COUNTER = '助数詞';
const NUMBER = '数';
/** Words that attach to the previous word: particles, auxiliaries, and the dependent kinds of other words. */
const AUXILIARY = '助動詞';
const DEPENDENT = ['助詞', AUXILIARY];
const DEPENDENT_KINDS = ['接尾', '非自立'];
const PREFIX = '接頭詞';
/** Counters that IPADIC does not mark as counters. */
const OTHER_COUNTERS = ['月', 'つ'];

/**
 * Returns the reading of words in kana, with "ー" for long vowels and a space before each phrase. Words that the dictionary
 * lacks stay unchanged.
 */
export function kanaReading(words: readonly Word[]): string {
  let reading = '';
  let index = 0;
  while (index < words.length) {
    const { kana, length } = readAt(words, index);
    reading += `${beginsPhrase(words, index) ? ' ' : ''}${kana}`;
    index += length;
  }
  return reading;
}

interface Read {
  kana: string;
  /** Number of words. */
  length: number;
}

function readAt(words: readonly Word[], index: number): Read {
  const number = numberAt(words, index);
  if (number === undefined) return { kana: kanaOf(words[index]), length: 1 };
  const counter = words[index + number.length];
  if (counter === undefined || !isCounter(counter)) return number;
  const isDate = words[index - 1]?.surface.endsWith('月') === true;
  const counted = { surface: counter.surface, kana: kanaOf(counter) };
  return { kana: readCounted(number.kana, counted, isDate), length: number.length + 1 };
}

function numberAt(words: readonly Word[], index: number): Read | undefined {
  const word = words[index];
  if (word?.surface === '何' && isNumber(word)) return { kana: kanaOf(word), length: 1 };
  const length = numeralLength(words.slice(index));
  const numeral = words.slice(index, index + length).map(({ surface }) => surface);
  return length === 0 ? undefined : { kana: readNumeral(numeral.join('')), length };
}

/** Returns how many of the first words form one number. In kanji, each digit is a separate word. */
function numeralLength(words: readonly Word[]): number {
  const end = words.findIndex((word) => !isNumber(word) && word.surface !== '.');
  const candidates = words.slice(0, end === -1 ? words.length : end).map(({ surface }) => surface);
  while (candidates.length > 0 && !isNumeral(candidates.join(''))) candidates.pop();
  return candidates.length;
}

function isNumber({ surface, subcategories: [kind] }: Word): boolean {
  return kind === NUMBER || /^\d+$/u.test(surface);
}

function isCounter({ surface, subcategories: [, kind] }: Word): boolean {
  return kind === COUNTER || OTHER_COUNTERS.includes(surface);
}

function kanaOf(word: Word | undefined): string {
  if (word === undefined) return '';
  // The ending of "ましょう" or "行こう" lengthens the vowel before it.
  if (word.surface === 'う' && word.partOfSpeech === AUXILIARY) return 'ー';
  return word.pronunciation ?? word.surface;
}

function beginsPhrase(words: readonly Word[], index: number): boolean {
  const [word, before] = [words[index], words[index - 1]];
  if (word === undefined || before === undefined) return false;
  if (isSign(word) || isSign(before) || before.partOfSpeech === PREFIX) return false;
  return !DEPENDENT.includes(word.partOfSpeech) && !DEPENDENT_KINDS.includes(word.subcategories[0]);
}

function isSign({ surface }: Word): boolean {
  return !/[\p{L}\p{N}]/u.test(surface);
}
