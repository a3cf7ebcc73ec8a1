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
import { type FlowNode, type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { withServer } from '../../../support/net/scripted-server.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { type MirrorRequest, withVoiceMirror } from '../../../support/natural/voice-mirror.js';
import { skipMeasurement, writeRepository } from '../../../support/natural/voice-repository.js';
import { accountOf, nodeOf } from '../saved.js';

const STUB = 'de_DE-stub-medium';
/** Its licence is known before its model card is read. */
const THORSTEN = 'de_DE-thorsten-medium';
/** A node without an account: it uses the local service. */
const flows: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  { ...nodeOf('tts', 'text-to-speech', 0), account: '' },
  { ...nodeOf('german', 'text-to-speech', 1), account: '', language: 'de' },
];
/** An account of the local service whose nodes speak German. */
const german = [
  flows[0],
  nodeOf('tts', 'text-to-speech', 0),
  accountOf({ service: 'local', language: 'de' }),
].filter((node) => node !== undefined);

describeInBrowser('a natural voice of the local service', () => {
  let nodeRed: NodeRed;
  let editor: Editor;
  let requests: readonly MirrorRequest[];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-natural-'));
  const repository = path.join(folder, 'repository');
  const data = path.join(folder, 'data');
  const page = () => editor.page;
  const button = (name: string) => page().getByRole('button', { name });
  /** The mirror closes after this promise. */
  let closeMirror: () => void = () => undefined;
  let mirrorClosed: Promise<void> | undefined;

  // One Node-RED and one page: each test begins without a natural voice.
  before(async () => {
    await writeRepository(repository, [
      { name: STUB, licence: 'CC BY 4.0' },
      { name: THORSTEN, licence: 'CC0' },
    ]);
    const { voices } = readListing(readFileSync(path.join(repository, LISTING)));
    await saveCatalogue(savedCatalogueFile(data), { at: new Date().toISOString(), voices });
    const url = await startMirror();
    const env = { HERALD_DATA: data, HERALD_VOICES_URL: url };
    nodeRed = await startNodeRed(flows, { script: `Object.assign(process.env, ${JSON.stringify(env)});` });
    editor = await openEditor(await sharedBrowser(), nodeRed.url);
    await watchSound(page());
  });

  /** Returns the address of a mirror of the repository. */
  const startMirror = () =>
    new Promise<string>((resolve) => {
      const closing = new Promise<void>((close) => (closeMirror = close));
      mirrorClosed = withVoiceMirror(repository, (mirror) => {
        requests = mirror.requests;
        resolve(mirror.url);
        return closing;
      });
    });

  beforeEach(async () => {
    for (const voice of [STUB, THORSTEN]) await skipMeasurement(repository, data, voice);
  });
  afterEach(async () => {
    await editor.cancel();
    assert.deepEqual(editor.problems, []);
  });
  after(async () => {
    await editor.close();
    await nodeRed.stop();
    closeMirror();
    await mirrorClosed;
    rmSync(folder, { recursive: true, force: true });
  });

  async function show(nodes: FlowNode[]): Promise<void> {
    await nodeRed.deploy(nodes);
    await editor.loadFlows();
  }

  /** Removes a voice on the page of natural voices of the open dialog. */
  async function remove(name: string): Promise<void> {
    await button('Find a voice').click();
    await page().locator('.herald-voice-row').first().waitFor();
    await button('More voices …').click();
    // The sidebar may still show the same voice.
    const panel = page().getByRole('list', { name: 'Natural voices' });
    await panel.getByRole('button', { name: `Remove ${name}` }).click();
    await panel.getByRole('button', { name: `Remove ${name} Remove? Press again.` }).click();
    await panel.getByText(`${name} was removed.`).waitFor();
  }

  it('is no longer offered after the account has changed to another service', () =>
    withServer(
      // A voice of the same language, so that only the service differs.
      () => ({ body: { voices: [{ id: 'alloy', name: 'Alloy', language: 'de' }] } }),
      async (server) => {
        await show(german);
        const offer = page().locator('.herald-form .herald-offer');
        await editor.open('tts');
        await offer.getByRole('button', { name: 'Install Thorsten (1 MB, CC0)' }).waitFor();
        await page().locator('#node-input-lookup-account, #node-input-btn-account-edit').first().click();
        await page().locator('#node-config-input-service').selectOption('openai');
        await page().locator('#node-config-input-url').fill(`${server.url}/v1`);
        await page().locator('#node-config-dialog-ok').click();
        await page().getByText('Account default: Alloy').waitFor();
        assert.equal(await offer.isVisible(), false);
        assert.equal(await page().getByText('robotic').count(), 0);
      },
    ));

  it('is offered in the sidebar while the local service has none in the language of the flows', async () => {
    await show(german);
    const offer = page().locator('.herald-activity .herald-offer');
    await page().evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
    await offer.getByText('The voice of the flows sounds robotic.').waitFor();
    await offer.getByRole('button', { name: 'Install Thorsten (1 MB, CC0)' }).click();
    await offer.getByText('Thorsten is installed.').waitFor({ timeout: 60_000 });
    await editor.open('tts');
    await remove('Thorsten');
  });

  it('is offered beside a robotic voice of its language, is installed by one press, speaks, and is offered again after its removal', async () => {
    await show(flows);
    const { length } = requests;
    const offer = page().locator('.herald-form .herald-offer');
    await editor.open('german');
    await page().getByText('Account default: Anna · sounds robotic').waitFor();
    assert.equal(requests.length, length, 'The offer needs no network.');
    await offer.getByRole('button', { name: 'Install Thorsten (1 MB, CC0)' }).click();
    await offer.getByText('Thorsten is installed.').waitFor({ timeout: 60_000 });
    await page().getByText('Account default: Thorsten').waitFor();
    assert.equal(await page().getByText('robotic').count(), 0);
    assert.equal(await page().locator('#node-input-voice_id-value').inputValue(), '');
    await button('Speak this text').click();
    await untilPlayed(page(), 1);
    await editor.cancel();
    await editor.open('german');
    await page().getByText('Account default: Thorsten').waitFor();
    assert.equal(await offer.isVisible(), false);
    await remove('Thorsten');
    await button('Back').click();
    await page().getByText('Account default: Anna · sounds robotic').waitFor();
  });

  it('is installed from the dialog of a new node, comes first in the picker, and speaks', async () => {
    await show(flows);
    const { length } = requests;
    await editor.open('tts');
    await button('Find a voice').click();
    await page().locator('.herald-voice-row').first().waitFor();
    await button('More voices …').click();
    await page().locator('.herald-natural-row').filter({ hasText: STUB }).waitFor();
    assert.equal(requests.length, length, 'The list needs no network.');
    await button('Install Stub').click();
    await page().getByText('Licence: CC BY 4.0.').waitFor();
    await button('Accept and install').click();
    await button('Use this voice: Stub').click({ timeout: 60_000 });
    await page().locator('.herald-picker').waitFor({ state: 'detached' });
    assert.equal(await page().locator('#node-input-voice_id-value').inputValue(), STUB);
    await button('Find a voice').click();
    await page().locator('.herald-voice-row').first().getByText(STUB).waitFor();
    await button('Find a voice').click();
    await page().locator('#herald-try-text').fill('Guten Tag.');
    await button('Speak this text').click();
    await untilPlayed(page(), 2);
  });
});
