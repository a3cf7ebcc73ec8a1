import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { attributionOf } from '../../../../service/voices/installed/attribution.js';
import type { InstalledVoice } from '../../../../service/voices/installed/installed-voice.js';
import { installStub } from '../../../support/natural/installed-stub.js';

const REPOSITORY = 'https://voices.example/OWNER/VOICES/resolve/main/';

describe('the attribution of a natural voice', () => {
  let folder: string;
  let voice: InstalledVoice;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-attribution-'));
    voice = await installStub(folder, { name: 'en_GB-stub-medium' });
  });
  after(() => rm(folder, { recursive: true }));

  /** Returns the attribution of the voice with another card and another source. */
  const of = async (card: string | undefined, source = REPOSITORY) => {
    if (card !== undefined) await writeFile(path.join(voice.folder, 'MODEL_CARD'), card);
    return attributionOf({ ...voice, record: { ...voice.record, source } });
  };

  it('has the address of the model card, the repository as the author, and a version of the model', async () => {
    const { author, url, version } = await of(undefined);
    assert.deepEqual([author, url], ['OWNER/VOICES', 'https://example.org/']);
    assert.ok(voice.record.files['en_GB-stub-medium.onnx']?.sha256.startsWith(version));
    assert.equal(version.length, 12);
  });

  it('has the author that the model card names', async () => {
    assert.equal((await of('* Author: Jo Example\n* URL: unknown')).author, 'Jo Example');
  });

  it('has the address of the repository if the card has none, and none for imported files', async () => {
    assert.equal((await of('* License: CC0')).url, REPOSITORY);
    const imported = await of('* License: CC0', '/media/voices');
    assert.deepEqual([imported.author, imported.url], ['unknown author', '']);
  });

  it('needs no model card', async () => {
    const card = await readFile(path.join(voice.folder, 'MODEL_CARD'));
    await rm(path.join(voice.folder, 'MODEL_CARD'));
    assert.equal((await of(undefined)).author, 'OWNER/VOICES');
    await writeFile(path.join(voice.folder, 'MODEL_CARD'), card);
  });
});
