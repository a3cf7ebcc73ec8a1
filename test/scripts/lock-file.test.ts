import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
  'fleet/package.json',
  'speakers/package.json',
  'browser/package.json',
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

  /** Runs npm 10 without a network. */
  async function npm10(...args: string[]) {
    const { version } = z.object({ version: z.string() }).parse(require('npm/package.json'));
    assert.match(
      version,
      /^10\./,
      'node-red no longer depends on npm 10: add npm 10 as a development dependency for this test',
    );
    const npm = path.join(path.dirname(require.resolve('npm/package.json')), 'bin', 'npm-cli.js');
    await run(process.execPath, [npm, ...args, '--offline', '--ignore-scripts'], { cwd: folder });
  }

  it('is valid for npm ci of npm 10', () => npm10('ci', '--dry-run'));

  it('keeps the runtime of natural voices when a user installs the native one', async () => {
    const native = path.join(folder, 'native');
    await mkdir(native);
    const manifest = { name: 'onnxruntime-node', version: '1.30.0' };
    await writeFile(path.join(native, 'package.json'), JSON.stringify(manifest));
    await npm10('install', '--package-lock-only', './native');
    const lock = z.object({ packages: z.record(z.string(), z.object({ link: z.boolean().optional() })) });
    const { packages } = lock.parse(
      JSON.parse(await readFile(path.join(folder, 'package-lock.json'), 'utf8')),
    );
    const linked = ['onnxruntime-node', '@herald-speech/neural'].map(
      (name) => packages[`node_modules/${name}`],
    );
    assert.deepEqual(linked, [{ link: true }, { link: true }]);
  });
});
