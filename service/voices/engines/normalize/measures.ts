import { countedWords, rangeWords } from './quantities.js';
import type { Language, Noun } from './language.js';
import { numeralPattern, parseNumeral, START } from './numerals.js';
import type { Groups, NormalizationRule } from './rule.js';
import { renameNoun, unitsOf } from './units.js';

/** A letter right after a number is more often a part of its name, as in "seat 12A". */
const DETACHED = ['A', 'V', 'W', 'L', 'B', 't', 'o', 'K'];
/** Letters with a power and another unit after a slash, or a sign. */
const UNIT =
  '(?<unit>[°º](?: ?[CF](?!\\p{L}))?|[%‰℃℉]|[\\p{Script=Latin}µμΩ]+(?:[²³]|\\^?[23])?(?:/[\\p{Script=Latin}]+[²³]?)?)';
const UNIT_END = '(?![\\p{Script=Latin}\\p{N}_²³^/@°º]|[-–.]\\p{N})';
const DASH = '\\s?[-−–—~〜～]\\s?';

/** Returns the rules for numbers and ranges with a unit. The unit is a symbol or a word, such as "hours". */
export function measureRules(language: Language): NormalizationRule[] {
  const nouns = new Map([...namedUnits(language), ...unitsOf(language)]);
  const number = numeralPattern(language);
  const from = `${START}(?<sign>[-−–+±]?)(?<from>${number})`;
  const to = `${DASH}(?<toSign>[-−]?)(?<to>${number})`;
  const gap = '(?<gap>\\s?-?)';
  const patterns = [
    `${from}${gap}${UNIT}${to}\\s?\\k<unit>${UNIT_END}`,
    `${from}(?:${to})?${gap}${UNIT}${UNIT_END}`,
  ];
  return patterns.map((pattern) => ({
    pattern: new RegExp(pattern, 'gu'),
    words: (groups) => measureWords(groups, nounOf(groups['unit'] ?? '', nouns, language), language),
  }));
}

/** Returns the noun of a symbol, a word, or a unit per another one such as m/s. */
function nounOf(unit: string, nouns: ReadonlyMap<string, Noun>, { units }: Language): Noun | undefined {
  const [symbol = '', denominator] = unit.split('/');
  if (denominator === undefined || nouns.has(unit)) return nouns.get(unit);
  const [noun, per] = [nouns.get(symbol), nouns.get(denominator)];
  if (noun === undefined || per === undefined) return undefined;
  return renameNoun(noun, (name) => `${name} ${units.per(per.one)}`);
}

function measureWords(groups: Groups, noun: Noun | undefined, language: Language): string | undefined {
  const { sign = '', from = '', toSign = '', to, gap, unit = '' } = groups;
  const [first, second] = [
    parseNumeral(from, sign, language),
    to === undefined ? undefined : parseNumeral(to, toSign, language),
  ];
  const isName = gap === '' && DETACHED.includes(unit) && first?.fraction === '';
  if (noun === undefined || first === undefined || isName) return undefined;
  if (to !== undefined) return second && rangeWords(first, second, noun, language);
  return `${leadingSign(sign, language)}${countedWords(first, noun, language)}`;
}

/** Returns the words of a sign that is not part of a number. */
export function leadingSign(sign: string, { numbers }: Language): string {
  if (sign === '±') return `${numbers.plus}${numbers.space}${numbers.minus}${numbers.space}`;
  return sign === '+' ? `${numbers.plus}${numbers.space}` : '';
}

/** Returns the units by their names: a number before "hours" takes the gender of the noun. */
function namedUnits({ units, money }: Language): Array<[string, Noun]> {
  const coins = Object.values(money.currencies).flatMap(({ unit, cent }) =>
    cent === undefined ? [unit] : [unit, cent],
  );
  return [...Object.values(units.names), ...coins]
    .filter(({ one, other }) => /^[\p{L}' ]{3,}$/u.test(`${one}${other}`))
    .flatMap((noun) =>
      [noun.one, noun.other].map((name): [string, Noun] => [name, { ...noun, one: name, other: name }]),
    );
}
