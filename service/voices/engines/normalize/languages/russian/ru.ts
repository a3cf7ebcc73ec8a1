import type { Noun, Series } from '../../language.js';
import { type Facts, noun } from '../../language-of.js';
import { spellOut } from '../../spell-out.js';
import { russianAbbreviations, russianElectronic, russianSigns } from './words.js';
import { endsWithOne, yearIn } from './cases.js';
import { figureForms, wordForms } from './forms.js';
import { russianOrdinal, type OrdinalForm } from './ordinals.js';
import { dayIn, RUSSIAN_MONTHS } from './years.js';

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

/** Names of tsars and popes; after them, a Roman numeral is an ordinal. */
const RULERS =
  'Пётр|Петр|Екатерина|Николай|Александр|Павел|Иван|Елизавета|Людовик|Генрих|Карл|Филипп|Георг|Эдуард|Фридрих|Вильгельм|Наполеон|Пий|Лев|Григорий|Бенедикт|Франциск|Фердинанд|Анна|Мария|Рамсес';

function romanForm(before: string): OrdinalForm {
  if (/^глав[уа]$/u.test(before)) return before.endsWith('у') ? 'feminine-accusative' : 'feminine';
  if (/^(?:главе|главы|части)$/u.test(before)) return 'feminine-oblique';
  return /^(?:часть|Екатерина|Елизавета|Анна|Мария)$/iu.test(before) ? 'feminine' : 'masculine';
}

function centuryForm(after: string): OrdinalForm {
  if (after === 'столетие') return 'neuter';
  if (/[еи]$/u.test(after)) return 'prepositional';
  return /[ая]$/u.test(after) ? 'genitive' : 'masculine';
}

/** Russian. */
export const facts: Facts = {
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
    ordinal: (value, series) =>
      russianOrdinal(value, series === 'feminine' || series === 'neuter' ? series : 'masculine'),
    year: (value) => yearIn('genitive', value),
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
    date: ({ year, month, day }, before) =>
      `${dayIn(day, before)} ${RUSSIAN_MONTHS[month - 1]}${year === undefined ? '' : ` ${yearIn('genitive', year)} года`}`,
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
  electronic: russianElectronic,
  signs: russianSigns,
  names: wordForms,
  abbreviations: russianAbbreviations,
  forms: figureForms,
  roman: {
    before: `глав[аеуы]|част[ьи]|том|раздел|${RULERS}`,
    after: {
      pattern: 'век[ае]?|столети[еия]|съезд[ае]?',
      words: (value, after) => russianOrdinal(value, centuryForm(after)) ?? '',
    },
    words: (value, before) => russianOrdinal(value, romanForm(before)) ?? '',
  },
  fraction: ({ whole, numerator, denominator }) => {
    if (denominator < 2 || denominator > 1000 || numerator === 0) return undefined;
    const part = russianOrdinal(denominator, endsWithOne(numerator) ? 'feminine' : 'plural-genitive');
    const words = `${feminine(numerator)} ${part}`;
    return whole === undefined
      ? words
      : `${feminine(Number(whole))} ${endsWithOne(Number(whole)) ? 'целая' : 'целых'} ${words}`;
  },
};

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
