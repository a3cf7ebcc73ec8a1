import type { FractionParts, Noun, Series } from '../language.js';
import { spellOut } from '../spell-out.js';

export const plainNumber = (value: number) => spellOut('es', '%spellout-numbering', value);

export function spanishCardinal(value: number, series: Series): string {
  return series === 'plain' ? plainNumber(value) : spellOut('es', `%spellout-cardinal-${series}`, value);
}

/** Words that are not counted, and end like nouns. */
const NOT_COUNTED =
  /^(?:de|del|y|e|o|u|a|al|en|por|para|con|sin|que|la|las|el|los|se|es|son|más|menos|hasta|como)$/u;

const MASCULINE = /^(?:días?|mapas?|planetas?|(?:proble|progra|siste|te|idio|esque)mas?)$/u;

const FEMININE =
  /^(?:mujer(?:es)?|noches?|tardes?|ve(?:z|ces)|clases?|partes?|calles?|llaves?|lu(?:z|ces)|vo(?:z|ces)|flor(?:es)?|manos?|fotos?|motos?|redes|red)$/u;

/** Guesses the gender of a noun by its ending. */
export function seriesBefore(word: string): Series {
  if (!/^\p{Ll}{3,}$/u.test(word) || NOT_COUNTED.test(word)) return 'plain';
  const isFeminine =
    FEMININE.test(word) ||
    (!MASCULINE.test(word) && /(?:as?|(?<=[pstx])i(?:ón|ones)|dad(?:es)?)$/u.test(word));
  return isFeminine ? 'feminine' : 'masculine';
}

/** The parts from eleven on end in "-avo"; the hundreds and thousands are ordinals. */
export function fractionWords({ whole, numerator, denominator }: FractionParts): string | undefined {
  if (denominator < 2) return undefined;
  const [count, ending] = [spanishCardinal(numerator, 'masculine'), numerator === 1 ? '' : 's'];
  const part = partOf(denominator);
  const words =
    part === undefined
      ? `${plainNumber(numerator)} sobre ${plainNumber(denominator)}`
      : `${count} ${part}${ending}`;
  if (whole === undefined) return words;
  return `${plainNumber(Number(whole))} y ${denominator === 2 && numerator === 1 ? 'medio' : words}`;
}

function partOf(denominator: number): string | undefined {
  if (denominator <= 3) return denominator === 2 ? 'medio' : 'tercio';
  if (
    denominator <= 10 ||
    denominator === 100 ||
    (denominator % 100 === 0 && denominator <= 1000) ||
    [2000, 10000, 1000000].includes(denominator)
  )
    return withHundreds(spellOut('es', '%spellout-ordinal-masculine', denominator));
  if (denominator > 99) return undefined;
  const words = plainNumber(denominator).replace(/ y /u, 'i').replace(/uno$/u, 'un').replace(/a$/u, '');
  return `${words
    .normalize('NFD')
    .replace(/\u0301/gu, '')
    .normalize('NFC')}avo`;
}

/** CLDR has "octingésimo"; the academy's dictionary has "octingentésimo". */
const withHundreds = (words: string) => words.replace('octingésim', 'octingentésim');

/** Half a unit is "medio"; after one whole, the noun is in the singular; other parts take "de". */
export function fractionOf({ whole, numerator, denominator }: FractionParts, noun: Noun): string | undefined {
  const isHalf = numerator === 1 && denominator === 2;
  const one = noun.one ?? noun.other;
  if (one.includes('#')) return undefined;
  const half = noun.series === 'feminine' ? 'media' : 'medio';
  if (whole === undefined)
    return isHalf
      ? `${half} ${one}`
      : `${fractionWords({ numerator, denominator })} de ${numerator === 1 && denominator === 1 ? noun.other : one}`;
  const count = spanishCardinal(Number(whole), noun.series).replace(/^un$/u, 'uno');
  return isHalf ? `${count} y ${half} ${whole === '1' ? one : noun.other}` : undefined;
}

const MAX_JOINED = 3;

/** Decimals are read as a number of up to three digits, more of them in pairs. */
export function decimals(whole: string, fraction: string): string | undefined {
  if (fraction.length <= MAX_JOINED) return undefined;
  const pairs = (fraction.match(/\d{1,2}/gu) ?? []).map((pair) =>
    Array.from(pair.startsWith('0') ? pair : [pair], (part) => plainNumber(Number(part))).join(' '),
  );
  return `${plainNumber(Number(whole))} coma ${pairs.join(' ')}`;
}

/** Higher ordinals are rarely spoken: a number with º is then a temperature. */
export const MAX_ORDINAL = 20;

export function spanishOrdinal(value: number, ending: string): string | undefined {
  return value > MAX_ORDINAL ? undefined : ordinalOf(value, ending);
}

export function ordinalOf(value: number, ending: string): string | undefined {
  if (value === 0) return undefined;
  const isFeminine = ending === 'ª' || ending.endsWith('a');
  const form = ending === 'er' ? 'masculine-adjective' : 'masculine';
  // "Undécimo" has no short form. "Duodécimo" is the usual form of 12, and 21 to 29 are one word.
  if (value === 11 && ending === 'er') return 'decimoprimer';
  return withHundreds(spellOut('es', `%spellout-ordinal-${isFeminine ? 'feminine' : form}`, value))
    .replace(/decimoprimer(?=[oa])/u, 'undécim')
    .replace(/decimosegund(?=[oa])/u, 'duodécim')
    .replace(/vigésim[oa] (?=\p{L})/u, 'vigesimo')
    .replace(/^mil$/u, isFeminine ? 'milésima' : 'milésimo');
}
