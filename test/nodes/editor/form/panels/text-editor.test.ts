import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../../support/browser/browser.js';
import { useSharedEditor } from '../../../../support/browser/editor-session.js';
import { accountOf, nodeOf } from '../../saved.js';

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

  it('names the fault of its template below the row and marks row, section and node, whether it is typed in the line or in the panel', async () => {
    const problem = () => editor().page.locator('#node-input-text-problem').textContent();
    const section = editor().page.locator('[data-fold=say]');
    const mark = section.getByRole('img', { name: 'This section has an invalid value.' });
    const isMarked = () =>
      editor().page.evaluate(
        `document.querySelector('#node-input-text + .red-ui-typedInput-container').matches('.input-error')`,
      );
    await editor().open('tts');
    await line().fill('It is {{payload.temperature degrees.');
    assert.equal(await problem(), 'Text: a tag that starts with {{ has no end. Add }} after its name.');
    assert.equal(await line().getAttribute('aria-invalid'), 'true');
    assert.equal(await isMarked(), true);
    await mark.waitFor();
    await editor().page.locator('#node-input-text-expand').click();
    await area().fill('It is {{payload.temperature}} degrees.');
    assert.equal(await problem(), '');
    assert.equal(await isMarked(), false);
    await area().fill('{{#payload}}\nHello');
    assert.equal(await problem(), 'Text: the section payload has no end. Add {{/payload}}.');
    await line().click();
    await editor().done();
    assert.equal(await saved(), '{{#payload}}\nHello');
    assert.equal(await editor().page.evaluate("RED.nodes.node('tts').valid"), false);
  });

  it('can be edited in its line', async () => {
    await editor().open('tts');
    await line().fill('Ready.⏎Steady.');
    await editor().done();
    assert.equal(await saved(), 'Ready.\nSteady.');
  });
});
