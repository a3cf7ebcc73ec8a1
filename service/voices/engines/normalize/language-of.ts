import type {
  Currency,
  DateWords,
  ElectronicWords,
  Language,
  MoneyWords,
  Noun,
  NumberWords,
  PhoneWords,
  Series,
  TimeWords,
  UnitWords,
} from './language.js';
import { type LocaleData, localeData, type NameForms, type UnitData } from './locale-data.js';
import { hasRules, spellOut } from './spell-out.js';

/** The facts of a language that CLDR lacks. Any other part replaces the one from CLDR. */
export interface Facts extends Pick<
  Language,
  'code' | 'script' | 'fraction' | 'fractionOf' | 'electronic' | 'abbreviations' | 'names' | 'roman' | 'signs'
> {
  numbers: Pick<NumberWords, 'minus' | 'plus'> &
    Partial<NumberWords> & {
      /** The word for the decimal mark. */
      mark: string;
      /** The word of a range: "to". */
      to: string;
    };
  units?: Partial<UnitWords> & {
    /** The word of a rate: "per". */
    by?: string;
    /** Genders by symbol, where CLDR has none. */
    series?: Readonly<Record<string, Series>>;
  };
  money?: Partial<MoneyWords> & {
    /** The word between whole coins and cents. */
    and?: string;
    /** The hundredths by currency; CLDR has no names for them. */
    cents?: Readonly<Record<string, Noun>>;
    /** Currencies by the name that people use: "dollar" and not "US dollar". */
    units?: Readonly<Record<string, Noun>>;
  };
  dates?: Partial<DateWords>;
  times?: Partial<TimeWords>;
  phones?: Partial<PhoneWords>;
  forms?: Language['forms'];
}

/** Symbols that are words in languages with Latin letters. */
const AMBIGUOUS = ['in', 'st', 'pt', 'd', 'ac', 'yr', 'month', 'week', 'N'];

/** Symbols that are more often another word: Russian "с" is "with". */
const PREPOSITIONS = ['с', 'г.', 'л.', 'мес.'];

/** Returns a language from the data of CLDR and its own facts. */
export function languageOf(facts: Facts): Language {
  const data = localeData(facts.code);
  const numbers = numberWordsOf(facts, data);
  return {
    ...facts,
    numbers,
    units: unitWordsOf(facts, data),
    money: moneyWordsOf(facts, data),
    dates: {
      date: ({ year, month, day }) =>
        [numbers.cardinal(day, 'plain'), data.months[month - 1], year === undefined ? '' : numbers.year(year)]
          .filter((part) => part !== '')
          .join(' '),
      monthFirst: false,
      shortDates: false,
      dayMonth: '\\.? ',
      monthYear: ' ',
      ...facts.dates,
    },
    times: { time: facts.script === undefined ? clockOf(numbers) : timeOf(numbers, data), ...facts.times },
    phones: {
      patterns: [],
      pause: ', ',
      digit: (digit) => numbers.cardinal(digit, 'plain'),
      ...facts.phones,
    },
    forms: facts.forms ?? [],
  };
}

function numberWordsOf({ code, numbers: facts }: Facts, data: LocaleData): NumberWords {
  const { mark, to, ...numbers } = facts;
  return {
    cardinal: (value, series) =>
      spellOut(code, ruleSetOf(code, 'cardinal', series) ?? '%spellout-numbering', value),
    ordinal: (value, series = 'masculine') => {
      const ruleSet = ruleSetOf(code, 'ordinal', series);
      const words = ruleSet === undefined ? '' : spellOut(code, ruleSet, value);
      // CLDR leaves some higher ordinals as figures, or with several forms.
      return words === '' || /[\d|]/u.test(words) ? undefined : words;
    },
    decimal: data.decimal === ',' ? ',' : '.',
    point: { '.': ` ${mark} `, ',': ` ${mark} ` },
    joinsDecimals: false,
    spacesThousands: /\s/u.test(data.group),
    space: ' ',
    range: (from, until) => `${from} ${to} ${until}`,
    year: (value) => {
      const words = spellOut(code, '%spellout-numbering-year', value);
      // Polish offers two forms of a year, in a case that fits after "in" only.
      return words.includes('|') ? spellOut(code, '%spellout-numbering', value) : words;
    },
    ...numbers,
  };
}

/** The names of the rule sets differ: Swedish has "reale", Turkish only one form. */
const FALLBACKS: Readonly<Record<Series, readonly string[]>> = {
  plain: [],
  native: [],
  masculine: ['-masculine', '-common', '-reale', ''],
  feminine: ['-feminine', '-common', '-reale', ''],
  neuter: ['-neuter', ''],
  common: ['-common', '-reale', '-masculine', ''],
};

function ruleSetOf(code: string, kind: 'cardinal' | 'ordinal', series: Series): string | undefined {
  return FALLBACKS[series].map((ending) => `%spellout-${kind}${ending}`).find((name) => hasRules(code, name));
}

const SERIES: readonly Series[] = ['masculine', 'feminine', 'neuter', 'common'];
const seriesOf = (gender: string | undefined): Series =>
  SERIES.find((series) => series === gender) ?? 'masculine';

