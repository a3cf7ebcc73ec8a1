import type { Currency, Language, NumberWords } from '../language.js';
import { noun } from '../language-of.js';
import { hasRules, spellOut } from '../spell-out.js';

/** Facts of CLDR about a region, as `scripts/locale-data.mjs` writes them. */
interface RegionFacts {
  decimal: '.' | ',';
  /** Whether 3/4/2026 is a day in March. */
  monthFirst: boolean;
  /** Whether 14:30 is half past two in the afternoon. */
  halfDays: boolean;
  /** The currency of "$". */
  dollar: string;
}

type Table = Readonly<Record<string, Partial<RegionFacts>>>;

/**
 * Returns a language tag in its usual form: "en-GB" for "en_gb". A tag without a known region is its language.
 * @param tag Language, and optionally a region.
 */
export function usualTag(tag: string): string {
  const [language = '', region = ''] = tag.split(/[-_]/u);
  const code = language.toLowerCase();
  const usual = `${code}-${region.toUpperCase()}`;
  return region !== '' && Object.hasOwn(tableOf(), usual) ? usual : code;
}

const tableOf = (): Table => require('../data/regions.json');

/** Returns the language as it is written and spoken in a region that CLDR knows. @param tag A result of `usualTag`. */
export function regional(language: Language, tag: string): Language {
  if (tag === language.code) return language;
  const table = tableOf();
  const facts = { ...table[language.code], ...table[tag] };
  const numbers = numbersOf(language, tag, facts);
  return {
    ...language,
    numbers,
    money: moneyOf(language, tag, facts),
    dates: datesOf(language, facts),
    times: facts.halfDays === true ? { ...language.times, time: inHalfDays(language) } : language.times,
  };
}

function numbersOf({ numbers }: Language, tag: string, { decimal }: Partial<RegionFacts>): NumberWords {
  const words = CARDINALS[tag.slice(0, 2)]?.(numbers, tag) ?? numbers.cardinal;
  return { ...numbers, cardinal: words, decimal: decimal ?? numbers.decimal };
}

/** North American English has no "and" after hundreds. */
const WITHOUT_AND = ['en-US', 'en-CA', 'en-PH', 'en-PR', 'en-GU', 'en-VI', 'en-AS', 'en-MP', 'en-UM'];
const MILLIARD = 10 ** 9;

/** The number words of regions, by language. */
const CARDINALS: Readonly<
  Record<string, (numbers: NumberWords, tag: string) => NumberWords['cardinal'] | undefined>
> = {
  en: (_, tag) => {
    if (WITHOUT_AND.includes(tag)) return undefined;
    if (tag === 'en-IN')
      return (value) =>
        spellOut(tag, '%spellout-cardinal', value).replace(
          /(?<=hundred) (?!thousand|lakh|crore|trillion)/gu,
          ' and ',
        );
    return (value) => spellOut('en', '%spellout-cardinal-verbose', value).replaceAll(',', '');
  },
  // A thousand million is no "bilhão" in Europe.
  pt: ({ cardinal }, tag) =>
    tag === 'pt-PT'
      ? (value, series) =>
          value < MILLIARD
            ? cardinal(value, series)
            : spellOut(tag, '%spellout-cardinal-masculine', value).replaceAll(',', '')
      : undefined,
};

function moneyOf({ money }: Language, tag: string, { dollar }: Partial<RegionFacts>): Language['money'] {
  const currencies: Record<string, Currency> = { ...money.currencies };
  const short = dollar === undefined ? undefined : shortName(dollar, money.currencies);
  if (dollar !== undefined && short !== undefined) currencies[dollar] = short;
  Object.assign(currencies, HOME_CURRENCIES[tag]);
  const signs = dollar === undefined ? money.signs : { ...money.signs, $: dollar };
  return { ...money, currencies, ...(signs !== undefined && { signs }) };
}

const HOME_CURRENCIES: Readonly<Record<string, Readonly<Record<string, Currency>>>> = {
  'en-IN': { INR: { unit: noun('rupee', 'rupees', 'plain'), cent: noun('paisa', 'paise', 'plain') } },
  'pt-PT': { EUR: { unit: noun('euro', 'euros'), cent: noun('cêntimo', 'cêntimos') } },
};

/** At home, people say "dollar" and "peso" without the country. */
function shortName(code: string, currencies: Readonly<Record<string, Currency>>): Currency | undefined {
  if (code.endsWith('D')) return currencies['USD'];
  return { unit: noun('peso', 'pesos'), cent: noun('centavo', 'centavos') };
}

function datesOf(
  { dates }: Language,
  { monthFirst = dates.monthFirst }: Partial<RegionFacts>,
): Language['dates'] {
  const isDayFirst = dates.monthFirst && !monthFirst;
  return {
    ...dates,
    monthFirst,
    readsMonthFirst: dates.monthFirst || dates.readsMonthFirst === true,
    date: (date, before) => dates.date(isDayFirst ? { dayFirst: true, ...date } : date, before),
  };
}

const HALF_DAY = 12;

function inHalfDays({ times }: Language): Language['times']['time'] {
  return (time) => {
    const { hour, half, minute } = time;
    if (half !== undefined || (hour > 0 && hour <= HALF_DAY)) return times.time(time);
    if (hour % (2 * HALF_DAY) === 0)
      return minute === 0 ? times.time(time) : times.time({ ...time, hour: HALF_DAY, half: 'AM' });
    return times.time({ ...time, hour: hour - HALF_DAY, half: 'PM' });
  };
}

/** Spellings of a region, beside those of the numbers below a hundred. */
const SPELLINGS: Readonly<Record<string, ReadonlyArray<readonly [usual: string, regional: string]>>> = {
  'pt-PT': [['ômetro', 'ómetro']],
};
/** Regions with number words of their own: "septante", "dezasseis". */
const WITH_NUMBERS = ['fr-BE', 'fr-CH', 'pt-PT'];
/** The last one decides where the usual number has one form only: "soixante-et-onze". */
const RULE_SETS = ['%spellout-cardinal-feminine', '%spellout-cardinal-masculine'];

/** Returns a function that writes words of the rules in the spelling of a region. @param tag A result of `usualTag`. */
export function spellingOf(tag: string): (words: string) => string {
  const spellings = new Map([...(SPELLINGS[tag] ?? []), ...numberSpellings(tag)]);
  if (spellings.size === 0) return (words) => words;
  const any = [...spellings.keys()].sort((one, other) => other.length - one.length).join('|');
  const pattern = new RegExp(any, 'gu');
  return (words) => words.replace(pattern, (word) => spellings.get(word) ?? word);
}

/** CLDR has no hyphen in the Belgian "quatre-vingt un", which is as in France otherwise. */
function numberSpellings(tag: string): Array<[usual: string, regional: string]> {
  if (!WITH_NUMBERS.includes(tag)) return [];
  const language = tag.slice(0, 2);
  return RULE_SETS.filter((set) => hasRules(tag, set)).flatMap((set) =>
    Array.from({ length: 100 }, (_, value): [string, string] => [
      spellOut(language, set, value),
      spellOut(tag, set, value),
    ]).filter(([usual, own]) => usual !== own.replaceAll(' ', '-')),
  );
}
