import type { NormalizationRule } from '../rule.js';
import { spellOut } from '../spell-out.js';

const cardinal = (value: number) => spellOut('en', '%spellout-cardinal', value);

const STREETS: Readonly<Record<string, string>> = {
  St: 'Street',
  Ave: 'Avenue',
  Rd: 'Road',
  Blvd: 'Boulevard',
  Ct: 'Court',
  Ln: 'Lane',
  Sq: 'Square',
  Expy: 'Expressway',
};

/** The codes of the United States Postal Service, before a postcode. */
const STATES: Readonly<Record<string, string>> = Object.fromEntries(
  'AL Alabama AK Alaska AZ Arizona AR Arkansas CA California CO Colorado CT Connecticut DE Delaware FL Florida GA Georgia HI Hawaii ID Idaho IL Illinois IN Indiana IA Iowa KS Kansas KY Kentucky LA Louisiana ME Maine MD Maryland MA Massachusetts MI Michigan MN Minnesota MS Mississippi MO Missouri MT Montana NE Nebraska NV Nevada NH New_Hampshire NJ New_Jersey NM New_Mexico NY New_York NC North_Carolina ND North_Dakota OH Ohio OK Oklahoma OR Oregon PA Pennsylvania RI Rhode_Island SC South_Carolina SD South_Dakota TN Tennessee TX Texas UT Utah VT Vermont VA Virginia WA Washington WV West_Virginia WI Wisconsin WY Wyoming DC D_C'
    .match(/[A-Z]{2} [A-Z]\w+/gu)
    ?.map((entry) => [entry.slice(0, 2), entry.slice(3).replaceAll('_', ' ')]) ?? [],
);

const DIRECTIONS: Readonly<Record<string, string>> = { N: 'North ', S: 'South ', E: 'East ', W: 'West ' };

/** House numbers are read in pairs: "fourteen twenty-eight"; with a zero in the middle, digit by digit. */
function houseNumber(digits: string): string {
  const [first, second] = [Number(digits.slice(0, -2)), Number(digits.slice(-2))];
  if (first > 0 && second >= 10) return `${cardinal(first)} ${cardinal(second)}`;
  return Array.from(digits, (digit) => cardinal(Number(digit))).join(' ');
}

/** House numbers and postcodes in English. */
export const houseForms: readonly NormalizationRule[] = [
  {
    pattern:
      /(?<![\p{L}\p{N}.,/-])(?<house>\d{1,4}) (?:(?<direction>[NSEW]) )?(?=(?:\d{1,2}(?:st|nd|rd|th)|\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\p{Ll}{1,20})?) (?:St|Ave|Rd|Blvd|Ct|Ln|Sq|Expy|Street|Avenue|Road|Boulevard|Court|Lane|Square|Expressway|st(?=\.?(?:$|,)))(?!\p{L}))/gu,
    words: ({ house = '', direction = '' }) =>
      house.length < 3 && direction === ''
        ? undefined
        : `${house.length < 3 ? cardinal(Number(house)) : houseNumber(house)} ${DIRECTIONS[direction] ?? ''}`,
  },
  {
    pattern:
      /(?<=, \p{Lu}[\p{L} ]{1,20} (?=\d{5})|[Ee]nding in (?=\d{4}))(?<code>\d{4,5})(?![\p{L}\p{N}.,/-])/gu,
    words: ({ code = '' }) => Array.from(code, (digit) => cardinal(Number(digit))).join(' '),
  },
];

/** Names of streets, and saints, whose abbreviation is the same. */
export const streetForms: readonly NormalizationRule[] = [
  { pattern: /(?<=\d(?:st|nd|rd|th) )st(?=\.?(?:$|,))/gu, words: () => 'Street' },
  {
    pattern: new RegExp(`(?<=, )(?<state>${Object.keys(STATES).join('|')})(?= \\d{5}(?!\\p{N}))`, 'gu'),
    words: ({ state = '' }) => STATES[state],
  },
  {
    pattern:
      /(?<name>\p{Lu}\p{Ll}{1,20}|\d(?:st|nd|rd|th)) (?<kind>Street|St|Ave|Rd|Blvd|Ct|Ln|Sq|Expy)(?<point>\.?)(?![\p{L}\p{N}])(?=(?<end>$| \p{Lu})?)/gu,
    words: ({ name, kind = '', point, end }, before) =>
      STREETS[kind] === undefined ||
      // "In St. Louis": a street has a house number, or "on" before it.
      (kind === 'St' &&
        point !== '' &&
        end?.startsWith(' ') === true &&
        !/\d\p{L}{0,2} |(?:^|[^\p{L}])(?:on|along|down) $/iu.test(before.slice(-12)))
        ? undefined
        : `${name} ${STREETS[kind]}${point !== '' && end !== undefined ? '.' : ''}`,
  },
  {
    pattern: /(?<![\p{L}\p{N}])St\. (?=\p{Lu}\p{Ll})/gu,
    words: () => 'Saint ',
  },
];
