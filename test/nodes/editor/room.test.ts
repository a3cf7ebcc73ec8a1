import assert from 'node:assert/strict';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import { openFolds } from './folds.js';
import { accountOf, nodeOf } from './saved.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  nodeOf('text-to-speech', 'text-to-speech', 0),
  nodeOf('credits', 'credits', 1),
];

describeInBrowser('dialog in a narrow window', () => {
  const { editor } = useSharedEditor(flows);
  before(async () => {
    await editor().page.setViewportSize({ width: 400, height: 900 });
    await editor().page.evaluate(`RED.actions.invoke('core:toggle-sidebar')`);
  });
  after(() => editor().page.evaluate(`RED.actions.invoke('core:toggle-sidebar')`));
  afterEach(() => editor().cancel());

  it('shows the voice picker within its width, and a note if no voice is found', async () => {
    await editor().open('text-to-speech');
    await editor().page.getByRole('button', { name: 'Find a voice' }).click();
    const row = editor().page.locator('.herald-voice-row').first();
    await row.waitFor();
    const [inner, tray] = await Promise.all(
      [row, editor().page.locator('.red-ui-tray')].map((part) => part.boundingBox()),
    );
    assert.ok(inner && tray && inner.x >= tray.x && inner.x + inner.width <= tray.x + tray.width);
    await editor().page.getByRole('searchbox').fill('nobody at all');
    await editor().page.getByText('No voices found.').waitFor();
  });

  it('uses the type names of the editor', async () => {
    await editor().open('credits');
    await editor().page.locator('#node-input-threshold-type').click();
    const menu = editor().page.locator('.red-ui-typedInput-options:visible');
    await menu.getByText('number', { exact: true }).waitFor();
    await editor().page.keyboard.press('Escape');
  });

  it('shows the problem of a rate limit until it is valid', async () => {
    await editor().open('account');
    await editor().page.locator('#node-config-input-service').selectOption('hosted');
    await openFolds(editor().page);
    await editor().page.locator('#node-config-input-rate').selectOption('other');
    await editor().page.locator('#node-config-input-requestsPerMinute').fill('-1');
    const problem = editor().page.locator('#herald-rate-problem');
    assert.equal(await problem.textContent(), 'Rate limit: enter a whole number above 0.');
    await editor().page.locator('#node-config-input-rate').selectOption('auto');
    assert.equal(await problem.textContent(), '');
  });
});
