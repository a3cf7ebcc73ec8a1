import type { Language } from '../language.js';
import { localeData } from '../locale-data.js';
import { alternatives, type NormalizationRule } from '../rule.js';

/** Returns the rules for abbreviated days: in a range, and before a date. */
export function weekdayRules({ code, signs = {} }: Language): NormalizationRule[] {
  const { weekdays, weekdayRange } = signs;
  if (weekdays === undefined) return [];
  const day = (name: string) => `(?<${name}>${alternatives(Object.keys(weekdays))})\\.?`;
  const { months, shortMonths } = localeData(code);
  const date = `\\d{1,2}(?!\\p{N})|(?:${alternatives([...months, ...shortMonths])})(?!\\p{L})`;
  return [
    {
      sign: /[-–—]/u,
      pattern: new RegExp(
        `(?<![\\p{L}\\p{M}])${day('from')} ?(?<dash>[-–—]) ?${day('to')}(?![\\p{L}\\p{M}])`,
        'gu',
      ),
      words: ({ from = '', dash = '', to = '' }) =>
        `${weekdays[from]}${weekdayRange === undefined ? dash : ` ${weekdayRange} `}${weekdays[to]}`,
    },
    {
      pattern: new RegExp(`(?<![\\p{L}\\p{M}])${day('name')}(?:(?<=\\.)|(?=,))(?=,? (?:${date}))`, 'gu'),
      words: ({ name = '' }) => weekdays[name],
    },
  ];
}
