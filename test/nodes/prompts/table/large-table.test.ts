import assert from 'node:assert/strict';
import { problemsOf, read } from './tables.js';
import { turnsDuring } from '../../../support/waiting.js';

const ROWS = 20_000;
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    text: 'Press\r\n{{key}}',
    key: index,
    filename: `menu/${index}`,
  }));
const csvOf = (count: number): string =>
  `text;key;filename\n${rowsOf(count)
    .map(({ text, key, filename }) => `"${text}";${key};${filename}`)
    .join('\n')}`;

describe('readTable with a large table', () => {
  for (const [kind, input] of [
    ['an array', () => rowsOf(ROWS)],
    ['CSV', () => csvOf(ROWS)],
    ['CSV with a wrong quote in each row', () => csvOf(ROWS / 10).replaceAll('";', '"x;')],
  ] as const)
    it(`lets other events of Node-RED happen while it reads ${kind}`, async () => {
      assert.ok((await turnsDuring(read(input()))) > 3);
    });

  it('reports one row for a cell with several lines and 49 MB, and reads the rows after it', async () => {
    const cell = 'Welcome to ""Acme"", press one.\n'.repeat(1_530_000);
    const csv = `text,filename\nHello,a\n"${cell}",b\n"Good\nbye",c\n`;
    const table = await read(csv);
    assert.deepEqual(problemsOf(table), { 3: 'the row has more than 65536 bytes: shorten it' });
    assert.deepEqual(
      table.rows.map(({ number, filename }) => [number, filename]),
      [
        [2, 'a.wav'],
        [1_530_004, 'c.wav'],
      ],
    );
    assert.ok(String(table.wrong[0]?.given['line']).length <= 1000);
  });

  it('reads all rows, also across the slices of the parser', async () => {
    const { rows, wrong } = await read(csvOf(ROWS));
    assert.deepEqual([rows.length, wrong.length], [ROWS, 0]);
    for (const [index, { number, text, filename }] of rows.entries())
      assert.deepEqual([number, text, filename], [2 * index + 2, `Press\r\n${index}`, `menu/${index}.wav`]);
  });

  it('stops with the reason of the signal', async () => {
    const stopped = new Error('stopped');
    for (const input of [rowsOf(ROWS), csvOf(ROWS)]) {
      const controller = new AbortController();
      const reading = read(input, controller.signal);
      setImmediate(() => controller.abort(stopped));
      await assert.rejects(reading, stopped);
    }
    await assert.rejects(read('text,filename\na,b', AbortSignal.abort(stopped)), stopped);
  });
});
