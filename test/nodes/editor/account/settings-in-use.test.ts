import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { type Script, spoken, withServer } from '../../../support/net/scripted-server.js';
import { speaks, withWyoming } from '../../../support/net/wyoming-server.js';
import { accountOf, nodeOf } from '../saved.js';

const PAGE = { headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') };
const GOOD = 'good-key';

/** A service that refuses each other key, also for its lists. */
const guarded: Script = ({ method, headers }) => {
  if (headers['authorization'] !== `Bearer ${GOOD}`) return { status: 401, body: {} };
  return method === 'GET' ? { body: { voices: ['alloy'] } } : spoken({ seconds: 0.2 });
};

describeInBrowser('the settings of an account in use', () => {
  const { editor } = useSharedEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    nodeOf('tts', 'text-to-speech', 0),
    accountOf({ service: 'openai', url: 'http://127.0.0.1:9' }),
  ]);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const page = () => editor().page;
  const setting = (name: string) => page().locator(`#node-config-input-${name}`);
  const linesAfterTest = async () => {
    await page().locator('#herald-test').click();
    await page().locator('#herald-test-result:is([data-state=well], [data-state=wrong])').waitFor();
    return page().locator('#herald-test-result > p').allTextContents();
  };
  /** Types settings into the dialog of the account, from the dialog of its node. */
  const edit = async (values: Record<string, string>) => {
    await page().locator('#node-input-lookup-account, #node-input-btn-account-edit').first().click();
    for (const [name, value] of Object.entries(values)) {
      if (name === 'service') await setting(name).selectOption(value);
      else await setting(name).fill(value);
    }
    await page().locator('#node-config-dialog-ok').click();
    await setting('service').waitFor({ state: 'detached' });
  };
  const shown = (text: string) => page().locator('.herald-form').getByText(text).filter({ visible: true });

  it('have no further lines in Test if the address is a web page', () =>
    withServer(
      () => PAGE,
      async ({ url }) => {
        await editor().open('account');
        await setting('url').fill(url);
        const lines = await linesAfterTest();
        assert.equal(lines.length, 1);
        assert.match(lines[0] ?? '', /^The server answers with a web page/);
      },
    ));

  it('lack a key that speech may need, as Test says', () =>
    withServer(
      () => ({ body: { voices: ['alloy'] } }),
      async ({ url }) => {
        await editor().open('account');
        await setting('url').fill(url);
        const lines = await linesAfterTest();
        assert.ok(lines.includes('No key entered; speech may need one.'), lines.join('\n'));
      },
    ));

  it('name a port above 65535 once, also after Test', async () => {
    await editor().open('account');
    const rule = 'the port must be a number from 1 to 65535.';
    await setting('url').fill('http://192.168.1.5:99999/v1');
    await shown(`Base URL: ${rule}`).waitFor();
    await page().locator('#herald-test').click();
    await setting('service').selectOption('wyoming');
    await setting('address').fill('tcp://192.168.1.5:99999');
    await shown(`Address: ${rule}`).waitFor();
    await page().locator('#herald-test').click();
    await page().locator('#herald-test-result[data-state=wrong]').waitFor({ state: 'attached' });
    assert.equal(await shown('Address: ').count(), 1);
    assert.equal(await setting('address').evaluate((field) => field === document.activeElement), true);
  });

  it('have a wrong key, which the node shows until the key is corrected', () =>
    withServer(guarded, async ({ url }) => {
      const typeKey = (key: string) => edit({ url, apiKey: key });
      const refusal = page().locator('.herald-form [role=status]', { hasText: '(401)' });
      await editor().open('tts');
      await typeKey('wrong-key');
      await refusal.first().waitFor();
      await page().getByRole('button', { name: 'Speak this text' }).click();
      await page().locator('.herald-try [role=status]', { hasText: '(401)' }).waitFor();
      await typeKey(GOOD);
      await page().getByText('Account default: alloy').waitFor();
      assert.equal(await refusal.count(), 0);
    }));

  it('are invalid, which the node names below its account until they are corrected', async () => {
    await editor().open('tts');
    const note = page().locator('#herald-account-problem');
    await edit({ url: '', language: 'English language' });
    await note
      .getByText(
        'This account is invalid. Base URL: enter the URL of the service. Language: enter a two-letter code such as en.',
      )
      .waitFor();
    await page().locator('#node-input-account.input-error[aria-invalid=true]').waitFor();
    await edit({ url: 'http://127.0.0.1:9', language: 'en' });
    await note.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    await page().locator('#node-input-account:not(.input-error, [aria-invalid])').waitFor();
  });

  it('have the default voice of a Wyoming server, as the node says', () =>
    withWyoming(speaks, async ({ url }) => {
      await editor().open('tts');
      await edit({ service: 'wyoming', address: url });
      await page()
        .locator('.herald-note', { hasText: /^Default of the server$/ })
        .waitFor();
    }));
});
