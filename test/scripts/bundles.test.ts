import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');
const SCOPE = '@herald-speech';

/** Runs code in a new process of Node.js, which loads the built packages. Returns its output as JSON. */
async function inProgram(code: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { cwd: ROOT });
  return JSON.parse(stdout);
}

/** The names by which programs load a package. */
function entriesOf(name: string): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(ROOT, name, 'package.json'), 'utf8'));
  return Object.keys(exports)
    .filter((entry) => entry !== './package.json')
    .map((entry) => path.posix.join(SCOPE, name, entry));
}

describe('the bundles of the packages', () => {
  for (const entry of ['client', 'audio', 'fleet', 'speakers'].flatMap(entriesOf)) {
    it(`export the same names of ${entry} to ES modules and to require`, async () => {
      const names =
        '(exported) => Object.keys(exported).filter((name) => !/^(default|module\\.exports)$/.test(name)).sort()';
      const found = await inProgram(
        `import('${entry}').then((imported) => console.log(JSON.stringify([require('${entry}'), imported].map(${names}))))`,
      );
      assert.ok(Array.isArray(found));
      const [required, imported]: unknown[] = found;
      assert.notDeepEqual(required, []);
      assert.deepEqual(imported, required);
    });
  }

  it('have each class once, whichever entry throws its errors', async () => {
    const code = `
      const { SpeechError, AudioError } = require('${SCOPE}/client');
      const { throwIfAborted } = require('${SCOPE}/client/abort');
      const { inspectAudio } = require('${SCOPE}/client/audio');
      const caught = (work) => { try { work(); } catch (error) { return error; } };
      console.log(JSON.stringify([
        caught(() => throwIfAborted(AbortSignal.abort())) instanceof SpeechError,
        caught(() => inspectAudio(new Uint8Array(9))) instanceof AudioError,
      ]))`;
    assert.deepEqual(await inProgram(code), [true, true]);
  });

  it('give a program that only calls others the small script of the client', async () => {
    const loaded = await inProgram(
      `for (const entry of ['abort', 'calls', 'files', 'program']) require('${SCOPE}/client/' + entry);
      console.log(JSON.stringify(Object.keys(require.cache)))`,
    );
    assert.ok(Array.isArray(loaded));
    const scripts = loaded.map((file) => path.relative(path.join(ROOT, 'client/dist'), String(file)));
    assert.deepEqual(
      scripts.sort(),
      ['abort', 'calls', 'private-files', 'program']
        .map((name) => `base/${name}.js`)
        .concat('base.js')
        .sort(),
    );
  });
});
