import { countedWords, rangeWords, scaledWords } from './quantities.js';
import type { Language, Noun } from '../language.js';
import { numberWords, numeralPattern, parseNumeral, START } from '../numerals.js';
import { alternatives, type Groups, type NormalizationRule } from '../rule.js';
import { renameNoun, unitsOf } from './units.js';

/** A letter right after a number is more often a part of its name, as in "seat 12A". */
const DETACHED = ['A', 'V', 'W', 'L', 'B', 't', 'o', 'K', 'd'];
/** Letters with a power and another unit after a slash, or a sign. */
const unitPattern = (script: string) =>
  `(?<unit>[°º](?: ?[CFСkKcfم](?![\\p{Lu}\\p{Ll}]))?|[%‰٪℃℉]|[${script}µμΩ]+(?:[²³]|\\^?[23])?(?:/[${script}]+[²³]?)?)`;
/** The full stop of an abbreviation before a word in small letters or further minutes is silent. */
const unitEnd = (script: string) =>
  `(?![${script}\\p{N}_²³^/@°º]|[-–.]\\p{N}|['’]\\p{L})(?:(?<=(?<!\\p{L})\\p{L}{1,4})\\.(?= \\p{Ll}| \\d{1,2} ?(?:min|мин|хв|sek|сек|in)(?!\\p{L})))?`;
const DASH = '\\s?[-−–—~〜～]\\s?';

/** Returns the rules for numbers and ranges with a unit. The unit is a symbol or a word, such as "hours". */
export function measureRules(language: Language): NormalizationRule[] {
  const nouns = new Map([...namedUnits(language), ...unitsOf(language)]);
  const number = numeralPattern(language);
  const from = `${START}(?<sign>[-−–+±]?)(?<from>${number})`;
  const to = `${DASH}(?<toSign>[-−]?)(?<to>${number})`;
  const gap = '(?<gap>\\s?-?)';
  const script = `\\p{Script=Latin}${language.script ?? ''}`;
  const [UNIT, UNIT_END] = [unitPattern(script), unitEnd(script)];
  const scales = Object.keys(language.money.scales);
  const patterns = [
    `${from}${gap}${UNIT}${to}\\s?\\k<unit>${UNIT_END}`,
    `${from}(?:${to})?${gap}${UNIT}${UNIT_END}`,
    ...(scales.length === 0
      ? []
      : [`${from}\\s?(?<scale>${alternatives(scales)})(?!\\p{L})${gap}${UNIT}${UNIT_END}`]),
  ];
  const rates: NormalizationRule = {
    pattern: new RegExp(`${from} ?/${UNIT}${UNIT_END}`, 'gu'),
    words: ({ sign = '', from = '', unit = '' }) => {
      const [numeral, noun] = [parseNumeral(from, sign, language), nounOf(unit, nouns, language)];
      if (numeral === undefined || noun === undefined) return undefined;
      return `${numberWords(numeral, language, 'plain')}${language.numbers.space}${language.units.per(noun.one ?? noun.other)}`;
    },
  };
  return [
    ...patterns.map((pattern): NormalizationRule => ({
      pattern: new RegExp(pattern, 'gu'),
      words: (groups, before) =>
        isPlace(groups, before)
          ? undefined
          : measureWords(groups, nounOf(groups['unit'] ?? '', nouns, language), language),
    })),
    rates,
  ];
}

/** Words before the number of a place, which may have a letter: "Row 12 A". */
const PLACES = new RegExp(
  `(?<!\\p{L})(?:${[
    'bus|tram|line|gate|platform|track|row|seat|room|flat|apartment|apt\\.?|unit|house|door|terminal|building|stop',
    'linie|gleis|steig|bahnsteig|reihe|sitz|platz|zimmer|raum|wohnung|haus|hausnummer|eingang|tür|zug|\\p{L}+stra(?:ß|ss)e',
    'ligne|voie|quai|rang|rangée|siège|place|chambre|porte|bâtiment|appartement|salle',
    'línea|autobús|andén|vía|fila|asiento|habitación|puerta|piso|sala|apartamento',
    'linea|autobus|binario|posto|stanza|camera|porta|appartamento|interno',
    'linha|ônibus|autocarro|plataforma|fileira|assento|quarto',
    'lijn|spoor|perron|rij|stoel|kamer|buss|linje|spår|rad|plats|rum|lägenhet|spor|række|plads|værelse',
    'linia|peron|tor|rząd|miejsce|pokój|linka|nástupiště|kolej|řada|sedadlo|bussi|linja|laituri|raide|rivi|paikka|huone',
    'busz|vágány|sor|szék|szoba|otobüs|hat|sıra|koltuk|oda',
    'автобус|трамвай|линия|платформа|путь|ряд|место|комната|квартира|дом|кабинет|лінія|місце|кімната|будинок',
  ].join('|')}) $`,
  'iu',
);

