import { START } from '../../numerals.js';
import type { NormalizationRule } from '../../rule.js';
import { spellOut } from '../../spell-out.js';
import { amountForms } from './amounts.js';
import type { Case } from '../slavic-cases.js';
import { cardinalIn, endsWithOne, russianCaseAfter } from './cases.js';
import { codeForms, joinedForms } from './codes.js';
import { russianOrdinal, type OrdinalForm } from './ordinals.js';
import { placeForm } from './places.js';
import { dayForm, yearForms } from './years.js';

/** The endings of ordinals in figures. */
const ENDINGS: ReadonlyArray<readonly [ending: RegExp, form: OrdinalForm]> = [
  [/^(?:ы|и|о)?й$/u, 'masculine'],
  [/^а?я$/u, 'feminine'],
  [/^о?е$/u, 'neuter'],
  [/^(?:ые|ие)$/u, 'plural'],
  [/^о?го$/u, 'genitive'],
  [/^о?му$/u, 'dative'],
  [/^(?:ым|им)$/u, 'instrumental'],
  [/^о?м$/u, 'prepositional'],
  [/^ой$/u, 'feminine-oblique'],
  [/^у?ю$/u, 'feminine-accusative'],
  [/^(?:ы|и)?х$/u, 'plural-genitive'],
  [/^(?:ы|и)?ми$/u, 'plural-instrumental'],
];
const DECADE = 20;

function ordinalWithEnding(value: number, ending: string): string | undefined {
  const known = ENDINGS.find(([pattern]) => pattern.test(ending))?.[1];
  if (known === undefined) return undefined;
  const isDecade = known === 'neuter' && value % 10 === 0 && value >= DECADE;
  return russianOrdinal(value, isDecade ? 'plural' : known);
}

/** The forms of hours and minutes after 1, 21 and so on, and after any other number. */
const NOUNS: Readonly<
  Partial<Record<Case, readonly [hour: string, hours: string, minute: string, minutes: string]>>
> = {
  genitive: ['часа', 'часов', 'минуты', 'минут'],
  dative: ['часу', 'часам', 'минуте', 'минутам'],
};

/** The rule for times after a preposition: "с 9:00 до 18:30". */
const timeForm: NormalizationRule = {
  sign: ':',
  pattern:
    /(?<=\p{L} )(?<hour>[01]?\d|2[0-4]):(?<minute>[0-5]\d)(?! ?[-–—]|[\p{L}\p{N}:/]|[.,]\p{N})(?: ?ч(?:ас(?:ов|а|у|ам)?|\.)?(?!\p{L}))?/gu,
  words: ({ hour, minute }, before) => {
    const wanted = russianCaseAfter(before);
    const [one, hours, ofMinute, minutes] = (wanted && NOUNS[wanted]) ?? [];
    if (wanted === undefined || one === undefined) return undefined;
    const [first, second] = [Number(hour), Number(minute)];
    const words = `${cardinalIn(wanted, first)} ${endsWithOne(first) ? one : hours}`;
    if (second === 0) return words;
    return `${words} ${cardinalIn(wanted, second, 'feminine')} ${endsWithOne(second) ? ofMinute : minutes}`;
  },
};

/** Rules for words, some of them without digits. */
export const wordForms: readonly NormalizationRule[] = [
  dayForm,
  timeForm,
  ...codeForms,
  { pattern: /(?<![\p{L}\p{N}])№(?=\p{N})/gu, words: () => 'номер ' },
  { pattern: /(?<!\p{L}|\p{N} )д\. (?=\d)/gu, words: () => 'дом ' },
  { pattern: /(?<!\p{L}|\p{N} )кв\. (?=\d)/gu, words: () => 'квартира ' },
  { pattern: /(?<!\p{L}|\p{N} ?)г\. (?=\p{Lu}\p{Ll})/gu, words: () => 'город ' },
  { pattern: /(?<=[Сс]огласно )параграф(?= )/gu, words: () => 'параграфу' },
  // "на одна тысяча" is never correct: the amount is in the accusative.
  { pattern: /(?<=(?<!\p{L})(?:на|за|через) )одна тысяча/giu, words: () => 'одну тысячу' },
  // "со ста", "во втором".
  {
    pattern:
      /(?<=(?<!\p{L})[Сс]) (?=ста(?!\p{L}))|(?<=(?<!\p{L})[ВвСс]) (?=втор(?:ой|о[ме]|ого|ому|ым|ую|ая|ых)(?!\p{L}))/gu,
    words: () => 'о ',
  },
  { pattern: /(?<=\d )кв\. ?м(?!\p{L})/gu, words: () => 'м²' },
  // A unit with a power stands for its name also after a word: "цена за м²".
  {
    pattern: /(?<=\p{L} )(?<prefix>к|с|м)?м(?<power>[²³])(?![\p{L}\p{N}])/gu,
    words: ({ prefix, power }) =>
      `${power === '²' ? 'квадратный' : 'кубический'} ${prefix === undefined ? '' : { к: 'кило', с: 'санти', м: 'милли' }[prefix]}метр`,
  },
];

