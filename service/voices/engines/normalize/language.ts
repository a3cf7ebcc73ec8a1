import type { NameForms } from './locale-data.js';
import type { NormalizationRule } from './rule.js';

/** The forms of a number word: `plain` for counting, the others before a noun; Korean counts hours with native words. */
export type Series = 'plain' | 'masculine' | 'feminine' | 'neuter' | 'common' | 'native';

/**
 * A counted noun by plural form. A form with `#` has the number in place of the `#`, a form after `=` contains the number,
 * other forms follow the number.
 */
export interface Noun extends NameForms {
  series: Series;
}

/** A currency; `cent` is its hundredth. */
export interface Currency {
  unit: Noun;
  cent?: Noun;
}

export interface CalendarDate {
  /** Whether the text has the day before the name of the month. */
  dayFirst?: boolean;
  /** The word before the year, as written: Spanish "del". */
  joint?: string | undefined;
  year?: number | undefined;
  /** 1 to 12. */
  month: number;
  day: number;
}

export interface ClockTime {
  hour: number;
  minute: number;
  second: number;
  /** Half of the day, if the text has "a.m." or "p.m.". */
  half?: 'AM' | 'PM' | undefined;
}

/** Words and forms of a language. */
export interface Language {
  /** Two-letter code. */
  code: string;
  numbers: NumberWords;
  units: UnitWords;
  money: MoneyWords;
  dates: DateWords;
  times: TimeWords;
  phones: PhoneWords;
  /** Whether a single letter right after a number is a unit, since its letters are of another script. */
  attachesUnits?: boolean;
  /** Further scripts of units, for a character class: `\\p{Script=Cyrillic}`. */
  script?: string;
  /** Reads a fraction. Without it, a fraction does not change. */
  fraction?(parts: FractionParts): string | undefined;
  /** Reads a fraction of a noun, if it is not the noun after the fraction. */
  fractionOf?(parts: FractionParts, noun: Noun): string | undefined;
  electronic?: ElectronicWords;
  /** Abbreviations and signs with their words, wherever they stand. Keys end at a boundary of words. */
  abbreviations?: Readonly<Record<string, string>>;
  /** Rules for words without digits, such as names of streets. */
  names?: readonly NormalizationRule[];
  roman?: RomanWords;
  signs?: SignWords;
  /** Rules for ordinals and other forms that only this language has. */
  forms: readonly NormalizationRule[];
}

/** Roman numerals. The texts are regular expressions. */
export interface RomanWords {
  /** Words before a numeral, such as "chapter" and the names of kings. */
  before: string;
  /** @param context The text before these words. */
  words(value: number, before: string, context: string): string;
  /** Words after a numeral, such as "century", and what may stand between them. */
  after?: { pattern: string; mark?: string; words(value: number, after: string, context: string): string };
  /** Whether a full stop after a numeral is a part of it. */
  point?: boolean;
}

/** Words of signs between words and numbers. A sign without a word does not change. */
export interface SignWords {
  /** "&" between words. */
  and?: string;
  hashtag?: string;
  /** The sign of a product; Hungarian changes the number before it. */
  times?: string | ((number: string) => string);
  /** The sign of a quotient. */
  divided?: string;
  /** The sign of a difference in a sum, if it is not the one of a negative number. */
  less?: string;
  /** The sign of a sum, if it is not the one before a number. */
  more?: string;
  plusMinus?: string;
  /** Between the lengths of two sides: "2 x 3 m". */
  by?: string;
  /** "Page 5/10": words before such numbers, as a regular expression, and the word between them. */
  pages?: { before: string; of: string };
  /** Between the numbers of a score; empty if nothing is said. */
  score?: string;
  /** Words before codes that are spoken digit by digit, and the words between them: regular expressions. */
  codes?: { before: string; link?: string };
  /** Names of days by abbreviation, and the word of a range of them. */
  weekdays?: Readonly<Record<string, string>>;
  weekdayRange?: string;
}

export interface FractionParts {
  /** The whole number before the fraction, as written. */
  whole?: string | undefined;
  numerator: number;
  denominator: number;
}

/** Words of the signs in addresses of mail and web. */
export interface ElectronicWords {
  signs: Readonly<Record<string, string>>;
  /** Names that are read as words, with their spoken form. All others are spelled. */
  words: Readonly<Record<string, string>>;
  /** Whether names are spelled letter by letter; default true. */
  spelledNames?: boolean;
  /** The name of each letter; without it, the engine names them. */
  letters?: Readonly<Record<string, string>>;
}

