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

  const install = async (name: string) => {
    const place = path.join(folder, 'node_modules', name);
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, 'package.json'), JSON.stringify({ name }));
  };

  it('counts as installed only with its runtime, and without a restart', async () => {
    const service = path.join(folder, 'node_modules', '@herald-speech', 'local-service', 'dist');
    assert.equal(hasNeural(service), false);
    await install('@herald-speech/neural');
    assert.equal(hasNeural(service), false);
    await install('onnxruntime-web');
    assert.equal(hasNeural(service), true);
  });
});
