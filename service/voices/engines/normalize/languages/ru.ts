import type { Noun, Series } from '../language.js';
import { type Facts, noun } from '../language-of.js';
import { spellOut } from '../spell-out.js';
import { abbreviations, electronic, signs } from './ru-words.js';
import { figureForms, wordForms, withoutOne } from './ru-forms.js';

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

/** Names of tsars and popes; after them, a Roman numeral is an ordinal. */
const RULERS =
  'Пётр|Петр|Екатерина|Николай|Александр|Павел|Иван|Елизавета|Людовик|Генрих|Карл|Филипп|Георг|Эдуард|Фридрих|Вильгельм|Наполеон|Пий|Лев|Григорий|Бенедикт|Франциск|Фердинанд|Анна|Мария|Рамсес';

function romanForm(before: string): string {
  if (/^глав[уа]$/u.test(before)) return before.endsWith('у') ? 'feminine-accusative' : 'feminine';
  if (/^(?:главе|главы|части)$/u.test(before)) return 'feminine-genitive';
  return /^(?:часть|Екатерина|Елизавета|Анна|Мария)$/iu.test(before) ? 'feminine' : 'masculine';
}

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
    // The dash keeps the nominative: "три–пять дней".
    range: (from, until) => `${from}–${until}`,
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
        ? /[ая]$|(?:ость|знь|чь|шь|щь|жь|овь|верь|адь|ядь)$/u.test(word)
          ? 'feminine'
          : /[оеё]$/u.test(word)
            ? 'neuter'
            : 'plain'
        : /[ыи]$/u.test(word)
          ? 'feminine'
          : 'plain',
  },
  units: {
    by: 'в',
    names: {
      'Мбит/с': forms('мегабит в секунду', 'мегабита в секунду', 'мегабит в секунду'),
      'Кбит/с': forms('килобит в секунду', 'килобита в секунду', 'килобит в секунду'),
      'Гбит/с': forms('гигабит в секунду', 'гигабита в секунду', 'гигабит в секунду'),
      Мбит: forms('мегабит', 'мегабита', 'мегабит'),
      сек: forms('секунда', 'секунды', 'секунд', 'feminine'),
      кВтч: forms('киловатт-час', 'киловатт-часа', 'киловатт-часов'),
    },
  },
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
    date: ({ year, month, day }, before) => {
      // The day is in the genitive after most words, in the nominative after "сегодня" and at the start.
      const isSubject = /(?:^|[:;.!?–—-]|(?<!\p{L})(?:на|сегодня|завтра|вчера|это|и|или)) ?$/iu.test(before);
      const ruleSet = `%spellout-ordinal-neuter${isSubject ? '' : '-genitive'}`;
      const words = `${spellOut('ru', ruleSet, day)} ${MONTHS[month - 1]}`;
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
  electronic,
  signs,
  names: wordForms,
  abbreviations,
  forms: figureForms,
  roman: {
    before: `глав[аеуы]|част[ьи]|том|раздел|${RULERS}`,
    after: {
      pattern: 'век[ае]?|столети[еия]|съезд[ае]?',
      words: (value, after) =>
        spellOut(
          'ru',
          `%spellout-ordinal-${/^столетие$/u.test(after) ? 'neuter' : after.endsWith('е') || after.endsWith('и') ? 'masculine-prepositional' : /[ая]$/u.test(after) ? 'masculine-genitive' : 'masculine'}`,
          value,
        ),
    },
    words: (value, before) => spellOut('ru', `%spellout-ordinal-${romanForm(before)}`, value),
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
