import { readCounted } from './counters.js';
import { isNumeral, readNumeral } from './numbers.js';

/** A word as IPADIC describes it. */
export interface Word {
  surface: string;
  /** How it sounds, in katakana; undefined where the dictionary does not have the word. */
  pronunciation?: string | undefined;
  /** Part of speech and two subdivisions. */
  partOfSpeech: string;
  subcategories: readonly [string, string];
}

const COUNTER = '助数詞';
const NUMBER = '数';
/** Words that go with the one before: particles and auxiliaries, and of the others their dependent kinds. */
const AUXILIARY = '助動詞';
const DEPENDENT = ['助詞', AUXILIARY];
const DEPENDENT_KINDS = ['接尾', '非自立'];
const PREFIX = '接頭詞';
/** Counters that IPADIC has as other words. */
const OTHER_COUNTERS = ['月', 'つ'];

/**
 * The words as they sound: in kana, with "ー" for long vowels, and a space before each that does not belong to the one
 * before. What the dictionary does not know stays as it is.
 */
export function readingOf(words: readonly Word[]): string {
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
  /** Count of words. */
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

/** How many words at the beginning are one number: each digit of a number in kanji is a word. */
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
  // The end of "ましょう" or "行こう", which makes the vowel before it long.
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
