import type { Language } from '../language.js';
import { END, START } from '../numerals.js';
import type { NormalizationRule } from '../rule.js';

/** Returns the rules for signs beside words: "Smith & Sons", "#SmartHome". */
export function signRules({ signs = {} }: Language): NormalizationRule[] {
  const { and, hashtag } = signs;
  const rules: NormalizationRule[] = [];
  if (and !== undefined)
    rules.push({ sign: '&', pattern: /(?<=[\p{L}\p{M}]\.? )&(?= \p{L})/gu, words: () => and });
  if (hashtag !== undefined)
    rules.push({
      sign: '#',
      // #c0ffee is a colour.
      pattern:
        /(?<![\p{L}\p{M}\p{N}_#&/])#(?!(?:[0-9a-f]{3}){1,2}(?![\p{L}\p{N}_]))(?<tag>\p{L}[\p{L}\p{M}\p{N}_]*)(?![#\p{L}\p{M}\p{N}_])/gu,
      words: ({ tag = '' }) => `${hashtag} ${tag.replaceAll('_', ' ')}`,
    });
  return rules;
}

/** Returns the rules for scores such as 3:1 and 3-1, and for the sides of a rectangle. */
export function pairRules({ signs = {}, numbers }: Language): NormalizationRule[] {
  const { score, by, pages } = signs;
  const plain = (digits: string | undefined) => numbers.cardinal(Number(digits), 'plain');
  const rules = [zoneRule(numbers)];
  if (pages !== undefined)
    rules.push({
      sign: '/',
      pattern: new RegExp(
        `(?<=(?<![\\p{L}\\p{M}])(?:${pages.before}) )(?<page>[1-9]\\d{0,3}) ?/ ?(?<all>[1-9]\\d{0,3})${END}`,
        'gu',
      ),
      words: ({ page, all }) => `${plain(page)} ${pages.of} ${plain(all)}`,
    });
  if (score !== undefined)
    rules.push({
      sign: /\d[:–-]\d/u,
      pattern: new RegExp(
        `${START}(?<home>0|[1-9]\\d{0,2})(?::(?<guest>\\d)|[-–](?<other>0|[1-9]\\d?))(?!['’]\\d)${END}`,
        'gu',
      ),
      // Rising numbers with a hyphen are a range, and 978-0 is a code.
      words: ({ home, guest, other }) =>
        guest === undefined && (Number(other) > Number(home) || (Number(home) >= 100 && Number(other) < 10))
          ? undefined
          : `${plain(home)} ${score} ${plain(guest ?? other)}`.replace(/ {2}/u, ' '),
    });
  if (by !== undefined)
    rules.push({
      sign: /\d ?[x×]/u,
      pattern: new RegExp(
        `${START}(?<first>[1-9]\\d{0,4}) ?[x×] ?(?=[1-9]\\d{0,4}(?: ?[x×] ?[1-9]|(?![\\p{L}\\p{N}])| ?[a-zµ]{1,2}[²³23]?(?![\\p{L}\\p{N}])))`,
        'gu',
      ),
      words: ({ first }) => `${plain(first)} ${by} `,
    });
  return rules;
}

/** "GMT+7": the minus of a range and of a zone look the same. */
const zoneRule = (numbers: Language['numbers']): NormalizationRule => ({
  sign: /(?:GMT|UTC) ?[+−-]/iu,
  pattern: new RegExp(
    `(?<![\\p{L}\\p{N}])(?<zone>GMT|UTC|gmt|utc) ?(?<sign>[+−-])0?(?<hours>\\d|1[0-4])(?::(?<minutes>[0-5]\\d))?${END}`,
    'gu',
  ),
  words: ({ zone, sign, hours, minutes = '00' }) =>
    [
      zone?.toUpperCase(),
      sign === '+' ? numbers.plus : numbers.minus,
      numbers.cardinal(Number(hours), 'plain'),
      ...(minutes === '00' ? [] : [numbers.cardinal(Number(minutes), 'plain')]),
    ].join(numbers.space),
});
