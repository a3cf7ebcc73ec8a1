import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { kindsOf } from '../../../scripts/tests/kinds.mjs';
import { useFolder } from '../../support/folder.js';

const root = path.join(__dirname, '../../..');
const MOCHA = path.join(root, 'node_modules/mocha/bin/mocha.js');
const REPORTER = path.join(root, 'scripts/tests/reporter.cjs');
const LEFT_OUT = 'ffmpeg: ffmpeg is missing, ffprobe is missing, ffplay is missing';

describe('a run of the tests', function () {
  const folder = useFolder();

  /** Runs one file as `npm test` does, on a computer with these variables of the environment. */
  function run(file: string, variables: Readonly<Record<string, string>>) {
    const record = path.join(folder(), 'left-out');
    writeFileSync(record, '');
    const { status, stdout } = spawnSync(process.execPath, [MOCHA, '--reporter', REPORTER, file], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, CI: '', HERALD_LEFT_OUT: record, ...variables },
    });
    return { status, stdout, leftOut: readFileSync(record, 'utf8') };
  }

  it('leaves a suite out whose programs are missing, and records their names', () => {
    const { status, stdout, leftOut } = run('test/players/ffmpeg.test.ts', { PATH: '/nowhere' });
    assert.deepEqual([status, leftOut], [0, `${LEFT_OUT}\n`]);
    assert.match(stdout, /^0 passed, 0 failed$/m);
  });

  it('fails with CI=true if a suite is left out, and names its programs', () => {
    const { status, stdout } = run('test/players/ffmpeg.test.ts', { PATH: '/nowhere', CI: 'true' });
    assert.equal(status, 1);
    assert.match(stdout, /^0 passed, 1 failed$/m);
    assert.ok(stdout.includes(`Left out: ${LEFT_OUT}`), stdout);
  });

  it('fails if a test may be repeated, although the test passes', () => {
    const file = path.join(folder(), 'repeated.test.cjs');
    writeFileSync(file, `it('passes', function () { this.retries(1); });`);
    const { status, stdout } = run(file, {});
    assert.equal(status, 1);
    assert.match(stdout, /no test may use retries/);
  });

  it('names the slowest files and the number of tests in its last lines', () => {
    const { stdout } = run('test/client/base/errors.test.ts', {});
    assert.match(stdout, / \d+\.\d {2}test\/client\/base\/errors\.test\.ts\n\n\d+ passed, 0 failed\n$/);
  });
});

describe('the kinds of a test file', () => {
  const kinds = (file: string) => [...kindsOf(file)].toSorted();

  it('are those of the file, its support files and the product code', () => {
    assert.deepEqual(kinds('test/client/text/chunk.test.ts'), []);
    assert.ok(kinds('test/nodes/editor/german.test.ts').includes('browser'));
    assert.ok(kinds('test/fleet/limits/apart.test.ts').includes('program'));
    assert.ok(kinds('test/service/voices/workers/speech.test.ts').includes('process'));
    assert.ok(kinds('test/client/calls/retry.test.ts').includes('clock'));
  });
});
