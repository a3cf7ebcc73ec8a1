import type { Noun, Series } from '../language.js';
import { type Facts, noun } from '../language-of.js';
import { END, START } from '../numerals.js';
import { spellOut } from '../spell-out.js';

const forms = (one: string, few: string, many: string, series: Series = 'masculine'): Noun => ({
  one,
  few,
  many,
  other: few,
  series,
});
const feminine = (value: number) => spellOut('ru', '%spellout-cardinal-feminine', value);

/** The names of decimal places: one, and any other number. */
const PLACES = [
  ['десятая', 'десятых'],
  ['сотая', 'сотых'],
  ['тысячная', 'тысячных'],
  ['десятитысячная', 'десятитысячных'],
  ['стотысячная', 'стотысячных'],
  ['миллионная', 'миллионных'],
] as const;
const endsWithOne = (value: number) => value % 10 === 1 && value % 100 !== 11;

/** The endings of ordinals in figures with the rule sets of CLDR. */
const ENDINGS: ReadonlyArray<readonly [ending: RegExp, ruleSet: string]> = [
  [/^(?:ы|и|о)?й$/u, 'masculine'],
  [/^а?я$/u, 'feminine'],
  [/^о?е$/u, 'neuter'],
  [/^(?:ые|ие)$/u, 'plural'],
  [/^о?го$/u, 'masculine-genitive'],
  [/^о?му$/u, 'masculine-dative'],
  [/^(?:ым|им)$/u, 'masculine-instrumental'],
  [/^о?м$/u, 'masculine-prepositional'],
  [/^ой$/u, 'feminine-genitive'],
  [/^у?ю$/u, 'feminine-accusative'],
  [/^(?:ы|и)?х$/u, 'plural-genitive'],
  [/^(?:ы|и)?ми$/u, 'plural-instrumental'],
];
const DECADE = 20;

function ordinalWithEnding(value: number, ending: string): string | undefined {
  const known = ENDINGS.find(([pattern]) => pattern.test(ending))?.[1];
  if (known === undefined || value === 0) return undefined;
  const isDecade = known === 'neuter' && value % 10 === 0 && value >= DECADE;
  return withoutOne(spellOut('ru', `%spellout-ordinal-${isDecade ? 'plural' : known}`, value));
}

/** Years and decades begin with "тысяча", not with "одна тысяча". */
const withoutOne = (words: string) => words.replace(/^одна тысяча/u, 'тысяча');

/** Words that follow a year, with the case of its ordinal. */
const YEAR_WORDS: Readonly<Record<string, string>> = {
  год: 'masculine',
  года: 'masculine-genitive',
  году: 'masculine-prepositional',
  годом: 'masculine-instrumental',
};

const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  'эй би си ди и эф джи эйч ай джей кей эл эм эн оу пи кью ар эс ти ю ви дабл-ю экс уай зед'
    .split(' ')
    .map((name, at) => [String.fromCodePoint(97 + at), name]),
);

