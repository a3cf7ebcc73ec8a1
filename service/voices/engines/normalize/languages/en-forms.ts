import { START } from '../numerals.js';
import type { NormalizationRule } from '../rule.js';
import { spellOut } from '../spell-out.js';
import { HALF_OF_DAY, halfOf } from '../times.js';

const cardinal = (value: number) => spellOut('en', '%spellout-cardinal', value);
const spelled = (digits: string) => Array.from(digits, (digit) => cardinal(Number(digit))).join(' ');
const QUARTERS = ['first', 'second', 'third', 'fourth'];

/** Ranges of times and decades: "4 am - 8 pm", "1960s-1980s". */
export const rangeForms: readonly NormalizationRule[] = [
  {
    pattern:
      /(?<=[ap]\.?m\.? ?|(?<!\p{N})\d{2,4}s)[-–](?= ?\d{1,2}(?::\d\d)? ?[ap]\.?m|\d{2,4}s(?!\p{L}))/giu,
    words: () => ' to ',
  },
];

/** "no. 5" and "No. 5" are numbers; "No. 5 people" is an answer. */
export const numberSign: readonly NormalizationRule[] = [
  {
    pattern:
      /(?<![\p{L}\p{N}.])(?:no\.(?= ?\d)|No\.(?= ?\d+(?![\p{N}]|[.:,]\p{N}| (?!(?:is|was|has|will|in|on|at|of|and|for|to)(?!\p{L}))\p{Ll})))/gu,
    words: () => 'number',
  },
  // "Order #4711", "#1".
  {
    sign: '#',
    pattern:
      /(?<=(?<!\p{L})(?:order|ticket|case|claim|invoice|confirmation|booking|reservation|account|customer|room|apartment|apt\.?|suite|unit|gate|bus|track|item|number|episode|chapter|part|level|player|line|box|store|flight) |^|we['’]re |you['’]re |is |are )#(?=\d{1,12}(?![\p{L}\p{N}_-]))/giu,
    words: () => 'number ',
  },
];

/** Words before a room of three or four digits with a letter, and before a room of which the digits are read one by one. */
const ROOMS = '[Rr]oom|[Ss]uite|[Aa]partment|[Aa]pt\\.?|[Uu]nit|[Ff]lat|[Oo]ffice|[Gg]ate|[Ll]ocker';

/** English forms of times, decades, quarters, lengths and telephone numbers with letters. */
export const englishForms: readonly NormalizationRule[] = [
  {
    pattern: new RegExp(`${START}(?<hour>1[0-2]|[1-9])${HALF_OF_DAY}`, 'gu'),
    words: ({ hour, half }) => `${cardinal(Number(hour))} ${halfOf(half)}`,
  },
  {
    pattern:
      /(?<![\p{L}\p{N}])(?:(?<first>[1-4])Q|Q(?<second>[1-4]) ?(?=(?:19|20)?\d\d(?!\p{N})))(?<year>(?:19|20)?\d\d)(?![\p{L}\p{N}])/gu,
    words: ({ first, second, year = '' }) =>
      `the ${QUARTERS[Number(first ?? second) - 1]} quarter of ${year}`,
  },
  {
    pattern: /(?<![\p{L}\p{N}'’"″.,])(?<feet>\d{1,2})['’′](?<inches>\d{1,2})["”″](?![\p{L}\p{N}])/gu,
    words: ({ feet, inches }) => `${feet} feet ${inches} ${inches === '1' ? 'inch' : 'inches'}`,
  },
  {
    pattern: new RegExp(`${START}(?<value>\\d{1,4})["”″](?![\\p{L}\\p{N}])`, 'gu'),
    // A second quotation mark ends a quotation.
    words: ({ value }, before) =>
      /["“”]/u.test(before) ? undefined : `${value} ${value === '1' ? 'inch' : 'inches'}`,
  },
  // "6 ft 2 in": "in" is a unit only after feet.
  {
    pattern: /(?<=(?:ft|foot|feet) )(?<value>\d{1,2}) in(?![\p{L}\p{N}])/gu,
    words: ({ value }) => `${value} ${value === '1' ? 'inch' : 'inches'}`,
  },
  // "1 h 5 m": "m" is a minute after hours.
  {
    pattern: /(?<=\d ?(?:h|hr|hrs) ?)(?<value>\d{1,2}) ?m(?![\p{L}\p{N}])/gu,
    words: ({ value }) => `${value} min`,
  },
  {
    pattern:
      /(?<![\p{L}\p{N}-])1-8(?<toll>00|88|77|66|55)-(?<word>(?=[A-Z\d-]*[A-Z])[A-Z\d]{1,10}(?:-[A-Z\d]{1,10}){0,3})(?![\p{L}\p{N}-])/gu,
    words: ({ toll = '', word = '' }) =>
      `one, eight ${toll === '00' ? 'hundred' : spelled(toll)}, ${word.replaceAll('-', ' ').replace(/\d/gu, (digit) => `${cardinal(Number(digit))},`)}`,
  },
  { pattern: /(?<=[$€£])(?=\.\d\d(?![\d.,]))/gu, words: () => '0' },
  // "the 90s", "the early '80s", "in his 20s", "90s music".
  {
    pattern:
      /(?<=(?<!\p{L})(?:the|early|late|mid|his|her|their|my|your|our)[ -])['’]?(?<decade>[2-9]0)s(?![\p{L}\p{N}])/giu,
    words: ({ decade }) => cardinal(Number(decade)).replace(/y$/u, 'ies'),
  },
  {
    pattern:
      /(?<![\p{L}\p{N}.,:/-])['’]?(?<decade>[2-9]0)s(?= (?:music|songs?|hits?|pop|rock|disco|dance|radio|playlist|party|style|fashion|films?|movies?|shows?|kids?|nostalgia)(?!\p{L}))/gu,
    words: ({ decade }) => cardinal(Number(decade)).replace(/y$/u, 'ies'),
  },
  // "Room 204B".
  {
    pattern: new RegExp(
      `(?<=(?<!\\p{L})(?:${ROOMS}) (?:number )?)(?<digits>\\d{3,4})(?<letter>[A-Z])(?![\\p{L}\\p{N}_-])`,
      'gu',
    ),
    words: ({ digits = '', letter = '' }) => `${spelled(digits)} ${letter}`,
  },
  { pattern: /(?<![\p{L}\p{N}.,:/-])24\/7(?![\p{L}\p{N}/]|[-.,:]\p{N})/gu, words: () => 'twenty-four seven' },
  // A serial number of single letters and digits: "b-c-1-5".
  {
    pattern: /(?<![\p{L}\p{N}-])(?<serial>[a-z](?:-[a-z\d]){2,20})(?![\p{L}\p{N}-])/giu,
    words: ({ serial = '' }) => serial.replace(/\d/gu, (digit) => cardinal(Number(digit))),
  },
];
