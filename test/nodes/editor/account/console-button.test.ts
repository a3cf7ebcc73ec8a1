import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { accountOf, nodeOf } from '../saved.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  nodeOf('tts', 'text-to-speech', 0),
  accountOf({ service: 'local' }),
];

describeInBrowser('the button "Open console" of an account', () => {
  const { editor } = useSharedEditor(flows);
  const open = async () => {
    const { open, page } = editor();
    await open('account');
    await page.evaluate(`document.querySelector('[data-fold=programs]').open = true`);
  };
  const button = () => editor().page.getByRole('button', { name: 'Open console' });

  it('opens the console of the local service in a new tab, signed in, and is hidden for a hosted service', async () => {
    await open();
    const opening = editor().page.waitForEvent('popup');
    await button().click();
    const tab = await opening;
    await tab.getByText('Local session').waitFor();
    await tab.locator('#voice-list .item').first().waitFor();
    assert.match(tab.url(), /^http:\/\/127\.0\.0\.1:\d+\/console$/);
    await tab.close();
    await editor().page.locator('#node-config-input-service').selectOption('hosted');
    await button().waitFor({ state: 'hidden' });
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });
});
