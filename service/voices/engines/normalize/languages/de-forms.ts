import { START } from '../numerals.js';
import type { NormalizationRule } from '../rule.js';
import { spellOut } from '../spell-out.js';
import { germanSigns } from './de-words.js';

const { weekdays = {} } = germanSigns;
const DAYS = `(?:${Object.keys(weekdays).join('|')})`;
const DAY = `${DAYS}\\.`;
const AND = ' (?:und|oder|bis|u\\.) ';

/** "Fr." is "Frau" before a name, else a day. */
export const dayForms: readonly NormalizationRule[] = [
  {
    pattern: /(?<!\p{L}|(?<!\p{L})(?:[Aa]m|[Bb]is|[Aa]b) |(?:Mo|Di|Mi|Do)\.? ?[–-] ?)Fr\.(?= \p{Lu}\p{L}*)/gu,
    words: () => 'Frau',
  },
  {
    pattern: new RegExp(`(?<!\\p{L})(?<day>${DAY}(?=${AND}${DAY})|(?<=${DAY}${AND})${DAY}(?! ?[-–]))`, 'gu'),
    words: ({ day = '' }) => weekdays[day.slice(0, -1)],
  },
  // The weekday rules read "Mo.–Fr." and "Fr., 3.4.".
  { pattern: /(?<!\p{L}|[–-] ?)Fr\.(?= (?!\p{N}|[-–])|[,;:!?)]|$)/gu, words: () => 'Freitag' },
];

const cardinal = (value: number) => spellOut('de', '%spellout-cardinal-masculine', value);

/** Forms of numbers before words that are no nouns. */
export const countForms: readonly NormalizationRule[] = [
  // "1 neue Nachricht".
  {
    pattern:
      /(?<![\p{L}\p{N}.,:/-]|\p{N} )1 (?=(?:neu|ungelesen|offen|verpasst|weiter|aktiv|geplant|wichtig|groß|klein|ganz|gut|ander|eingehend|gespeichert|zusätzlich|fällig|unbekannt|verfügbar|rot|grün|blau|weiß|schwarz)(?<ending>e[nrs]?) \p{Lu}\p{Ll})/gu,
    words: ({ ending }) => `${{ e: 'eine', en: 'einen' }[ending ?? ''] ?? 'ein'} `,
  },
  // "2 x täglich", "3x".
  {
    pattern: new RegExp(`${START}(?<value>[1-9]\\d{0,2}) ?[x×](?= \\p{L}{2}|[.,;!?)](?!\\p{N})|\\s*$)`, 'gu'),
    words: ({ value }) => `${cardinal(Number(value))} Mal`,
  },
];
