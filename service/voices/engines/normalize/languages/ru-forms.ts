import { END, START } from '../numerals.js';
import type { NormalizationRule } from '../rule.js';
import { spellOut } from '../spell-out.js';

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
  const words = withoutOne(spellOut('ru', `%spellout-ordinal-${isDecade ? 'plural' : known}`, value));
  // CLDR has "восемьдесятый".
  return words.replace(/восемьдесят(?=\p{L})/u, 'восьмидесят');
}

/** Years and decades begin with "тысяча", not with "одна тысяча". */
export const withoutOne = (words: string) => words.replace(/^одна тысяча/u, 'тысяча');

/** Words that follow a year, with the case of its ordinal. */
const YEAR_WORDS: Readonly<Record<string, string>> = {
  год: 'masculine',
  года: 'masculine-genitive',
  году: 'masculine-prepositional',
  годом: 'masculine-instrumental',
};

/** Rules for words, some of them without digits. */
export const wordForms: readonly NormalizationRule[] = [
  { pattern: /(?<![\p{L}\p{N}])№(?=\p{N})/gu, words: () => 'номер ' },
  { pattern: /(?<!\p{L}|\p{N} )д\. (?=\d)/gu, words: () => 'дом ' },
  { pattern: /(?<!\p{L}|\p{N} )кв\. (?=\d)/gu, words: () => 'квартира ' },
  { pattern: /(?<!\p{L}|\p{N} ?)г\. (?=\p{Lu}\p{Ll})/gu, words: () => 'город ' },
  { pattern: /(?<=[Сс]огласно )параграф(?= )/gu, words: () => 'параграфу' },
  // "на одна тысяча" is never correct: the amount is in the accusative.
  { pattern: /(?<=(?<!\p{L})(?:на|за|через) )одна тысяча/giu, words: () => 'одну тысячу' },
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
    words: ({ value }) => ['двух', 'трёх', 'четырёх'][Number(value) - 2],
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
  // "в 44 г. до нашей эры".
  {
    pattern: /(?<preposition>(?<!\p{L})в )?(?<![\p{N}.,])(?<value>\d{1,4}) г\.(?= (?:до )?(?:нашей|н\.))/gu,
    words: ({ preposition, value }) =>
      preposition === undefined
        ? `${spellOut('ru', '%spellout-ordinal-masculine-genitive', Number(value))} года`
        : `${preposition}${spellOut('ru', '%spellout-ordinal-masculine-prepositional', Number(value))} году`,
  },
  // "через 21 минуту".
  {
    pattern:
      /(?<![\p{L}\p{N}.,:/-]|\p{N} )(?<value>\d{0,3}[02-9]1)(?= (?:минуту|секунду|неделю|копейку|гривну|тонну|страницу)(?!\p{L}))/gu,
    words: ({ value }) => spellOut('ru', '%spellout-cardinal-feminine-accusative', Number(value)),
  },
  // After a score or a period: "после 90 минут" is in the genitive.
  {
    pattern:
      /(?<=(?<!\p{L})(?:[Пп]осле|[Оо]коло|[Бб]олее|[Мм]енее|[Дд]о|[Ии]з|[Сс]выше) )(?<value>[1-9]\d{0,2})(?= \p{L}+(?:ов|ей|ут|унд|ень|ок)(?!\p{L}))/gu,
    words: ({ value }) => spellOut('ru', '%spellout-cardinal-masculine-genitive', Number(value)),
  },
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
];
