import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { lazy } from '../../../client/base/lazy.js';
import { loadTypescript } from '../../support/run-typescript.js';

const root = path.join(__dirname, '..', '..', '..');
/** Modules that take long to load. */
const SLOW = ['zod', 'undici', 'form-data'];

/** Runs code in a new process and returns the slow modules that it loaded. */
async function loadedBy(code: string): Promise<string[]> {
  const report = `console.log(JSON.stringify(Object.keys(require.cache)));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...loadTypescript, '-e', `${code};${report}`],
    { cwd: root },
  );
  const files: string[] = JSON.parse(stdout);
  return SLOW.filter((name) =>
    files.some((file) => file.includes(path.join('node_modules', name, path.sep))),
  );
}

describe('lazy', () => {
  it('builds its value once, on the first call', () => {
    let built = 0;
    const value = lazy(() => ({ number: (built += 1) }));
    assert.equal(built, 0);
    assert.equal(value(), value());
    assert.equal(built, 1);
  });

  it('builds undefined once', () => {
    let built = 0;
    const value = lazy(() => void (built += 1));
    value();
    value();
    assert.equal(built, 1);
  });
});

describe('loading the client', () => {
  const load = "const client = require('./client/index.ts')";

  it('loads neither zod nor an HTTP client', async () => assert.deepEqual(await loadedBy(load), []));

  it('loads zod when a schema is read', async () => {
    for (const read of ['operations.getCredits.request', 'speechRequest.shape', 'z.object'])
      assert.deepEqual(await loadedBy(`${load}; client.${read}`), ['zod']);
  });

  it('loads an HTTP client when a client is created', async () => {
    const create = "client.createClient({ url: 'http://127.0.0.1', apiKey: 'key' })";
    assert.deepEqual(await loadedBy(`${load}; ${create}`), ['zod', 'undici']);
  });
});

describe('loading the nodes', () => {
  it('loads neither zod nor an HTTP client', async () => {
    const manifest: { 'node-red': { nodes: Record<string, string> } } = JSON.parse(
      await readFile(path.join(root, 'package.json'), 'utf8'),
    );
    const files = Object.values(manifest['node-red'].nodes).map((file) =>
      file.replace(/^dist\/(.*)\.js$/, './$1.ts'),
    );
    assert.deepEqual(await loadedBy(files.map((file) => `require('${file}')`).join(';')), []);
  });
});
