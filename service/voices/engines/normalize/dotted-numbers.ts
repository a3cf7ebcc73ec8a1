import type { Language } from './language.js';
import { END, START } from './numerals.js';
import type { NormalizationRule } from './rule.js';

/** Returns the rules for version numbers and network addresses, such as 1.2.3 and 192.168.1.1. */
export function dottedRules({ numbers }: Language): NormalizationRule[] {
  const { dot, addressDot } = numbers;
  if (dot === undefined) return [];
  const words: NormalizationRule['words'] = ({ version = '', parts: text = '' }) => {
    const parts = text.split('.');
    if (isGrouped(parts)) return undefined;
    const isAddress = parts.length === 4 && parts.every((part) => part.length <= 3);
    const spells = numbers.spellsAddresses === true || (isAddress && addressDot !== undefined);
    const read = (part: string): string =>
      spells
        ? Array.from(part, (digit) => numbers.cardinal(Number(digit), 'plain')).join(' ')
        : numbers.cardinal(Number(part), 'plain');
    const spoken = parts
      .map(read)
      .join(`${numbers.space}${(isAddress ? addressDot : undefined) ?? dot}${numbers.space}`);
    return version === '' ? spoken : `${version} ${spoken}`;
  };
  return [
    {
      sign: /\.\d{1,6}\.\d/u,
      pattern: new RegExp(
        `(?<version>(?<![\\p{L}\\p{N}_])v|${START})(?<parts>\\d{1,6}(?:\\.\\d{1,6}){2,9})(?:${END}|(?=:\\d))`,
        'gu',
      ),
      words,
    },
  ];
}

/** Returns whether the points separate thousands, as in 1.000.000. A network address can look the same. */
function isGrouped([first = '', ...groups]: readonly string[]): boolean {
  const isAddress =
    groups.length === 3 && [first, ...groups].every((part) => Number(part) <= 255 && !part.startsWith('00'));
  return !isAddress && /^[1-9]\d{0,2}$/u.test(first) && groups.every((group) => group.length === 3);
}
