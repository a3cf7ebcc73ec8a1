import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useEditor } from '../../../support/browser/editor-session.js';
import { openFolds } from '../folds.js';
import { accountOf, nodeOf } from '../saved.js';

/** The saved form of a boolean property that the user of an earlier version left alone. */
const oldFlag = (field: string) => ({ [field]: field, [`${field}Type`]: 'msg' });

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  nodeOf('new', 'text-to-speech', 0),
  {
    ...nodeOf('old', 'text-to-speech', 1),
    ...oldFlag('cache'),
    ...oldFlag('mark'),
    ...oldFlag('create_folder'),
    ...oldFlag('include_phonemes'),
    ...oldFlag('progress_messages'),
    output: 'file',
    filename: 'hello.wav',
  },
  { ...nodeOf('other field', 'text-to-speech', 2), cache: 'useCache', cacheType: 'msg' },
  nodeOf('prompts', 'prompts', 3),
];

describeInBrowser('a boolean property', () => {
  const { editor } = useEditor(flows);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const shown = (property: string) =>
    editor().typedInput(`#node-input-${property}`).locator('.red-ui-typedInput-option-label').textContent();
  const saved = async (id: string, ...names: string[]): Promise<unknown> =>
    editor().page.evaluate(`(({ ${names.join(', ')} }) => [${names.join(', ')}])(RED.nodes.node('${id}'))`);

  for (const id of ['new', 'old'])
    it(`says in a dialog of ${id === 'new' ? 'a new node' : 'an older flow'} that the message decides, and what applies without it`, async () => {
      await editor().open(id);
      await openFolds(editor().page);
      const labels = ['cache', 'mark', 'create_folder', 'include_phonemes', 'progress_messages'].map(shown);
      const [yes, no] = ['From the message, or yes', 'From the message, or no'];
      assert.deepEqual(await Promise.all(labels), [yes, yes, no, no, no]);
    });

  it('keeps its saved form in an older flow if the user changes something else', async () => {
    await editor().open('old');
    await editor().page.locator('#node-input-filename-value').fill('hello.mp3');
    await editor().done();
    assert.deepEqual(await saved('old', 'cache', 'cacheType', 'filename'), ['cache', 'msg', 'hello.mp3']);
  });

  it('has the entries No, Yes and From the message, and saves the chosen one', async () => {
    await editor().open('old');
    await openFolds(editor().page);
    const list = editor().typedInput('#node-input-cache').locator('.red-ui-typedInput-option-trigger');
    await list.click();
    const entries = editor().page.locator('.red-ui-typedInput-options:visible a');
    assert.deepEqual(await entries.allTextContents(), ['No', 'Yes', 'From the message, or yes']);
    await editor().page.keyboard.press('Escape');
    await editor().chooseOption('#node-input-cache', 'No');
    await editor().done();
    assert.deepEqual(await saved('old', 'cache', 'cacheType', 'mark'), ['false', 'bool', 'mark']);
  });

  it('has only No and Yes if no message can set it', async () => {
    await editor().open('prompts');
    await openFolds(editor().page);
    await editor().typedInput('#node-input-resume').locator('.red-ui-typedInput-option-trigger').click();
    const entries = editor().page.locator('.red-ui-typedInput-options:visible a');
    assert.deepEqual(await entries.allTextContents(), ['No', 'Yes']);
    await editor().page.keyboard.press('Escape');
  });

  it('still shows a message field with another name', async () => {
    await editor().open('other field');
    await openFolds(editor().page);
    assert.equal(await editor().page.locator('#node-input-cache-value').inputValue(), 'useCache');
  });
});
