import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { optionalNeural } from '../../../../../service/voices/engines/neural/optional.js';
import { installStub } from '../../../../support/natural/installed-stub.js';

describe('the optional engine of the natural voices', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-optional-'));
    const stubs = ['de_DE-ada-low', 'de_DE-ben-high', 'de_DE-cleo-medium', 'de_DE-ayse-x_low'];
    for (const name of stubs) await installStub(folder, { name });
    await installStub(folder, { name: 'de_DE-alle-medium', speakers: ['eins', 'zwei'] });
  });
  after(() => rm(folder, { recursive: true }));

  it('has no voices without its package, and the installed voices as soon as the package is there', () => {
    let isInstalled = false;
    const engine = optionalNeural({ folder, measurements: folder }, () => isInstalled, 0);
    const { voices } = engine;
    assert.deepEqual(voices, []);
    assert.equal(engine.voices, voices);
    isInstalled = true;
    assert.equal(engine.voices.length, 6);
  });

  it('lists the voices of quality medium first, and a voice with one speaker before others', () => {
    const engine = optionalNeural({ folder, measurements: folder }, () => true);
    assert.deepEqual(
      engine.voices.map(({ id }) => id),
      [
        'de_DE-cleo-medium',
        'de_DE-alle-medium-eins',
        'de_DE-alle-medium-zwei',
        'de_DE-ben-high',
        'de_DE-ada-low',
        'de_DE-ayse-x_low',
      ],
    );
  });
});
