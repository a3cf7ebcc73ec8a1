import assert from 'node:assert/strict';
import { describeInBrowser, FOREIGN_HOST, untilLoaded } from '../../../support/browser/browser.js';
import { useEditor } from '../../../support/browser/editor-session.js';
import { accountOf, nodeOf } from '../saved.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  nodeOf('tts', 'text-to-speech', 0),
  accountOf({ service: 'local' }),
];

describeInBrowser('the button "Open console" of an account', () => {
  const { editor, nodeRed } = useEditor(flows);
  const open = async () => {
    await editor().open('account');
    await editor().page.evaluate(`document.querySelector('[data-fold=programs]').open = true`);
  };
  const button = () => editor().page.getByRole('button', { name: 'Open console' });

  it('opens the console of the local service in a new tab, signed in', async () => {
    await open();
    const opening = editor().page.waitForEvent('popup');
    await button().click();
    const tab = await opening;
    await tab.getByText('Local session').waitFor();
    await tab.locator('#voice-list .item').first().waitFor();
    assert.match(tab.url(), /^http:\/\/127\.0\.0\.1:\d+\/console$/);
    await tab.close();
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  it('is hidden for a hosted service', async () => {
    await open();
    await editor().page.locator('#node-config-input-service').selectOption('hosted');
    await button().waitFor({ state: 'hidden' });
    await editor().cancel();
  });

  it('is disabled on another computer, and names the reason', async () => {
    const { page } = editor();
    await page.goto(nodeRed().url.replace('127.0.0.1', FOREIGN_HOST));
    await untilLoaded(page);
    await open();
    await page.getByText('only in a browser on the computer of Node-RED').waitFor();
    assert.equal(await button().isDisabled(), true);
  });
});