/** Russian. */
export const russian: Facts = {
  code: 'ru',
  script: '\\p{Script=Cyrillic}',
  numbers: {
    equals: 'равно',
    minus: 'минус',
    plus: 'плюс',
    mark: 'запятая',
    to: 'до',
    dot: 'точка',
    decimals: (whole, fraction) => {
      const place = PLACES[fraction.length - 1];
      if (place === undefined) return undefined;
      const [units, parts] = [Number(whole), Number(fraction)];
      const wholes =
        units === 0 ? 'ноль целых' : `${feminine(units)} ${endsWithOne(units) ? 'целая' : 'целых'}`;
      return `${wholes} ${parts === 0 ? 'ноль' : feminine(parts)} ${place[endsWithOne(parts) ? 0 : 1]}`;
    },
    year: (value) => withoutOne(spellOut('ru', '%spellout-numbering-year', value)),
    seriesBefore: (word, digits) =>
      digits.endsWith('1')
        ? /[ая]$/u.test(word)
          ? 'feminine'
          : /[оеё]$/u.test(word)
            ? 'neuter'
            : 'plain'
        : /[ыи]$/u.test(word)
          ? 'feminine'
          : 'plain',
  },
  units: { by: 'в' },
  money: {
    units: {
      RUB: forms('рубль', 'рубля', 'рублей'),
      USD: forms('доллар', 'доллара', 'долларов'),
      EUR: noun('евро'),
      GBP: forms('фунт', 'фунта', 'фунтов'),
      UAH: forms('гривна', 'гривны', 'гривен', 'feminine'),
    },
    cents: {
      RUB: forms('копейка', 'копейки', 'копеек', 'feminine'),
      USD: forms('цент', 'цента', 'центов'),
      EUR: forms('цент', 'цента', 'центов'),
      GBP: forms('пенни', 'пенса', 'пенсов'),
      UAH: forms('копейка', 'копейки', 'копеек', 'feminine'),
    },
    signs: { 'руб.': 'RUB', руб: 'RUB', 'р.': 'RUB', р: 'RUB', 'долл.': 'USD', 'грн.': 'UAH', грн: 'UAH' },
    scales: {
      'тыс.': forms('тысяча', 'тысячи', 'тысяч', 'feminine'),
      тыс: forms('тысяча', 'тысячи', 'тысяч', 'feminine'),
      млн: forms('миллион', 'миллиона', 'миллионов'),
      'млн.': forms('миллион', 'миллиона', 'миллионов'),
      млрд: forms('миллиард', 'миллиарда', 'миллиардов'),
      'млрд.': forms('миллиард', 'миллиарда', 'миллиардов'),
      трлн: forms('триллион', 'триллиона', 'триллионов'),
    },
  },
  dates: {
    date: ({ year, month, day }) => {
      const words = `${spellOut('ru', '%spellout-ordinal-neuter', day)} ${MONTHS[month - 1]}`;
      return year === undefined
        ? words
        : `${words} ${withoutOne(spellOut('ru', '%spellout-ordinal-masculine-genitive', year))} года`;
    },
    shortDates: true,
    dayMonth: '(?:-?(?:го|е))? ',
    monthYear: ' ',
    yearWord: ' ?(?:года|г\\.)',
  },
  times: { separator: '\\.(?=[0-5]\\d ч)', suffix: ' ?ч(?:ас(?:ов|а)?|\\.)?(?!\\p{L})' },
  phones: {
    patterns: ['8[ -]?\\(?\\d{3}\\)?[ -]?\\d{3}[ -]?\\d{2}[ -]?\\d{2}'],
    pause: ', ',
    group: (digits) => inGroup(digits),
  },
  electronic: {
    signs: {
      '@': 'собака',
      '.': 'точка',
      '-': 'дефис',
      _: 'подчёркивание',
      '/': 'слэш',
      ':': 'двоеточие',
      '://': 'двоеточие слэш слэш',
    },
    words: {
      gmail: 'джи мейл',
      com: 'ком',
      ru: 'ру',
      org: 'орг',
      net: 'нет',
      mail: 'мейл',
      yandex: 'яндекс',
      www: 'вэ вэ вэ',
    },
    letters: LETTERS,
  },
  abbreviations: {
    'ул.': 'улица',
    'т.д.': 'так далее',
    'т.е.': 'то есть',
    'т. е.': 'то есть',
    'и т.п.': 'и тому подобное',
    'тел.': 'телефон',
    США: 'сэ ш а',
    '№': 'номер',
    'г-н': 'господин',
    'г-жа': 'госпожа',
  },
  forms: [
    {
      pattern: new RegExp(`${START}(?<value>\\d{1,4})-(?<ending>\\p{Script=Cyrillic}{1,3})(?!\\p{L})`, 'gu'),
      words: ({ value, ending = '' }) => ordinalWithEnding(Number(value), ending),
    },
    {
      pattern: new RegExp(`${START}(?<value>[12]\\d{3}) (?<noun>год(?:а|у|ом)?|гг?\\.)(?!\\p{L})`, 'gu'),
      words: ({ value, noun: name = '' }) => {
        const ruleSet = YEAR_WORDS[name] ?? 'masculine-genitive';
        return `${withoutOne(spellOut('ru', `%spellout-ordinal-${ruleSet}`, Number(value)))} ${YEAR_WORDS[name] === undefined ? 'года' : name}`;
      },
    },
    {
      pattern: new RegExp(`${START}0(?<value>[1-9])${END}`, 'gu'),
      words: ({ value }) => spellOut('ru', '%spellout-numbering', Number(value)),
    },
  ],
  roman: {
    before: 'глав[аеуы]|част[ьи]|том|раздел',
    words: (value, before) =>
      spellOut(
        'ru',
        `%spellout-ordinal-${/^(?:том|раздел)$/u.test(before) ? 'masculine' : 'feminine'}`,
        value,
      ),
  },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2 || denominator > 1000 || numerator === 0) return undefined;
    const part = spellOut(
      'ru',
      `%spellout-ordinal-${endsWithOne(numerator) ? 'feminine' : 'plural-genitive'}`,
      denominator,
    );
    const words = `${feminine(numerator)} ${part}`;
    return whole === undefined
      ? words
      : `${feminine(Number(whole))} ${endsWithOne(Number(whole)) ? 'целая' : 'целых'} ${words}`;
  },
};

const MONTHS = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ');

/** Groups of two and three digits are read as numbers. */
function inGroup(digits: string): string | undefined {
  if (digits.length > 3) return undefined;
  const zeros = /^0*/u.exec(digits)?.[0].length ?? 0;
  const words = Array.from({ length: zeros }, () => 'ноль');
  return [
    ...words,
    ...(zeros === digits.length ? [] : [spellOut('ru', '%spellout-numbering', Number(digits))]),
  ].join(' ');
}
