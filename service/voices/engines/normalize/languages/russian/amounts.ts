import type { PluralForm } from '../../plurals.js';
import { localeData, type NameForms } from '../../locale-data.js';
import { END, START } from '../../numerals.js';
import type { NormalizationRule } from '../../rule.js';
import type { Case } from '../slavic-cases.js';
import { cardinalIn, russianCaseAfter, endsWithOne } from './cases.js';

/** Endings and words of the genitive plural: a number before them is an amount and not a year. */
const GENITIVE_PLURAL =
  /^(?:\p{Ll}{2,}(?:ов|ев|ей|ек|ок|ут|унд)|раз|лет|мест|тонн|штук|страниц|книг|слов|недель|суток|копий|калорий|единиц|машин|участниц|школ|стран|кил\p{Ll}+|градусов)$/u;
/** Returns whether a word makes an amount of a number that could be a year. */
export const amountAfter = (word: string): boolean => GENITIVE_PLURAL.test(word.replace(/\.$/u, ''));

interface Unit {
  forms: NameForms;
  gender?: string;
}

const MONEY: Readonly<Record<string, Unit>> = {
  RUB: { forms: { other: 'рубля', many: 'рублей' } },
  USD: { forms: { other: 'доллара', many: 'долларов' } },
  EUR: { forms: { other: 'евро' } },
};
const SCALES: Readonly<Record<string, Unit>> = {
  тыс: { forms: { other: 'тысячи', many: 'тысяч' }, gender: 'feminine' },
  млн: { forms: { other: 'миллиона', many: 'миллионов' } },
  млрд: { forms: { other: 'миллиарда', many: 'миллиардов' } },
  трлн: { forms: { other: 'триллиона', many: 'триллионов' } },
};
const SIGNS: Readonly<Record<string, string>> = {
  '₽': 'RUB',
  'руб.': 'RUB',
  руб: 'RUB',
  'р.': 'RUB',
  $: 'USD',
  'долл.': 'USD',
  '€': 'EUR',
};
/** Symbols that are more often another word, or another unit. */
const AMBIGUOUS = new Set(['с', 'г.', 'л.', 'ярд', 'стоун', 'А', 'В']);

let units: ReadonlyMap<string, Unit> | undefined;
/** Units and coins by symbol. CLDR's forms after numbers are the genitive. */
function unitsBySymbol(): ReadonlyMap<string, Unit> {
  units ??= new Map([
    ...Object.values(localeData('ru').units).flatMap((unit) =>
      (unit.symbols ?? [])
        .filter((symbol) => !AMBIGUOUS.has(symbol))
        .map((symbol) => [symbol, unit] as const),
    ),
    ...['%', '°C', '°'].flatMap((symbol) => {
      const unit = localeData('ru').units[symbol];
      return unit === undefined ? [] : [[symbol, unit] as const];
    }),
    ...Object.entries(SIGNS).flatMap(([sign, code]) => {
      const unit = MONEY[code];
      return unit === undefined ? [] : [[sign, unit] as const];
    }),
  ]);
  return units;
}

/** Returns whether a text begins with the symbol of a unit. */
export const isUnit = (text: string): boolean => unitsBySymbol().has(text) || /^[%°\p{Sc}]|[/²³]/u.test(text);

/** A whole number, with its thousands parted by spaces. */
const NUMBER = '(?:[1-9]\\d{0,2}(?:[ \\u00a0]\\d{3}(?!\\d))+|[1-9]\\d{0,5})';
const YEAR = /^(?:1[5-9]|20)\d\d$/u;
const valueOf = (number: string) => Number(number.replace(/\D/gu, ''));

/** Words after a number in the singular: "с 21 сотрудником", "до 21 минуты". */
function genderBefore(next: string, wanted: Case): 'masculine' | 'feminine' {
  const isFeminine = wanted === 'genitive' ? /(?:[ыи]|ей|ой)$/u : /(?:ой|ей|ью|е|и)$/u;
  return isFeminine.test(next) ? 'feminine' : 'masculine';
}

function counted(number: string, next: string, wanted: Case): string | undefined {
  const value = valueOf(number);
  if (YEAR.test(number) && !amountAfter(next) && !/(?:ами|ями|ам|ям|ах|ях)$/u.test(next)) return undefined;
  return cardinalIn(wanted, value, endsWithOne(value) ? genderBefore(next, wanted) : 'masculine');
}

