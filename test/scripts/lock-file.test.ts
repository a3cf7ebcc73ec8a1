import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from '@herald-speech/client';

const root = path.join(__dirname, '../..');
const NEEDED = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'client/package.json',
  'audio/package.json',
  'service/package.json',
  'neural/package.json',
  'neural/package-lock.json',
  'neural/.npmrc',
];

/** Node 20 and 22 include npm 10, which rejects some lock files that npm 11 writes and accepts. */
describe('package-lock.json', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-lock-'));
    for (const file of NEEDED) await cp(path.join(root, file), path.join(folder, file));
  });
  after(() => rm(folder, { recursive: true }));

  const run = promisify(execFile);

  async function checkWithNpm10(place: string) {
    const { version } = z.object({ version: z.string() }).parse(require('npm/package.json'));
    assert.match(
      version,
      /^10\./,
      'node-red no longer depends on npm 10: add npm 10 as a development dependency for this test',
    );
    const npm = path.join(path.dirname(require.resolve('npm/package.json')), 'bin', 'npm-cli.js');
    const options = ['ci', '--dry-run', '--offline', '--ignore-scripts'];
    await run(process.execPath, [npm, ...options], { cwd: path.join(folder, place) });
  }

  it('is valid for npm ci of npm 10', async () => {
    await checkWithNpm10('.');
    await checkWithNpm10('neural');
  });

  it('does not contain the runtime of the natural voices, so that npm ci does not download it', async () => {
    const lock = z.object({ packages: z.record(z.string(), z.unknown()) });
    const namesIn = async (file: string) =>
      Object.keys(lock.parse(JSON.parse(await readFile(path.join(root, file), 'utf8'))).packages);
    const runtime = 'node_modules/onnxruntime-web';
    assert.ok(!(await namesIn('package-lock.json')).includes(runtime));
    assert.ok((await namesIn('neural/package-lock.json')).includes(runtime));
  });
});
