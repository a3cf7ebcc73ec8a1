import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../../support/browser/browser.js';
import { useSharedEditor } from '../../../../support/browser/editor-session.js';
import { until } from '../../../../support/waiting.js';
import { openFolds } from '../../folds.js';
import { accountOf, nodeOf } from '../../saved.js';

const typed = {
  text: 'Hello.',
  textType: 'str',
  language: 'de',
  languageType: 'str',
  voice_settings: '{"speed":1.5}',
  pronunciations: '{"GmbH":"Gesellschaft"}',
  pronunciationsType: 'json',
};
const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  { ...nodeOf('tts', 'text-to-speech', 0), ...typed },
];

describeInBrowser('a panel or an editor that the button of a row opens', () => {
  const { editor } = useSharedEditor(flows);
  before(async () => {
    await editor().open('tts');
    await openFolds(editor().page);
  });
  // A failed test must not leave its replies to the next one.
  afterEach(() => editor().page.unrouteAll({ behavior: 'ignoreErrors' }));
  after(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const press = (key: string) => editor().page.keyboard.press(key);
  const panel = () => editor().page.locator('.red-ui-popover-panel :is(.herald-text, .herald-settings)');
  /** Returns the id of the button of a row. */
  const expandOf = (name: string) => `node-input-${name}-expand`;
  const focusOn = (id: string) => editor().page.locator(`#${id}`).focus();
  /** Waits until an element has the focus. */
  const untilFocused = (selector: string) =>
    editor().page.waitForFunction(`document.activeElement.matches(${JSON.stringify(selector)})`);
  const open = async (name: string) => {
    await focusOn(expandOf(name));
    await press('Enter');
  };
  const tray = () => editor().page.locator('.red-ui-tray');

  it('is opened by a button whose name for screen readers has its field', async () => {
    const ids = { text: 'Text', language: 'Language', voice_settings: 'Voice settings' };
    for (const [name, field] of Object.entries(ids)) {
      const named = editor().page.getByRole('button', { name: `Edit: ${field}`, exact: true });
      assert.equal(await named.getAttribute('id'), expandOf(name));
    }
  });

  for (const [name, control] of [
    ['text', '.red-ui-popover-panel textarea'],
    ['language', '.red-ui-popover-panel select'],
    ['voice_settings', '.red-ui-popover-panel div:first-child > label > input'],
  ] as const)
    it(`has the focus in its first control: ${name}, and gives it back with Escape and with Ctrl+Enter, while the dialog stays open`, async () => {
      for (const key of ['Escape', 'Control+Enter']) {
        await open(name);
        await untilFocused(control);
        await press(key);
        await panel().waitFor({ state: 'detached' });
        await untilFocused(`#${expandOf(name)}`);
      }
      assert.equal(await tray().count(), 1);
    });

  it('keeps the typed text, and closes with a Tab beyond its last control, which goes on in the dialog', async () => {
    await open('text');
    await untilFocused('.red-ui-popover-panel textarea');
    await editor().page.keyboard.type(' Good night.');
    await press('Tab');
    await panel().waitFor({ state: 'detached' });
    assert.equal(await editor().page.locator('#node-input-text').inputValue(), 'Hello. Good night.');
    const place = `document.querySelector('#${expandOf('text')}').compareDocumentPosition(document.activeElement)`;
    assert.equal(await editor().page.evaluate(`${place} === Node.DOCUMENT_POSITION_FOLLOWING`), true);
    assert.equal(
      await editor().page.evaluate(`document.activeElement.closest('.herald-form') !== null`),
      true,
    );
  });

  it('closes with a Tab back before its first control', async () => {
    await open('voice_settings');
    await untilFocused('.red-ui-popover-panel div:first-child > label > input');
    await press('Tab');
    await untilFocused('.red-ui-popover-panel div:nth-child(2) > label > input');
    await press('Shift+Tab');
    await press('Shift+Tab');
    await panel().waitFor({ state: 'detached' });
    await untilFocused(`#${expandOf('voice_settings')}`);
  });

  it('lets the user correct each invalid voice setting, also one that the service ignores, and shows a text as a text', async () => {
    const row = editor().page.locator('#node-input-voice_settings-value');
    await row.fill('{"similarity":25,"text_guidance":1,"speed":"1.2"}');
    await open('voice_settings');
    const setting = (label: string) => panel().getByLabel(label);
    assert.equal(await setting('Speed').inputValue(), '"1.2"');
    assert.deepEqual(
      [await setting('Similarity').isEnabled(), await setting('Text guidance').isEnabled()],
      [true, false],
    );
    assert.equal(await setting('Subharmonic').isEnabled(), false);
    await setting('Similarity').fill('2');
    await setting('Speed').fill('1.2');
    await press('Escape');
    await panel().waitFor({ state: 'detached' });
    assert.equal(await row.inputValue(), '{"text_guidance":1,"similarity":2,"speed":1.2}');
  });

  it('chooses a language with the arrow keys and Enter', async () => {
    await open('language');
    await untilFocused('.red-ui-popover-panel select');
    await press('Home');
    await press('Enter');
    await panel().waitFor({ state: 'detached' });
    await untilFocused(`#${expandOf('language')}`);
    assert.notEqual(await editor().page.locator('#node-input-language').inputValue(), 'de');
  });

  it('moves with its row when a note above the row gets longer', async () => {
    const { page } = editor();
    const text = 'No voice speaks this language. '.repeat(8).trim();
    await page.route('**/herald/voices', (call) =>
      call.fulfill({ json: { error: { code: 'bad-request', message: text } } }),
    );
    await open('language');
    await untilFocused('.red-ui-popover-panel select');
    await page.waitForFunction('$.timers.length === 0');
    const button = page.locator(`#${expandOf('language')}`);
    const tops = () =>
      Promise.all([button, panel()].map(async (part) => (await part.boundingBox())?.y ?? NaN));
    const [row = NaN, shown = NaN] = await tops();
    await press('ArrowDown');
    await page.getByText(text).waitFor();
    await until(async () => {
      const [nextRow = NaN, next = NaN] = await tops();
      return nextRow > row && Math.abs(next - shown - (nextRow - row)) < 1;
    });
    await press('Escape');
  });

  it('gives the focus back to the button of the row when the JSON editor closes', async () => {
    await open('pronunciations');
    await editor().page.locator('#node-input-json-reformat').waitFor();
    await editor().page.locator('#node-dialog-cancel').click();
    await editor().page.locator('#node-input-json-reformat').waitFor({ state: 'detached' });
    await untilFocused(`#${expandOf('pronunciations')}`);
    assert.equal(await tray().count(), 1);
  });

  it('keeps no listener of a dialog that opened above it and closed', async () => {
    const { page } = editor();
    await page.evaluate(`{
      const { on, off } = RED.events;
      globalThis.kept = new Set();
      Object.assign(RED.events, {
        on: (name, listener) => { if (name === 'editor:change') kept.add(listener); on(name, listener); },
        off: (name, listener) => { kept.delete(listener); off(name, listener); },
      });
    }`);
    await page.evaluate(`RED.editor.editConfig('', 'herald-account', 'account')`);
    await page.waitForFunction('kept.size > 0');
    await page.locator('#node-config-dialog-cancel').click();
    await page.locator('#node-config-dialog-cancel').waitFor({ state: 'detached' });
    await page.locator('#node-dialog-cancel').waitFor();
    assert.equal(await page.evaluate('kept.size'), 0);
  });
});
