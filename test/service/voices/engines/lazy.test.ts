import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { loadTypescript } from '../../../support/run-typescript.js';

const ROOT = path.join(__dirname, '../../../..');
const LANGUAGES = path.join('normalize', 'languages', path.sep);

/** Runs code in a new process, and returns the modules of zod and of languages that it loaded. */
async function loadedBy(code: string): Promise<string[]> {
  const report = 'console.log(JSON.stringify(Object.keys(require.cache)))';
  const command = [...loadTypescript, '-e', `${code}; ${report}`];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT });
  const files: string[] = JSON.parse(stdout);
  return files
    .filter((file) => file.includes(LANGUAGES) || file.includes(path.join('node_modules', 'zod', path.sep)))
    .map((file) => path.parse(file).name);
}

/** A worker that speaks starts with these modules. */
const load = `require('./service/voices/engines/engines.ts');
  const { textInWords } = require('./service/voices/engines/espeak/in-words.ts')`;

describe('the engines', () => {
  it('load no schemas and no language before a text', async () => assert.deepEqual(await loadedBy(load), []));

  it('load only the language of a text', async () => {
    assert.deepEqual(await loadedBy(`${load}; textInWords('3', 'fi')`), ['fi']);
  });
});
