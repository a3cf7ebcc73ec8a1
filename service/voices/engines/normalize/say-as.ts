import type { SayAs, TextPart } from '@herald-speech/client/text';
import { dateWords } from './dates.js';
import type { Language } from './language.js';
import { localeData } from './locale-data.js';
import { languageOfTag, normalizeForService, normalizeText, withLatinDigits } from './normalize-text.js';
import { type Numeral, numberWords, parseNumeral } from './numerals.js';
import { groupWords } from './phones.js';
import { countedWords } from './amounts/quantities.js';
import type { Groups } from './rule.js';
import { halfOf } from './times.js';
import { unitsOf } from './amounts/units.js';

/** Returns the words of a text in its way; undefined if the text is not of this kind. @param before The text before it. */
type Say = (text: string, language: Language, before: string) => string | undefined;

/**
 * Returns a part of a text in words: in the way that the user chose, otherwise with the rules of the language. A text that does not
 * fit its way, such as a date of letters, gets the rules too.
 * @param tag Two-letter code of the language, or a tag with a region.
 * @param before The text before the part: "am" changes a German date.
 */
export function readPart({ text, as }: TextPart, tag: string, before = ''): string {
  if (as === undefined) return normalizeForService(text, tag);
  const known = languageOfTag(tag);
  const plain = withLatinDigits(text).trim();
  if (known === undefined) return as === 'digits' || as === 'characters' ? apart(plain) : text;
  const words = ways[as](plain, known.language, before);
  return words === undefined ? normalizeText(text, tag) : known.spell(words);
}

/** A language without rules has no names of digits, but an engine reads single ones. */
const apart = (text: string): string => Array.from(text.matchAll(/[\p{L}\p{N}]/gu), ([one]) => one).join(' ');

/** Three numbers, or eight digits as in 20260403. */
const DATE =
  /^(?:(\d{4})(\d\d)(\d\d)|\D*(\d{1,4})[^\p{L}\d]+(\d{1,4})(?:[^\p{L}\d]+(\d{1,4}))?[^\p{L}\d]*)$/u;

/** @param order the order of the parts; without it, the order of the region */
const date =
  (order?: 'dmy' | 'mdy' | 'ymd'): Say =>
  (text, language, before) => {
    const [first = '', second = '', third = ''] = (DATE.exec(text) ?? []).slice(1).filter(Boolean);
    if (second === '') return undefined;
    const isYearFirst = first.length === 4;
    if (isYearFirst && third === '') return undefined;
    const monthFirst = text.includes('/') && language.dates.monthFirst;
    const places = isYearFirst ? 'ymd' : (order ?? (monthFirst ? 'mdy' : 'dmy'));
    // "ymd" without a year is month and day.
    const known = places === 'ymd' && third === '' ? 'md' : places;
    const of = (part: string) => [first, second, third][known.indexOf(part)] || undefined;
    const [day, month, year] = [of('d'), of('m'), known.includes('y') ? of('y') : undefined];
    const words = (groups: Groups) => dateWords(groups, before, language);
    return words({ day, month, year }) ?? words({ day: month, month: day, year });
  };

const TIMES = [
  /^(?<hour>\d{1,2})\s?[:.hH時시]\s?(?<minute>\d\d)(?:\s?[:.分분]\s?(?<second>\d\d))?[분分]?\s?(?:(?<half>[ap])\.?\s?m\.?)?$/iu,
  /^(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?$/u,
  /^(?<hour>\d{1,2})\s?(?:(?<half>[ap])\.?\s?m\.?|h|時|시)?$/iu,
];

const time: Say = (text, { times }) => {
  const groups = TIMES.map((pattern) => pattern.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return undefined;
  const [hour, minute, second] = ['hour', 'minute', 'second'].map((name) => Number(groups[name] ?? 0));
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  if (hour > 24 || minute > 59 || second > 59) return undefined;
  const half = halfOf(groups['half']);
  const words = times.time({ hour, minute, second, half });
  if (half === undefined || words !== times.time({ hour, minute, second })) return words;
  // The language has no word for the half of the day, so it counts 24 hours.
  return times.time({ hour: (hour % 12) + (half === 'PM' ? 12 : 0), minute, second });
};

const numeralOf = (text: string, language: Language): Numeral | undefined => {
  const [sign = ''] = /^[-−–+]/u.exec(text) ?? [];
  const digits = text
    .slice(sign.length)
    .trimStart()
    .replace(/^0+(?=\d)/u, '');
  return parseNumeral(digits, sign, language);
};

const cardinal: Say = (text, language) => {
  const numeral = numeralOf(text, language);
  return numeral && numberWords(numeral, language, 'plain');
};

const ordinal: Say = (text, language) => {
  const [digits = ''] = /^\d{1,15}(?=\D{0,4}$)/u.exec(text) ?? [];
  return digits === '' || Number(digits) === 0 ? undefined : language.numbers.ordinal(Number(digits));
};

/** A symbol that can also be a word, such as "in", is a unit here. */
const unit: Say = (text, language) => {
  const end = Array.from(text).findLastIndex((one) => /\d/u.test(one)) + 1;
  const [number, symbol] = [text.slice(0, end), text.slice(end).trim()];
  const numeral = numeralOf(number, language);
  const data = Object.entries(localeData(language.code).units).find(
    ([key, { symbols = [] }]) => key === symbol || symbols.includes(symbol),
  );
  const noun = unitsOf(language).get(symbol) ?? (data && { ...data[1].forms, series: 'plain' as const });
  if (numeral === undefined || noun === undefined) return undefined;
  return countedWords(numeral, noun, language);
};

const digits: Say = (text, language) => {
  const { phones, numbers } = language;
  const groups = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = (group: string) =>
    Array.from(group, (one) => (/\d/u.test(one) ? phones.digit(Number(one)) : one)).join(
      numbers.space || ' ',
    );
  return groups.length === 0 ? undefined : groups.map(words).join(phones.pause);
};

const telephone: Say = (text, { phones, numbers }) => {
  const groups = text.match(/\d+/gu);
  if (groups === null) return undefined;
  const words = groups.map((group) => groupWords(group, phones, numbers.space)).join(phones.pause);
  return /^\(?\+/u.test(text) ? `${numbers.plus}${numbers.space}${words}` : words;
};

const characters: Say = (text, { numbers, phones, electronic }) => {
  const nameOf = (one: string) => {
    if (/\d/u.test(one)) return phones.digit(Number(one));
    const name = electronic?.letters?.[one.toLowerCase()] ?? electronic?.signs[one];
    return name ?? (/[\p{L}\p{M}]/u.test(one) ? one.toUpperCase() : '');
  };
  const names = Array.from(text, nameOf).filter((name) => name !== '');
  return names.length === 0 ? undefined : names.join(numbers.space || ' ');
};

const ways: Readonly<Record<SayAs, Say>> = {
  telephone,
  digits,
  characters,
  date: date(),
  'date:dmy': date('dmy'),
  'date:mdy': date('mdy'),
  'date:ymd': date('ymd'),
  time,
  ordinal,
  cardinal,
  // A number without a currency has no other words.
  currency: cardinal,
  unit,
};
