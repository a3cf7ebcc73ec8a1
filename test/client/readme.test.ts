import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { inspectAudio } from '../../client/audio/join.js';
import { failures } from '../../client/base/errors.js';
import { clientDefaults } from '../../client/api/options.js';
import { type Script, spoken, withServer } from '../support/net/scripted-server.js';

const root = path.join(__dirname, '..', '..');
const readme = () => readFile(path.join(root, 'client', 'README.md'), 'utf8');

/** The first `cells` cells of each row of the table whose first column is `head`, without back quotes. */
async function table(head: string, cells: number): Promise<string[][]> {
  const lines = (await readme()).split('\n');
  const rows = lines.slice(lines.findIndex((line) => line.split('|')[1]?.trim() === head) + 2);
  return rows.slice(0, rows.indexOf('')).map((row) =>
    row
      .split('|')
      .slice(1, cells + 1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const voice = {
  voice_id: 'v1',
  name: 'Anna',
  age: 'elder',
  gender: 'female',
  use_case: 'audiobook',
  use_cases: [],
  language: ['en'],
  styles: ['neutral'],
  models: ['main_speech_1'],
};

const service: Script = ({ path: called }) =>
  called === '/v1/voices/search' ? { body: { items: [voice] } } : spoken({ seconds: 1 });

describe('the readme of the client', () => {
  it('has an example that runs', () =>
    withServer(service, async ({ url, requests }) => {
      const example = /```ts\n(.*?)```/s.exec(await readme())?.[1] ?? '';
      const folder = await mkdtemp(path.join(tmpdir(), 'herald-readme-'));
      try {
        await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
        await writeFile(path.join(folder, 'example.mjs'), transformSync(example, { loader: 'ts' }).code);
        const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], {
          cwd: folder,
          env: { ...process.env, SPEECH_URL: url, SPEECH_KEY: 'key' },
        });
        const chunks = requests.length - 1;
        assert.equal(stdout, `${chunks}.0 s in ${chunks} chunks\n`);
        assert.equal(inspectAudio(await readFile(path.join(folder, 'story.wav'))).duration, chunks);
      } finally {
        await rm(folder, { recursive: true });
      }
    }));

  it('lists every option with its default', async () => {
    const defaults = Object.entries(clientDefaults).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const rows = (await table('option', 2)).map(([name = '', value = '']): [string, string] => [name, value]);
    assert.equal(rows.length, defaults.length);
    assert.deepEqual(new Map(rows), new Map(defaults));
  });

  it('lists every error code with its route and retry rule', async () => {
    const rows = Object.entries(failures).map(([code, { route, retry }]) => [code, route, retry]);
    assert.deepEqual(await table('code', 3), rows);
  });
});
