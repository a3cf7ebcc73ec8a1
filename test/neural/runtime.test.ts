import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { idsHeardIn } from '../support/natural/stub-voice.js';
import { NeuralProcess, PROGRAM, StubFolder, TONES } from './neural-process.js';

/** The bundled runtime, seen from a package beside Herald's. */
const BUNDLED = '../@herald-speech/neural/dist/onnxruntime/ort.cjs';

describe('the runtime of the neural process', () => {
  const voices = new StubFolder();
  let folder: string;
  let packages: string;
  let program: string;
  before(async () => {
    await voices.open();
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-runtime-'));
    packages = path.join(folder, 'node_modules');
    const neural = path.join(packages, '@herald-speech', 'neural', 'dist');
    await mkdir(neural, { recursive: true });
    await cp(path.dirname(PROGRAM), neural, { recursive: true });
    program = path.join(neural, 'program.js');
  });
  after(async () => {
    await voices.close();
    await rm(folder, { recursive: true });
  });

  async function runtimeWith(native: string) {
    await mkdir(path.join(packages, 'onnxruntime-node'), { recursive: true });
    await writeFile(path.join(packages, 'onnxruntime-node', 'index.js'), native);
    return runtime();
  }

  async function runtime() {
    const neural = new NeuralProcess({}, program);
    try {
      const { runtime, samples } = await neural.speak(await voices.write());
      assert.deepEqual(idsHeardIn(samples, 22_050), TONES);
      return runtime;
    } finally {
      await neural.end();
    }
  }

  it('is WebAssembly in the package itself, which needs no other package', async () => {
    assert.equal(await runtime(), 'web');
  });

  it('is onnxruntime-node if the user has installed it', async () => {
    assert.equal(await runtimeWith(`module.exports = require('${BUNDLED}');`), 'native');
  });

  it('is the bundled WebAssembly if onnxruntime-node does not run on the machine', async () => {
    assert.equal(await runtimeWith("throw new Error('libc.musl-x86_64.so.1: cannot open');"), 'web');
    assert.equal(await runtimeWith('module.exports = {};'), 'web');
  });
});
