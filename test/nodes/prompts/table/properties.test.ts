import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { read } from './tables.js';
import { anyText } from '../../../support/any-text.js';

/** A value of each column. Few different characters make special ones frequent. */
const cell = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    '1',
    ' ',
    '"',
    ',',
    ';',
    '\t',
    '\n',
    '\r\n',
    '\u00e9',
    '\u{1f600}',
    "'",
    '{',
    '=',
  ),
  maxLength: 12,
});
const aRow = fc.record({ text: cell, name: cell, voice: fc.constantFrom('', 'anna', 'b o'), note: cell });
type Fields = Record<'text' | 'name' | 'voice' | 'note', string>;

const layout = fc.record({
  separator: fc.constantFrom(',', ';', '\t'),
  lineEnding: fc.constantFrom('\n', '\r\n', '\r'),
  order: fc.shuffledSubarray(['text', 'filename', 'voice_id', 'note'], { minLength: 4, maxLength: 4 }),
  spelling: fc.constantFrom(
    (name: string) => name,
    (name: string) => name.toUpperCase().replace('_', ' '),
    (name: string) => ` ${name.replace('_', '-')} `,
  ),
  isQuoted: fc.boolean(),
  isMarked: fc.boolean(),
  isBuffer: fc.boolean(),
  blankColumns: fc.nat(2),
  blankLines: fc.nat(2),
  hasLastEnding: fc.boolean(),
});
type Layout = typeof layout extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns the rows as objects. The index makes the file names different. */
const objectsOf = (rows: readonly Fields[]) =>
  rows.map(({ text, name, voice, note }, index) => ({
    text,
    filename: `${name.replaceAll(/[\r\n\t]/g, '')}${index}`,
    voice_id: voice,
    note,
  }));

/** Writes CSV, and returns it with the line in which each row starts. */
function write(rows: readonly Record<string, string>[], options: Layout): { csv: string; lines: number[] } {
  const { separator, lineEnding, order, spelling, isQuoted, blankColumns, blankLines } = options;
  const quote = (value: string) =>
    isQuoted || /["\r\n,;\t]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const record = (values: readonly string[]) =>
    [...values.map(quote), ...Array.from({ length: blankColumns }, () => '')].join(separator) + lineEnding;
  let csv = record(order.map(spelling));
  const lines = rows.map((row) => {
    csv += lineEnding.repeat(blankLines);
    const line = csv.split(/\r\n|\n|\r/).length;
    csv += record(order.map((name) => row[name] ?? ''));
    return line;
  });
  return { csv: options.hasLastEnding ? csv : csv.slice(0, -lineEnding.length), lines };
}

const inputOf = (csv: string, { isMarked, isBuffer }: Layout): string | Buffer => {
  const marked = isMarked ? `\uFEFF${csv}` : csv;
  return isBuffer ? Buffer.from(marked) : marked;
};

/** Reads a table, and returns its rows without their origin, or the message of its error. */
async function readPlain(input: unknown) {
  try {
    const { rows, wrong } = await read(input);
    return {
      rows: rows.map(({ text, filename, voice }) => ({ text, filename, voice })),
      wrong: wrong.map(({ filename, problems }) => [filename, ...problems.map(({ english }) => english)]),
      numbers: [...rows, ...wrong].map(({ number }) => number).sort((first, second) => first - second),
    };
  } catch (error) {
    return { message: error instanceof Error ? error.message : '', numbers: undefined };
  }
}

describe('readTable, for any table', () => {
  it('reads the same rows from CSV with any separator, quotes, line ending and byte order mark as from an array', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aRow, { minLength: 1, maxLength: 8 }), layout, async (fields, options) => {
        const objects = objectsOf(fields);
        const { csv, lines } = write(objects, options);
        const { numbers, ...fromCsv } = await readPlain(inputOf(csv, options));
        const { numbers: indexes, ...fromArray } = await readPlain(objects);
        assert.deepEqual(fromCsv, fromArray, csv);
        assert.deepEqual(
          numbers,
          indexes?.map((index) => lines[index - 1]),
          csv,
        );
      }),
      { numRuns: 150 },
    );
  });

  it('reads every correct row between lines that are not', async () => {
    const unit = fc.constantFrom(
      '"x',
      ',',
      ';',
      '\t',
      'a',
      ' ',
      '\\',
      '{{',
      '}}',
      '=',
      '\u0001',
      '../',
      '\u{1f600}',
    );
    const lines = fc.array(fc.option(fc.string({ unit, maxLength: 20 }), { nil: undefined }), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(lines, fc.constantFrom('\n', '\r\n', '\r'), async (broken, lineEnding) => {
        const body = broken.map((line, index) => line ?? `Hello,good-${index}`);
        const input = ['text,filename', ...body, 'Bye,last'].join(lineEnding);
        const { rows } = await read(input);
        const found = rows.filter(({ filename }) => filename.startsWith('good-'));
        const expected = broken.flatMap((line, index) =>
          line === undefined ? [`good-${index}.wav ${index + 2}`] : [],
        );
        assert.deepEqual(
          found.map(({ filename, number }) => `${filename} ${number}`),
          expected,
          input,
        );
      }),
      { numRuns: 150 },
    );
  });

  it('reads every correct row between values of any type', async () => {
    const values = fc.array(
      fc.option(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), {
        nil: undefined,
      }),
    );
    await fc.assert(
      fc.asyncProperty(values, async (array) => {
        const input = array.map((value, index) => value ?? { text: 'Hello', filename: `good-${index}` });
        const { rows } = await read([...input, { text: 'Bye', filename: 'last' }]);
        const good = array.flatMap((value, index) =>
          value === undefined || value === null ? [`good-${index}.wav`] : [],
        );
        assert.deepEqual(
          rows.map(({ filename }) => filename),
          [...good, 'last.wav'],
        );
      }),
      { numRuns: 120 },
    );
  });

  it('resolves, or rejects with "bad-request", for any text and any bytes', async () => {
    const input = fc.oneof(
      anyText(),
      fc.uint8Array(),
      fc.string({
        unit: fc.constantFrom(
          'text',
          'filename',
          'sep=',
          ',',
          ';',
          '"',
          '\n',
          '\r',
          ' ',
          '\t',
          '\u0000',
          '\ufeff',
        ),
        maxLength: 30,
      }),
    );
    await fc.assert(
      fc.asyncProperty(input, (any) =>
        read(any).then(
          ({ rows, wrong }) => assert.ok(rows.length + wrong.length > 0),
          ({ code }) => assert.equal(code, 'bad-request'),
        ),
      ),
      { numRuns: 700 },
    );
  });
});