/** Returns the case of a number by the word before it and the ending of its noun. */
function caseOf(before: string, next: string, value: number): Case | undefined {
  const own = russianCaseAfter(before);
  if (/\p{L}{2}(?:ами|ями)$|^(?:людьми|детьми)$/u.test(next)) return 'instrumental';
  if (/\p{L}{2}[ая]х$/u.test(next) && (own === 'prepositional' || /(?<!\p{L})на $/iu.test(before)))
    return 'prepositional';
  if (/\p{L}{2}[ая]м$/u.test(next) && (own === 'dative' || /(?<!\p{L})по $/iu.test(before))) return 'dative';
  // "с 21 сотрудником"; "с 21 сотрудника" is in the genitive.
  if (/(?<!\p{L})со? $/iu.test(before) && endsWithOne(value) && /\p{L}(?:[оеё]м|[оеё]й|ью)$/u.test(next))
    return 'instrumental';
  return own === 'genitive' || own === 'dative' ? own : undefined;
}

const signWord = (sign: string) => (sign === '' ? '' : sign === '+' ? 'плюс ' : 'минус ');

/** Returns an amount of a unit in the genitive. */
function genitiveOf(value: number, { forms, gender }: Unit): string {
  const form: PluralForm = endsWithOne(value) ? 'other' : 'many';
  return `${cardinalIn('genitive', value, gender === 'feminine' ? 'feminine' : 'masculine')} ${forms[form] ?? forms.other}`;
}

/** Rules for amounts beside a preposition: "до 10 человек", "с 12 сотрудниками", "более 5 %". */
export const amountForms: readonly NormalizationRule[] = [
  {
    pattern: new RegExp(
      `${START}(?<sign>[-−+]?)(?<number>${NUMBER})\\s?(?:(?<scale>${Object.keys(SCALES).join('|')})(?!\\p{L})\\.?\\s?)?(?:(?<symbol>[%₽$€]|°C?|(?:руб|долл|р)\\.|\\p{Script=Cyrillic}{1,4}(?:/[чс]|[²³])?)(?![\\p{L}\\p{N}²³/]|[.,]\\p{N})|(?<=\\s)(?=\\p{Ll}{3}))`,
      'gu',
    ),
    words: ({ sign = '', number = '', scale = '', symbol = '' }, before) => {
      const [unit, multiple] = [unitsBySymbol().get(symbol), SCALES[scale]];
      if (russianCaseAfter(before) !== 'genitive' || (unit ?? multiple) === undefined) return undefined;
      const value = valueOf(number);
      if (multiple === undefined) return unit && `${signWord(sign)}${genitiveOf(value, unit)}`;
      return `${signWord(sign)}${genitiveOf(value, multiple)} ${unit === undefined ? symbol : (unit.forms.many ?? unit.forms.other)}`;
    },
  },
  {
    pattern: new RegExp(
      `(?<=(?<!\\p{L})[Мм]ежду )(?<one>${NUMBER}) и (?<other>${NUMBER})${END}(?! \\d| ?год)`,
      'gu',
    ),
    words: ({ one = '', other = '' }) =>
      YEAR.test(one) && YEAR.test(other)
        ? undefined
        : `${cardinalIn('instrumental', valueOf(one))} и ${cardinalIn('instrumental', valueOf(other))}`,
  },
  {
    pattern: new RegExp(
      `${START}(?<sign>[-−+]?)(?:(?<from>[1-9]\\d{0,3})(?<dash>[-–]))?(?<number>${NUMBER})${END}(?! \\d)(?=(?: (?<next>[^\\s,.;:!?)]+))?)`,
      'gu',
    ),
    words: ({ sign = '', from, dash, number = '', next = '' }, before) => {
      if (isUnit(next) || /^(?:год|мес\.|тыс|мл[нр])/u.test(next)) return undefined;
      const wanted = caseOf(before, next, valueOf(number));
      const words = wanted && counted(number, next, wanted);
      if (wanted === undefined || words === undefined) return undefined;
      if (from === undefined) return `${signWord(sign)}${words}`;
      return Number(from) < valueOf(number)
        ? `${cardinalIn(wanted, Number(from))}${dash}${words}`
        : undefined;
    },
  },
];