export interface NumberWords {
  /** @param value Whole number from 0 to 15 digits. */
  cardinal(value: number, series: Series): string;
  /** Returns an ordinal for a number from 1. */
  ordinal(value: number, series?: Series): string | undefined;
  /** Whether "2." before a word in small letters is an ordinal, and the gender by that word. */
  ordinalBefore?(word: string): Series;
  /** Whether "2." may be an ordinal. */
  pointMarksOrdinals?: boolean;
  /** The mark before decimals in texts of the language; the other one separates thousands. */
  decimal: '.' | ',';
  /** The name of the decimal mark as written. */
  point: Readonly<Record<'.' | ',', string>>;
  /** Whether decimals are read as one number ("vingt-cinq") and not digit by digit. */
  joinsDecimals: boolean;
  /** Whether a plain space separates thousands. */
  spacesThousands: boolean;
  minus: string;
  /** The word for "="; without it, equations do not change. */
  equals?: string;
  plus: string;
  /** Between number and noun: a space, or nothing. */
  space: ' ' | '';
  /** Joins number and noun if they change each other, as "una" and "ora" do; undefined if they do not. */
  join?(number: string, noun: string): string | undefined;
  /** Returns the form of a number before a word, if the word is likely a noun. */
  seriesBefore?(word: string, digits: string): Series;
  range(from: string, to: string): string;
  /** The name of the full stop in version numbers and addresses; without it, these do not change. */
  dot?: string;
  /** The name of the full stop in network addresses, if they are spelled digit by digit. */
  addressDot?: string;
  /** Whether the numbers of versions and network addresses are spelled digit by digit. */
  spellsAddresses?: boolean;
  /** Reads decimals after the word for the mark. */
  decimals?(whole: string, fraction: string): string | undefined;
  /** Reads a number of four digits as a year. */
  year(value: number): string;
}

export interface UnitWords {
  /** Units of CLDR, which `names` and `prefixes` replace. */
  more?: Readonly<Record<string, Noun>>;
  /** Names of prefixes such as `k` and of base units such as `m`; whole units such as `km` take precedence. */
  prefixes?: Readonly<Record<string, string>>;
  names: Readonly<Record<string, Noun>>;
  square?(name: string): string;
  cube?(name: string): string;
  /** @param name The form for one, such as "hour". */
  per(name: string): string;
  /** A unit per another one, if its words are not `per` after the unit. */
  rate?(name: string, per: string): string;
  /** A noun after a round million: "de euros". */
  afterMillion(name: string): string;
}

export interface MoneyWords {
  /** By ISO 4217 code. */
  currencies: Readonly<Record<string, Currency>>;
  join(units: string, cents: string): string;
  /** Whether a code such as USD has the full name of the currency, and a sign the short one. */
  namesCodes?: boolean;
  /** The full names of CLDR. */
  fullNames?: Readonly<Record<string, Currency>>;
  /** Further signs with their codes, such as `kr`. */
  signs?: Readonly<Record<string, string>>;
  /** Words such as "million" after an amount, and their spoken form. */
  scales: Readonly<Record<string, string | Noun>>;
  /** Abbreviations of such words that stand beside a currency only, such as "m". */
  shortScales?: Readonly<Record<string, string | Noun>>;
}

export interface DateWords {
  /** @param before The text before the date. */
  date(date: CalendarDate, before: string): string;
  /** Whether the month comes first in 11/21/2026. */
  monthFirst: boolean;
  /** Whether the name of a month may precede the day: "abril 30". */
  readsMonthFirst?: boolean;
  /** Whether 21.11. and 21.11.26 are dates. */
  shortDates: boolean;
  /** Words beside 3/4 that make a day of it, as regular expressions; other such figures are fractions. */
  slash?: SlashWords;
  /** Regular expressions for the text between day and month, and between month and year. */
  dayMonth?: string;
  monthYear?: string;
  /** A word after the year that the date includes: a regular expression. */
  yearWord?: string;
}

/** Words around a day and month with a slash. */
interface SlashWords {
  /** Before any day: "le", and the names of days. */
  before: string;
  /** Before a day that is no numerator of a fraction: "au 21/12". */
  beforeLate?: string;
  /** Between the days of a range. */
  to?: string;
  /** After a fraction: "le 3/4 des gens". */
  of: string;
}

export interface TimeWords {
  time(time: ClockTime): string;
  /** Between hour and minute, beside the colon: a regular expression. */
  separator?: string;
  /** A word after a time that its words include: a regular expression. */
  suffix?: string;
}

export interface PhoneWords {
  /** Regular expressions of national numbers; numbers with "+" and a leading zero are known in every language. */
  patterns: readonly string[];
  digit(digit: number): string;
  /** Reads the code of a country; without it, digit by digit. */
  country?(digits: string): string;
  /** Between groups: a comma, for a short pause. */
  pause: ', ' | '、';
  /** Reads a group of digits; without it, digit by digit. */
  group?(digits: string): string | undefined;
}
