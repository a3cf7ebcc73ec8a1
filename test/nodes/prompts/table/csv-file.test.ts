import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NodeAPI } from 'node-red';
import { readCsvFile } from '../../../../nodes/prompts/table/csv-file.js';
import { useDataFolder } from '../../../support/service/local-service.js';
import { loadTypescript } from '../../../support/run-typescript.js';
import { madeOf, read } from './tables.js';
import { never } from '../../../support/waiting.js';

describe('readCsvFile', () => {
  const folder = useDataFolder();
  const RED = () => ({ settings: { fileWorkingDirectory: folder() } }) as unknown as NodeAPI;
  const rejects = (file: string, message: RegExp) =>
    assert.rejects(readCsvFile(RED(), file, never), { code: 'bad-request', message });

  it('reads a file below the working directory of the settings, or at an absolute path', async () => {
    await writeFile(path.join(folder(), 'prompts.csv'), '\uFEFFtext;filename\r\nHello;a\r\n');
    for (const file of ['prompts.csv', path.join(folder(), 'prompts.csv')])
      assert.deepEqual(madeOf(await read(await readCsvFile(RED(), file, never))), ['2 Hello -> a.wav']);
  });

  it('rejects a missing file, a folder and a pipe with a fix', async () => {
    await mkdir(path.join(folder(), 'sub'));
    execFileSync('mkfifo', [path.join(folder(), 'pipe')]);
    await rejects('missing.csv', /missing\.csv": no such file or folder: correct the path$/);
    await rejects('sub', /this path is a folder: add the name of a file/);
    await rejects('pipe', /not a regular file/);
  });

  it('rejects a file of more than 50 MB', async () => {
    const file = path.join(folder(), 'large.csv');
    await writeFile(file, 'text,filename\n');
    await truncate(file, 50_000_001);
    await rejects('large.csv', /large\.csv": expected at most 50000000 bytes/);
  });

  it('rejects with the reason of the signal', async () => {
    await writeFile(path.join(folder(), 'a.csv'), 'text,filename\n');
    const stopped = new Error('stopped');
    await assert.rejects(readCsvFile(RED(), 'a.csv', AbortSignal.abort(stopped)), stopped);
  });
});

describe('the libraries for tables', () => {
  it('are loaded for CSV and for a text with a tag, not before', () => {
    // A separate process, because this one has loaded the libraries.
    const script = `
      const { readTable } = require('./nodes/prompts/table/read-table.ts');
      const options = { extensionOf: () => 'wav', isFormat: () => true, markup: 'remove' };
      const loaded = () => ['csv-parse', 'mustache'].filter((name) =>
        Object.keys(require.cache).some((file) => file.includes('node_modules/' + name + '/')));
      const seen = [loaded()];
      const read = async (input) => { await readTable(input, options); seen.push(loaded()); };
      read([{ text: 'a', filename: 'b' }])
        .then(() => read('text,filename\\na,b'))
        .then(() => read([{ text: 'a {{x}}', filename: 'b', x: 1 }]))
        .then(() => console.log(JSON.stringify(seen)));`;
    const root = path.join(__dirname, '../../../..');
    const printed = execFileSync(process.execPath, [...loadTypescript, '-e', script], { cwd: root });
    assert.deepEqual(JSON.parse(printed.toString()), [[], [], ['csv-parse'], ['csv-parse', 'mustache']]);
  });
});
