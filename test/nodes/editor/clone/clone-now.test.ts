import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavOf } from '../../../support/audio-files.js';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { withServer } from '../../../support/net/scripted-server.js';
import { goodService } from '../../admin/asking.js';
import { accountOf, nodeOf } from '../saved.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  { ...nodeOf('clone', 'clone-voice', 0), voice_name: 'Me' },
  { ...nodeOf('unnamed', 'clone-voice', 1), voice_name: '' },
];

describeInBrowser('Clone now', () => {
  const { editor, show } = useSharedEditor([...flows, accountOf()]);
  afterEach(() => assert.deepEqual(editor().problems, []));

  const note = (text: string) =>
    editor().page.locator('.herald-clone [role=status]', { hasText: text }).waitFor();
  const choose = (buffer: Buffer) =>
    editor()
      .page.locator('.herald-clone input[type=file]')
      .setInputFiles({ name: 'me.wav', mimeType: 'audio/wav', buffer });
  const press = (name: string) =>
    editor().page.locator('.herald-clone').getByRole('button', { name }).click();
  const withAccount = (work: (paths: () => string[]) => Promise<void>) =>
    withServer(goodService, async ({ url, requests }) => {
      await show([...flows, accountOf({ service: 'hosted', url, credentials: { apiKey: 'key' } })]);
      await work(() => requests.map(({ path }) => path));
    });

  it('creates a voice from a file', () =>
    withAccount(async () => {
      await editor().open('clone');
      assert.equal(await editor().page.locator('.herald-clone input[type=file]').isVisible(), false);
      await choose(wavOf({ seconds: 6 }));
      await note('Created Me with the voice ID mine.');
    }));

  it('creates a voice from a recording of the microphone', () =>
    withAccount(async (paths) => {
      await editor().open('clone');
      await press('Record');
      await note('Recording, at most 30 s');
      await sleep(500);
      await press('Stop');
      await note('Created Me with the voice ID mine.');
      assert.ok(paths().includes('/v1/custom-voices/cloned-voice'));
    }));

  it('takes the name of the file if the form has none', () =>
    withAccount(async () => {
      await editor().open('unnamed');
      await choose(wavOf({ seconds: 6 }));
      await note('Created me with the voice ID mine.');
    }));

  it('asks for a name before it records, and refuses a file of more than 3 MB, without a request', () =>
    withAccount(async (paths) => {
      await editor().open('unnamed');
      await press('Record');
      await note('Enter a voice name first.');
      await editor().page.locator('#node-input-voice_name-value').fill('Me');
      await editor().page.locator('.herald-clone .herald-problem').waitFor({ state: 'detached' });
      await editor().cancel();
      await editor().open('clone');
      await choose(Buffer.alloc(3_000_001));
      await note('The file is larger than 3 MB.');
      assert.ok(!paths().includes('/v1/custom-voices/cloned-voice'));
    }));
});
