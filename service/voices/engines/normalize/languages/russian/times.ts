import type { NormalizationRule } from '../../rule.js';
import type { Case } from '../slavic-cases.js';
import { cardinalIn, russianCaseAfter, endsWithOne } from './cases.js';

/** The forms of hours and minutes after 1, 21 and so on, and after any other number. */
const NOUNS: Readonly<
  Partial<Record<Case, readonly [hour: string, hours: string, minute: string, minutes: string]>>
> = {
  genitive: ['часа', 'часов', 'минуты', 'минут'],
  dative: ['часу', 'часам', 'минуте', 'минутам'],
};

/** The rule for times after a preposition: "с 9:00 до 18:30". */
export const timeForm: NormalizationRule = {
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