/** Returns whether a capital letter after a whole number belongs to the name of a place. */
const isPlace = ({ from = '', to, gap, unit = '' }: Groups, before: string) =>
  gap === ' ' && to === undefined && /^\d+$/u.test(from) && /^\p{Lu}$/u.test(unit) && PLACES.test(before);

/** Returns the noun of a symbol, a word, or a unit per another one such as m/s. */
function nounOf(unit: string, nouns: ReadonlyMap<string, Noun>, { units }: Language): Noun | undefined {
  const [symbol = '', denominator] = unit.split('/');
  if (denominator === undefined || nouns.has(unit)) return nounOfSymbol(unit, nouns);
  const [noun, per] = [nounOfSymbol(symbol, nouns), nounOfSymbol(denominator, nouns)];
  if (noun === undefined || per === undefined) return undefined;
  return renameNoun(
    noun,
    (name) => units.rate?.(name, per.one ?? per.other) ?? `${name} ${units.per(per.one ?? per.other)}`,
  );
}

/** The case of a longer symbol may differ: "KWh", "mhz". */
function nounOfSymbol(symbol: string, nouns: ReadonlyMap<string, Noun>): Noun | undefined {
  return nouns.get(symbol) ?? (symbol.length > 1 ? nouns.get(symbol.toLowerCase()) : undefined);
}

function measureWords(groups: Groups, noun: Noun | undefined, language: Language): string | undefined {
  const { sign = '', from = '', toSign = '', to, gap, unit = '' } = groups;
  const [first, second] = [
    parseNumeral(from, sign, language),
    to === undefined ? undefined : parseNumeral(to, toSign, language),
  ];
  // Hungarian "112-t", Ukrainian "2-га".
  const isSuffix = gap?.endsWith('-') === true && /^(?:t$|\p{Script=Cyrillic})/u.test(unit);
  const isName =
    language.attachesUnits !== true && gap === '' && DETACHED.includes(unit) && first?.fraction === '';
  if (noun === undefined || first === undefined || isName || isSuffix) return undefined;
  const { scale } = groups;
  if (scale !== undefined)
    return `${leadingSign(sign, language)}${scaledWords(first, scale, noun, language)}`;
  if (to !== undefined) return second && rangeWords(first, second, noun, language);
  return `${leadingSign(sign, language)}${countedWords(first, noun, language)}`;
}

/** Returns the words of a sign that is not part of a number. */
export function leadingSign(sign: string, { numbers, signs }: Language): string {
  if (sign === '±')
    return `${signs?.plusMinus ?? `${numbers.plus}${numbers.space}${numbers.minus}`}${numbers.space}`;
  return sign === '+' ? `${numbers.plus}${numbers.space}` : '';
}

/** Returns the units by their names: a number before "hours" takes the gender of the noun. */
function namedUnits({ units, money }: Language): Array<[string, Noun]> {
  const coins = Object.values(money.currencies).flatMap(({ unit, cent }) =>
    cent === undefined ? [unit] : [unit, cent],
  );
  return [...Object.values(units.more ?? {}), ...Object.values(units.names), ...coins].flatMap((noun) => {
    const { series, ...forms } = noun;
    const names = new Set(Object.values(forms));
    return Array.from(names)
      .filter((name) => /^[\p{L}\p{M}' ]{3,}$/u.test(name))
      .map((name): [string, Noun] => [name, { other: name, one: name, many: name, series }]);
  });
}
