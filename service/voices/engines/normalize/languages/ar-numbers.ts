import type { Series } from '../language.js';
import { spellOut } from '../spell-out.js';

/** The number words of CLDR in the usual spelling, for counting and before masculine nouns. */
export const arabicCardinal = (value: number) =>
  spellOut('ar', '%spellout-numbering', value)
    .replace(/ و /gu, ' و')
    .replace(/ما?ئ(?=ة|تا)/gu, 'مئ')
    .replace(/إثن/gu, 'اثن')
    .replace(/إحدى عشر(?!ة)/gu, 'أحد عشر')
    .replace(/ألفين/gu, 'ألفان')
    // The number before "hundred" has no ending: "eight" is ثمان, not ثمانية.
    .replace(/(ثلاث|أربع|خمس|ست|سبع|ثمان|تسع)ي?ة(?= مئة)/gu, '$1');

const FEMININE = ' إحدى اثنتان ثلاث أربع خمس ست سبع ثماني تسع عشر'.split(' ');
const TENS = '  عشرون ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون'.split(' ');

/** Three to ten have the opposite gender of the noun: "ثلاث نوافذ". Only the last two digits follow the noun. */
export function cardinalOf(value: number, series: Series): string {
  const rest = value % 100;
  if (series !== 'feminine' || rest === 0) return arabicCardinal(value);
  const head = value === rest ? '' : `${arabicCardinal(value - rest)} و`;
  return `${head}${feminine(rest)}`;
}

function feminine(value: number): string {
  if (value === 1) return 'واحدة';
  if (value <= 10) return FEMININE[value] ?? '';
  if (value < 20) return `${value === 12 ? 'اثنتا' : FEMININE[value - 10]} عشرة`;
  const [tens, unit] = [TENS[Math.floor(value / 10)], value % 10];
  return unit === 0 ? (tens ?? '') : `${FEMININE[unit]} و${tens}`;
}

/** Returns number words in the genitive, as after "year". */
export const oblique = (words: string) =>
  words
    .replace(/(ألف|مئت|اثن|اثنت)ان(?!\p{L})/gu, '$1ين')
    .replace(/(اثن|اثنت)ا(?= عشر)/gu, '$1ي')
    .replace(/(عشر|ثلاث|أربع|خمس|ست|سبع|ثمان|تسع)ون(?!\p{L})/gu, '$1ين');

const ORDINALS = ' أول ثاني ثالث رابع خامس سادس سابع ثامن تاسع عاشر'.split(' ');

/** Returns an ordinal with the article, from 1 to 99: "الثالث", "الثالثة". */
export function arabicOrdinal(value: number, isFeminine: boolean): string | undefined {
  if (value < 1 || value > 99) return undefined;
  const ending = isFeminine ? 'ة' : '';
  if (value === 1) return isFeminine ? 'الأولى' : 'الأول';
  if (value <= 10) return `ال${ORDINALS[value]}${ending}`;
  const unit = value % 10;
  const name = unit === 1 ? `حادي${ending}` : `${ORDINALS[unit]}${ending}`;
  if (value < 20) return `ال${name} عشر${ending}`;
  const tens = `ال${TENS[Math.floor(value / 10)]}`;
  return unit === 0 ? tens : `ال${name} و${tens}`;
}

/** Returns a counted noun with its number: "خمس دقائق", "أربع عشرة دقيقة". */
export function counted(
  value: number,
  [one, two, few]: readonly [one: string, two: string, few: string],
): string {
  if (value <= 2) return value === 1 ? one : two;
  return `${cardinalOf(value, 'feminine')} ${value <= 10 ? few : one}`;
}
