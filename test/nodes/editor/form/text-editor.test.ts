import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { accountOf, nodeOf } from '../saved.js';

const text = 'Good morning.\nIt is {{payload.temperature}} degrees.';
const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  { ...nodeOf('tts', 'text-to-speech', 0), text, textType: 'str' },
];

describeInBrowser('a typed text', () => {
  const { editor, show } = useSharedEditor(flows);
  beforeEach(() => show(flows));
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const saved = () => editor().page.evaluate("RED.nodes.node('tts').text");
  const line = () => editor().page.locator('#node-input-text-value');
  const area = () =>
    editor().page.getByRole('textbox', { name: 'Text', exact: true }).and(editor().page.locator('textarea'));

  it('keeps its lines, shown as one line, if the user changes nothing', async () => {
    await editor().open('tts');
    assert.equal(await line().inputValue(), text.replace('\n', '⏎'));
    await editor().done();
    assert.equal(await saved(), text);
    assert.ok(!(await editor().page.evaluate("RED.nodes.node('tts').changed")));
  });

  it('can be edited in several lines in a panel', async () => {
    await editor().open('tts');
    await editor().page.locator('#node-input-text-expand').click();
    assert.equal(await area().inputValue(), text);
    await area().fill('One.\nTwo.\n\nThree.');
    await line().click();
    assert.equal(await line().inputValue(), 'One.⏎Two.⏎⏎Three.');
    await editor().done();
    assert.equal(await saved(), 'One.\nTwo.\n\nThree.');
  });

  it('can be edited in its line', async () => {
    await editor().open('tts');
    await line().fill('Ready.⏎Steady.');
    await editor().done();
    assert.equal(await saved(), 'Ready.\nSteady.');
  });
});
