import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LISTING, readListing } from '../../../../service/voices/natural/catalogue/listing.js';
import {
  savedCatalogueFile,
  saveCatalogue,
} from '../../../../service/voices/natural/catalogue/saved-catalogue.js';
import {
  describeInBrowser,
  type Editor,
  openEditor,
  sharedBrowser,
} from '../../../support/browser/browser.js';
import { type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { withVoiceMirror } from '../../../support/natural/voice-mirror.js';
import { skipMeasurement, writeRepository } from '../../../support/natural/voice-repository.js';
import { nodeOf } from '../saved.js';

const STUB = 'de_DE-stub-medium';
/** A node without an account: it uses the local service. */
const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  { ...nodeOf('tts', 'text-to-speech', 0), account: '' },
];

describeInBrowser('a natural voice of the local service', () => {
  let nodeRed: NodeRed;
  let editor: Editor;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-natural-'));
  const data = path.join(folder, 'data');
  const repository = path.join(folder, 'repository');

  before(async function () {
    this.timeout(60_000);
    await writeRepository(repository, [{ name: STUB, licence: 'CC BY 4.0' }]);
    await skipMeasurement(repository, data, STUB);
    const { voices } = readListing(readFileSync(path.join(repository, LISTING)));
    await saveCatalogue(savedCatalogueFile(data), { at: new Date().toISOString(), voices });
  });
  // Also before a repetition of the test: only one service at a time uses the data folder.
  afterEach(async () => {
    await editor?.close();
    await nodeRed?.stop();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is installed from the dialog of a new node, comes first in the picker, and speaks', async function () {
    this.timeout(90_000);
    await withVoiceMirror(repository, async ({ url, requests }) => {
      const env = { HERALD_DATA: data, HERALD_VOICES_URL: url };
      nodeRed = await startNodeRed(flows, { script: `Object.assign(process.env, ${JSON.stringify(env)});` });
      editor = await openEditor(await sharedBrowser(), nodeRed.url);
      const { page } = editor;
      const button = (name: string) => page.getByRole('button', { name });
      await watchSound(page);
      await editor.open('tts');
      await button('Find a voice').click();
      await page.locator('.herald-voice-row').first().waitFor();
      await button('More voices …').click();
      await page.locator('.herald-natural-row').filter({ hasText: STUB }).waitFor();
      assert.deepEqual(requests, [], 'The list needs no network.');
      await button('Install Stub').click();
      await page.getByText('Licence: CC BY 4.0.').waitFor();
      await button('Accept and install').click();
      await button('Use this voice: Stub').click({ timeout: 60_000 });
      await page.locator('.herald-picker').waitFor({ state: 'detached' });
      assert.equal(await page.locator('#node-input-voice_id-value').inputValue(), STUB);
      await button('Find a voice').click();
      await page.locator('.herald-voice-row').first().getByText(STUB).waitFor();
      await button('Find a voice').click();
      await page.locator('#herald-try-text').fill('Guten Tag.');
      await button('Speak this text').click();
      await untilPlayed(page, 1);
      assert.deepEqual(editor.problems, []);
    });
  });
});
