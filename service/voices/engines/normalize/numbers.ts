import type { Language, Series } from './language.js';
import { leadingSign } from './amounts/measures.js';
import { END, numberWords, numeralPattern, parseNumeral, START } from './numerals.js';
import type { Groups, NormalizationRule } from './rule.js';

/** Returns the rule for English ordinals such as 1st, which stand in texts of every language. */
export function ordinalRule({ numbers }: Language): NormalizationRule {
  return {
    sign: /\d(?:st|nd|rd|th)/u,
    pattern: new RegExp(`${START}(?<value>[1-9]\\d{0,5})(?:st|nd|rd|th)${END}`, 'gu'),
    words: ({ value }) => numbers.ordinal(Number(value)),
  };
}

/** Returns the rule for ordinals with a point before their noun: "3. patro". */
export function pointRule({ numbers }: Language): NormalizationRule[] {
  if (numbers.ordinalBefore === undefined) return [];
  return [
    {
      sign: '. ',
      pattern: new RegExp(
        `(?<!\\p{N}[ ,])${START}(?<value>[1-9]\\d{0,3})\\.(?= (?<noun>\\p{Ll}{3,24})(?!\\p{L}))`,
        'gu',
      ),
      words: ({ value, noun = '' }) => numbers.ordinal(Number(value), numbers.ordinalBefore?.(noun)),
    },
  ];
}

/** A point that may mark an ordinal, as in "2. Platz", or end a sentence: the engine decides. */
const ORDINAL_POINT = '(?!\\. ?[-–]|(?<=(?<!\\p{N})\\p{N}{1,2})\\. \\p{L})';

/** Returns the rule for sums, products and quotients such as 1 + 2 = 3, 2 x 3 = 6 and 10 / 2 = 5. */
export function equationRules({ numbers, signs = {} }: Language): NormalizationRule[] {
  const { equals, plus, minus } = numbers;
  if (equals === undefined) return [];
  const { times, divided } = signs;
  const less = signs.less ?? minus;
  const words: Readonly<Record<string, string>> = {
    '+': signs.more ?? plus,
    '-': less,
    '−': less,
    '=': equals,
    ...(divided !== undefined && { '/': divided, '÷': divided }),
  };
  const product = (number: string) => (typeof times === 'function' ? times(number) : `${number} ${times}`);
  const operators = `(?: ?[+−${times === undefined ? '' : '×·x'}${divided === undefined ? '' : '÷'}-] ?${divided === undefined ? '' : '| / '})`;
  return [
    {
      sign: '=',
      pattern: new RegExp(
        `${START}(?<equation>\\d{1,9}(?:${operators}\\d{1,9}){1,9} ?= ?\\d{1,9})${END}`,
        'gu',
      ),
      words: ({ equation = '' }) =>
        (equation.match(/\d+(?: ?[×·x])?|[+−=/÷-]/gu) ?? [])
          .map((part) => {
            const number = words[part] ?? numbers.cardinal(Number.parseInt(part, 10), 'plain');
            return /[×·x]$/u.test(part) ? product(number) : number;
          })
          .join(numbers.space),
    },
  ];
}

/** Returns the rules for numbers without a noun: ranges, years, and numbers with separators, decimals or a sign. */
export function numberRules(language: Language): NormalizationRule[] {
  const number = numeralPattern(language);
  const end = language.numbers.pointMarksOrdinals ? `${END}${ORDINAL_POINT}` : END;
  return [
    {
      sign: /[-–—〜～~]/u,
      pattern: new RegExp(
        `${START}(?<from>${number})(?<dash>-|\\s?[–—〜～~]\\s?)(?<to>${number})${END}`,
        'gu',
      ),
      words: (groups) => plainRange(groups, language),
    },
    {
      pattern: new RegExp(
        `${START}(?<sign>[-−–+±]?)(?<from>${number})${end}(?=(?: (?<noun>\\p{L}+))?)`,
        'gu',
      ),
      words: (groups) => plainWords(groups, language),
    },
  ];
}

/** A hyphen between numbers that do not look like a range may belong to a score, a part number or a model. */
function plainRange({ from = '', dash, to = '' }: Groups, language: Language): string | undefined {
  if (YEAR.test(from) && /^\d\d$/u.test(to) && Number(to) > Number(from.slice(2)))
    return language.numbers.range(
      language.numbers.year(Number(from)),
      language.numbers.cardinal(Number(to), 'plain'),
    );
  const [first, second] = [plainNumber(from, '', language), plainNumber(to, '', language)];
  if (first === undefined || second === undefined || (dash === '-' && !isRange(from, to))) return undefined;
  return language.numbers.range(first, second);
}

/** Small numbers, years and round numbers that rise. */
function isRange(from: string, to: string): boolean {
  const kinds = [/^\d\d?$/u, YEAR, /^\d+0$/u];
  return Number(from) < Number(to) && kinds.some((kind) => kind.test(from) && kind.test(to));
}

function plainWords({ sign = '', from = '', noun = '' }: Groups, language: Language): string | undefined {
  const words = plainNumber(from, sign, language, language.numbers.seriesBefore?.(noun, from));
  return words === undefined ? undefined : `${leadingSign(sign, language)}${words}`;
}

/** Earlier years are rarer in texts than amounts of the same size. */
const YEAR = /^(?:1[5-9]|20)\d\d$/u;

function plainNumber(
  text: string,
  sign: string,
  language: Language,
  series: Series = 'plain',
): string | undefined {
  if (sign === '' && YEAR.test(text)) return language.numbers.year(Number(text));
  const numeral = parseNumeral(text, sign, language);
  return numeral && numberWords(numeral, language, series);
}
