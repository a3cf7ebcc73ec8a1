import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasNeural } from '../../../service/kit/packages.js';

describe('the package of the natural voices', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-package-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('counts as installed only with its runtime', async () => {
    const manifest = path.join(folder, 'package.json');
    const resolve = () => manifest;
    assert.equal(hasNeural(resolve), false);
    const runtime = path.join(folder, 'node_modules', 'onnxruntime-web');
    await mkdir(runtime, { recursive: true });
    await writeFile(path.join(runtime, 'index.js'), '');
    assert.equal(hasNeural(resolve), true);
  });
});
