import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { NeuralVoices } from '../../../../../service/voices/engines/neural/voices.js';
import { installStub } from '../../../../support/natural/installed-stub.js';

describe('the natural voices of a folder', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-voices-'));
    const stubs = ['de_DE-ada-low', 'de_DE-ben-high', 'de_DE-cleo-medium', 'de_DE-ayse-x_low'];
    for (const name of stubs) await installStub(folder, { name });
    await installStub(folder, { name: 'de_DE-alle-medium', speakers: ['eins', 'zwei'] });
  });
  after(() => rm(folder, { recursive: true }));

  it('lists the voices of quality medium first, and a voice with one speaker before others', () => {
    assert.deepEqual(
      new NeuralVoices({ folder, measurements: folder }).list().map(({ id }) => id),
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

  it('states that a voice for Arabic guesses vowels that are not written', async () => {
    const place = path.join(folder, 'arabic');
    for (const name of ['ar_JO-kareem-low', 'de_DE-ada-low']) await installStub(place, { name });
    const described = new NeuralVoices({ folder: place, measurements: place }).list();
    const guesses = described.map(({ id, description }) => [id, /guesses vowels/.test(description)]);
    assert.deepEqual(Object.fromEntries(guesses), { 'ar_JO-kareem-low': true, 'de_DE-ada-low': false });
  });
});