/** A name without a gap to its number gets the usual gap of the language. */
function toNoun({ gender, forms: { other, ...forms } }: UnitData): Noun {
  const names = Object.entries(forms).map(([form, name]) => [form, name.replace(/^#/u, '')]);
  return { ...Object.fromEntries(names), other: other.replace(/^#/u, ''), series: seriesOf(gender) };
}

function unitWordsOf({ units = {}, script }: Facts, data: LocaleData): UnitWords {
  const names: Record<string, Noun> = {};
  const pers = new Map<string, string>();
  for (const [symbol, unit] of Object.entries(data.units)) {
    if (script === undefined && AMBIGUOUS.includes(symbol)) continue;
    const gender = units.series?.[symbol];
    const noun = gender === undefined ? toNoun(unit) : { ...toNoun(unit), series: gender };
    for (const spelling of [symbol, ...(unit.symbols ?? [])])
      if (!PREPOSITIONS.includes(spelling)) names[spelling] = noun;
    if (unit.per !== undefined) pers.set(noun.one ?? noun.other, unit.per);
  }
  const { by, series: _, ...words } = units;
  const per = (name: string) => pers.get(name)?.replace('#', '').trim() ?? `${by ?? ''} ${name}`.trim();
  return { per, afterMillion: (name) => name, ...words, names: { ...names, ...units.names } };
}

function moneyWordsOf({ money = {} }: Facts, data: LocaleData): MoneyWords {
  const { and, cents = {}, units = {}, ...words } = money;
  const currencies = Object.entries(data.currencies).map(([code, name]: [string, NameForms]) => {
    const [unit, cent] = [units[code] ?? { ...name, series: 'masculine' as const }, cents[code]];
    return [code, cent === undefined ? { unit } : { unit, cent }] satisfies [string, Currency];
  });
  return {
    join: (coins, rest) => (and === undefined ? `${coins} ${rest}` : `${coins} ${and} ${rest}`),
    scales: {},
    currencies: Object.fromEntries(currencies),
    ...words,
  };
}

/** Returns a language with the units and currencies of CLDR that it lacks. */
export function completedLanguage(language: Language): Language {
  const { code, units, money } = language;
  const data = localeData(code);
  const { currencies } = moneyWordsOf({ code, numbers: NO_WORDS }, data);
  return {
    ...language,
    units: { ...units, more: unitWordsOf({ code, numbers: NO_WORDS }, data).names },
    money: {
      ...money,
      fullNames: currencies,
      currencies: { ...currencies, ...money.currencies },
    },
  };
}

const NO_WORDS = { minus: '', plus: '', mark: '', to: '' };

/** Hours, minutes and seconds with their names. */
function timeOf(numbers: NumberWords, data: LocaleData): TimeWords['time'] {
  const nounOf = (unit: UnitData | undefined) => toNoun(unit ?? { forms: { other: '' } });
  const { h, min, s } = data.units;
  const [hours, minutes, seconds] = [nounOf(h), nounOf(min), nounOf(s)];
  const part = (value: number, noun: Noun) => {
    const name = noun[data.pluralOf(value, '')] ?? noun.other;
    return `${numbers.cardinal(value, noun.series)} ${name}`.trim();
  };
  return ({ hour, minute, second }) =>
    [
      part(hour, hours),
      minute + second === 0 ? '' : part(minute, minutes),
      second === 0 ? '' : part(second, seconds),
    ]
      .filter((words) => words !== '')
      .join(' ');
}

/** Numbers alone: "fourteen thirty"; names of units make a duration of it. */
function clockOf({ cardinal }: NumberWords): TimeWords['time'] {
  const plain = (value: number) => cardinal(value, 'plain');
  const pair = (value: number) => (value < 10 ? `${plain(0)} ${plain(value)}` : plain(value));
  return ({ hour, minute, second }) =>
    [plain(hour), minute + second === 0 ? '' : pair(minute), second === 0 ? '' : pair(second)]
      .filter((words) => words !== '')
      .join(' ');
}

/** Returns a noun of a language from its forms for one, and for any other number. */
export function noun(one: string, other = one, series: Series = 'masculine'): Noun {
  return { one, other, series };
}

/** Returns the forms of a noun in a language with four plural categories of CLDR. */
export function noun4(
  one: string,
  few: string,
  many: string,
  series: Series = 'masculine',
  other = many,
): Noun {
  return { one, few, many, other, series };
}

const ADDRESS_SIGNS = ['@', '.', '-', '_', '/', ':'];

/** Returns the words of the signs `@ . - _ / :` in addresses, which `|` separates. Names are read as words. */
export function electronicOf(list: string): ElectronicWords {
  const words = list.split('|');
  const signs = Object.fromEntries(ADDRESS_SIGNS.map((sign, at) => [sign, words[at] ?? '']));
  return {
    signs: { ...signs, '://': `${signs[':']} ${signs['/']} ${signs['/']}` },
    words: {},
    spelledNames: false,
  };
}

/** Guesses the gender of a noun by its ending, in Slavic languages with Latin letters. */
export function slavicSeries(word: string): Series {
  if (word.endsWith('a')) return 'feminine';
  return /[oeęí]$/u.test(word) ? 'neuter' : 'masculine';
}