/** Rules for figures that only Russian has. */
export const figureForms: readonly NormalizationRule[] = [
  // "1/2 литра" is "половина литра", after a verb mostly its accusative.
  {
    pattern: /(?<![\p{L}\p{N}.,/]|\p{N} )1\/2 (?=\p{Ll}{2,20}[аыияе](?!\p{L}))/gu,
    words: (_, before) => (/(?:^|[:.!?–—]|л[ао]сь|л[ао]) ?$/u.test(before) ? 'половина ' : 'половину '),
  },
  // "2-х", "3-х", "4-х" before an adjective are cardinals: "четырёх килограммовый".
  {
    pattern: /(?<![\p{L}\p{N}.,])(?<value>[2-4])-х(?= \p{L}+(?:[ыио]й|ая|ое|ого|ой|ом|ых|ые)(?!\p{L}))/gu,
    words: ({ value }) => ['двух', 'трех', 'четырех'][Number(value) - 2],
  },
  // A number after a hyphen and a Russian word: "Ту-154".
  {
    pattern: /(?<=\p{Script=Cyrillic})-(?=\d{1,4}(?:,\d{1,3})?(?![\p{L}\p{N}]|[-.,/:]\p{N}|-\p{L}))/gu,
    words: () => ' ',
  },
  {
    pattern: /(?<=\d ?)кВт·ч(?!\p{L})/gu,
    words: () => 'кВтч',
  },
  // "45 с." are seconds; "с" before a word is "with".
  { pattern: /(?<=\d )с(?=[.,;!?)]|$)/gu, words: () => 'сек' },
  // "через 1 мин" takes the accusative.
  {
    pattern:
      /(?<=(?<!\p{L})(?:[Чч]ерез|[Зз]а|[Нн]а) )1 ?(?<unit>мин|сек|ч|минуту|секунду|неделю)(?![\p{L}/])/gu,
    words: ({ unit = '' }) =>
      unit === 'ч' ? 'один час' : `одну ${{ мин: 'минуту', сек: 'секунду' }[unit] ?? unit}`,
  },
  // "через 21 минуту".
  {
    pattern:
      /(?<![\p{L}\p{N}.,:/-]|\p{N} )(?<value>\d{0,3}[02-9]1)(?= (?:минуту|секунду|неделю|копейку|гривну|тонну|страницу)(?!\p{L}))/gu,
    words: ({ value }) => spellOut('ru', '%spellout-cardinal-feminine-accusative', Number(value)),
  },
  {
    pattern: new RegExp(`${START}(?<value>\\d{1,4})-(?<ending>\\p{Script=Cyrillic}{1,3})(?!-?\\p{L})`, 'gu'),
    words: ({ value, ending = '' }) => ordinalWithEnding(Number(value), ending),
  },
  // "4,2-литровый".
  {
    pattern:
      /(?<=\d,\d{1,3})-(?=\p{Ll}{3,}(?:[ыио]й|[ая]я|[оеыи]е|[ое]го|[ое]му|[ыиое]м|[ую]ю|[ыи]х|[ыи]ми)(?!\p{L}))/gu,
    words: () => ' ',
  },
  ...joinedForms,
  placeForm,
  ...yearForms,
  ...amountForms,
];
