import type { ElectronicWords, Language } from '../language.js';
import type { NormalizationRule } from '../rule.js';

const NAME = '[A-Za-z0-9][A-Za-z0-9_-]*';
const DOMAIN = `${NAME}(?:\\.${NAME})+`;
/** Letters of scripts without spaces, such as kana, may stand beside an address. */
const LETTER = '\\p{Lu}\\p{Ll}\\p{M}';
const START = `(?<![${LETTER}\\p{N}_@/.+&%-])`;
/** Endings of addresses without "www." and of file names. */
const ENDING =
  /\.(?:com|org|net|edu|gov|info|io|app|dev|tv|co\.uk|com\.br|de|fr|es|it|pt|ru|se|hu|kr|jp|vn|eu|mx|us|uk|ch|at|nl|pl|ca|au|cz|gr|tr|fi|dk|be|pdf|jpe?g|png|csv|txt|mp3|mp4|wav|docx?|xlsx?|zip)/u;
const ENDINGS = new RegExp(`${ENDING.source}$`, 'u');

/** English words that are read as words, in languages that name Latin letters by words of another script. */
const COMMON =
  /^(?:info|example|help|report|support|contact|mail|home|sales|news|shop|service|office|admin|login|docs|test|user|file|status|photo|image|music|video|index|page)$/iu;

/** Returns the rules for addresses of mail and web, and file names: names are read or spelled, signs become words. */
export function electronicRules({ electronic, numbers, abbreviations = {} }: Language): NormalizationRule[] {
  if (electronic === undefined) return [];
  const words: NormalizationRule['words'] = ({ address = '', name }) =>
    // Italian "p.es." is no file name.
    name !== undefined && (!ENDINGS.test(name) || `${name}.` in abbreviations)
      ? undefined
      : spoken(name ?? address, electronic, (digit) => numbers.cardinal(digit, 'plain'));
  const patterns: Array<[sign: string | RegExp, pattern: string]> = [
    [
      '@',
      `${START}(?<address>[A-Za-z0-9][A-Za-z0-9._+&-]*@${DOMAIN}(?:/[A-Za-z0-9._/-]*[A-Za-z0-9])?)(?![@\\p{N}])`,
    ],
    ['file:///', `${START}(?<address>file:///[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?)`],
    [':\\', `${START}(?<address>[A-Z]:\\\\[A-Za-z0-9._\\\\-]+)`],
    ['@', `${START}(?<address>@[A-Za-z][A-Za-z0-9_]*(?:\\.[A-Za-z0-9_]+)*)`],
    [
      /:\/\/|www\./u,
      `${START}(?<address>(?:https?://|www\\.)[A-Za-z0-9](?:[A-Za-z0-9._~:/?#=&%+-]*[A-Za-z0-9/])?)`,
    ],
    [
      /\.(?:com|org|net)\//u,
      `${START}(?<address>[A-Za-z][A-Za-z0-9-]*\\.(?:com|org|net)/(?:[A-Za-z0-9._/|^-]*[A-Za-z0-9/|^])?)(?=[.,;:!?)"'»”]{0,4}(?:\\s|$))`,
    ],
    [
      ENDING,
      `(?<![\\p{L}\\p{M}\\p{N}_@/.-])(?<name>[\\p{L}\\p{N}_][\\p{L}\\p{M}\\p{N}_-]*\\.[\\p{L}\\p{M}\\p{N}_.-]*[A-Za-z0-9])(?![\\p{L}\\p{N}_])`,
    ],
    [
      ENDING,
      `(?<![${LETTER}\\p{N}_@/.-])(?<name>[A-Za-z0-9_][A-Za-z0-9_-]*\\.[A-Za-z0-9_.-]*[A-Za-z0-9])(?![${LETTER}\\p{N}_])`,
    ],
  ];
  return patterns.map(([sign, pattern]) => ({ sign, pattern: new RegExp(pattern, 'gu'), words }));
}

/** Returns an address in words; undefined if it has a sign without a word. */
function spoken(
  address: string,
  { signs, words, letters, spelledNames }: ElectronicWords,
  digit: (digit: number) => string,
): string | undefined {
  const parts = address.match(/:\/\/\/|:\/\/|[A-Za-z]+|[\p{L}\p{M}]+|(?<!\d)[1-9]000(?!\d)|\d|./gu) ?? [];
  const spell = (name: string) =>
    spelledNames === false
      ? name
      : Array.from(name, (letter) => letters?.[letter.toLowerCase()] ?? letter).join(' ');
  const spokenParts = parts.map((part, at) => {
    if (/^\d+$/u.test(part)) return digit(Number(part));
    if (part === ':///') return `${signs['://']} ${signs['/']}`;
    const isEnding = parts[at - 1] === '.' && (parts[at + 1] === undefined || parts[at + 1] === '/');
    if (letters !== undefined && COMMON.test(part) && !isEnding) return part;
    if (/^[^\p{ASCII}]/u.test(part) && /^\p{L}/u.test(part)) return part;
    return signs[part] ?? words[part.toLowerCase()] ?? (/^[A-Za-z]/u.test(part) ? spell(part) : undefined);
  });
  return spokenParts.includes(undefined) ? undefined : spokenParts.join(' ');
}
