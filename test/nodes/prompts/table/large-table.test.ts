import assert from 'node:assert/strict';
import { readTable } from '../../../../nodes/prompts/table/read-table.js';
import { read } from './tables.js';

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

/** Counts the turns of the event loop during some work. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    isRunning = false;
  });
  return turns;
}

describe('readTable with a large table', () => {
  for (const [kind, input] of [
    ['an array', () => rowsOf(ROWS)],
    ['CSV', () => csvOf(ROWS)],
    ['CSV with a wrong quote in each row', () => csvOf(ROWS / 10).replaceAll('";', '"x;')],
  ] as const)
    it(`lets other events of Node-RED happen while it reads ${kind}`, async () => {
      assert.ok((await turnsDuring(read(input()))) > 3);
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
      const options = { extensionOf: () => 'wav', isFormat: () => true, signal: controller.signal };
      const reading = readTable(input, options);
      setImmediate(() => controller.abort(stopped));
      await assert.rejects(reading, stopped);
    }
    await assert.rejects(read('text,filename\na,b', AbortSignal.abort(stopped)), stopped);
  });
});
