import assert from 'node:assert/strict';
import { cutGrowingText, cutQuickStart, isSpeakable, plainText } from '../../client/text/index.js';
import { pronounced } from '../../client/text/pronunciation.js';
import { textInWords } from '../../service/voices/engines/espeak/in-words.js';
import { expandSigns } from '../../service/voices/engines/espeak/japanese/signs.js';
import { toPlainKana } from '../../service/voices/engines/espeak/japanese/spelling.js';
import * as espeak from '../../service/voices/engines/espeak/text.js';
import * as flite from '../../service/voices/engines/flite/text.js';
import { normalizedLanguages, normalizeText } from '../../service/voices/engines/normalize/normalize-text.js';

/** Languages with separate signs or number words. */
const SOME = ['de', 'en', 'ar'];

/**
 * Functions that read a text of any length. Left out: functions that split a chunk, which has at most 300 code units.
 */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  'cutQuickStart, which ends with cutText,': cutQuickStart,
  'cutGrowingText, which starts with cutSentences,': cutGrowingText,
  isSpeakable,
  plainText,
  pronounced: (text) => pronounced(text, 'en', [{ word: 'a a', replacement: 'b' }]),
  ...Object.fromEntries(
    normalizedLanguages.map((code) => [
      `normalizeText in ${code}`,
      (text: string) => normalizeText(text, code),
    ]),
  ),
  toUsualForm: espeak.toUsualForm,
  // Its figures are the ones of `normalizeText`.
  inWords: (text) => SOME.map((code) => textInWords(text, code)),
  expandSigns,
  toPlainKana,
  toFliteText: flite.toFliteText,
};

/** Parts that repeat. Expressions with a mistake backtrack over such rows. */
const ROWS = [
  '\n',
  ' ',
  '\t ',
  '\u00a0',
  '0',
  '1,',
  '1.',
  '1/',
  '1:1 ',
  '1x',
  '1 ',
  '#a',
  'X',
  '.',
  '. ',
  '"',
  '(',
  ')',
  '[',
  '<',
  '<a ',
  '&',
  '*',
  '_',
  '`',
  '|',
  '|-',
  '-',
  '- ',
  '/',
  '@',
  'a',
  'a.',
  'A. ',
  'a@',
  'e\u0301',
  '\u0301',
  'っ',
  '。',
  '東',
  '한',
  '👍',
  '$1',
  "'",
  "'80",
  "1'80'",
  'a&',
];
/** After a row, so that an expression that ends with the row fails. */
const ENDS = ['', 'x'];

const SHORT = 1000;
const FACTOR = 4;
/** Far below 16, the factor of quadratic time. */
const LIMIT = 10;
/** Microseconds. Below, the clock is too coarse for a ratio. */
const FLOOR = 200;

/** Returns processor time in microseconds. */
function timeOf(work: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  work(text);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const rowOf = (part: string, length: number) => part.repeat(length / part.length);
const isLinear = (short: number, long: number) => long <= LIMIT * Math.max(short, FLOOR);

/** Returns the times of a row if they grow far more than its length. */
function growthOf(work: (text: string) => unknown, part: string, end: string): string | undefined {
  const [shortRow, longRow] = [rowOf(part, SHORT) + end, rowOf(part, FACTOR * SHORT) + end];
  let long = timeOf(work, longRow);
  let short = isLinear(0, long) ? 0 : timeOf(work, shortRow);
  // Other programs only add time, so the shortest of some runs counts.
  for (let run = 0; run < 5 && !isLinear(short, long); run += 1) {
    long = Math.min(long, timeOf(work, longRow));
    short = Math.min(short, timeOf(work, shortRow));
  }
  if (isLinear(short, long)) return undefined;
  return `${JSON.stringify(part)} and "${end}": ${short} µs, then ${long} µs`;
}

const growths = (work: (text: string) => unknown) =>
  ROWS.flatMap((part) => ENDS.map((end) => growthOf(work, part, end))).filter(
    (growth) => growth !== undefined,
  );

describe('a text of four times the length', () => {
  for (const [name, work] of Object.entries(FUNCTIONS)) {
    it(`takes ${name} far less than 16 times the processor time`, () => assert.deepEqual(growths(work), []));
  }

  it('takes an expression with a mistake 16 times the processor time, which this test finds', () => {
    const slow = (text: string) => [1, 2, 3, 4].map(() => / +$/u.test(text));
    assert.match(String(growths(slow)), /^" " and "x"/);
  });
});
