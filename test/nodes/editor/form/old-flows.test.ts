import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
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
  { ...nodeOf('file', 'prompts', 4), ...oldFlag('cache'), csv_file: '/srv/prompts.csv', folder: '/srv' },
  { ...nodeOf('file from a variable', 'prompts', 5), csv_file: 'TABLE', csv_fileType: 'env' },
];

describeInBrowser('a boolean property', () => {
  const { editor } = useSharedEditor(flows);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const shown = (property: string) =>
    editor().typedInput(`#node-input-${property}`).locator('.red-ui-typedInput-option-label').textContent();
  const saved = async (id: string, ...names: string[]): Promise<unknown> =>
    editor().page.evaluate(`(({ ${names.join(', ')} }) => [${names.join(', ')}])(RED.nodes.node('${id}'))`);

  /** Fails unless each list shows that the message decides, and what applies without it. */
  async function assertLabels(): Promise<void> {
    const labels = ['cache', 'mark', 'create_folder', 'include_phonemes', 'progress_messages'].map(shown);
    const [yes, no] = ['From the message, or yes', 'From the message, or no'];
    assert.deepEqual(await Promise.all(labels), [yes, yes, no, no, no]);
  }

  it('says in a dialog of a new node that the message decides, and what applies without it', async () => {
    await editor().open('new');
    await openFolds(editor().page);
    await assertLabels();
  });

  it('has the entries No, Yes and From the message, and keeps its saved form in an older flow if the user changes something else', async () => {
    await editor().open('old');
    await openFolds(editor().page);
    await editor().typedInput('#node-input-cache').locator('.red-ui-typedInput-option-trigger').click();
    const entries = editor().page.locator('.red-ui-typedInput-options:visible a');
    assert.deepEqual(await entries.allTextContents(), ['No', 'Yes', 'From the message, or yes']);
    await editor().page.keyboard.press('Escape');
    await editor().page.locator('#node-input-filename-value').fill('hello.mp3');
    await editor().done();
    assert.deepEqual(await saved('old', 'cache', 'cacheType', 'filename'), ['cache', 'msg', 'hello.mp3']);
  });

  it('says in a dialog of an older flow that the message decides, and what applies without it, and saves another choice', async () => {
    await editor().open('old');
    await openFolds(editor().page);
    await assertLabels();
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

describeInBrowser('the table of prompts', () => {
  const { editor } = useSharedEditor(flows);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const saved = async (id: string): Promise<unknown> =>
    editor().page.evaluate(
      `(({ rows, rowsType, csv_file, csv_fileType }) => [rows, rowsType, csv_file, csv_fileType])(RED.nodes.node('${id}'))`,
    );
  const isShown = (property: string) =>
    editor().page.locator(`.form-row:has(#node-input-${property})`).isVisible();

  it('shows the CSV file of an older flow in the same row, and keeps the flow if the user changes nothing', async () => {
    await editor().open('file');
    assert.equal(await editor().page.locator('#node-input-rows-value').inputValue(), '/srv/prompts.csv');
    assert.equal(await isShown('csv_file'), false);
    await editor().done();
    assert.deepEqual(await saved('file'), ['payload', 'msg', '/srv/prompts.csv', 'str']);
    assert.notEqual(await editor().page.evaluate(`RED.nodes.node('file').changed`), true);
  });

  it('saves a chosen CSV file in its own property, and forgets it for another source', async () => {
    await editor().open('prompts');
    await editor().chooseType('#node-input-rows', 'path');
    await editor().page.locator('#node-input-rows-value').fill('/srv/other.csv');
    await editor().done();
    assert.deepEqual(await saved('prompts'), ['payload', 'msg', '/srv/other.csv', 'str']);
    await editor().open('prompts');
    await editor().chooseType('#node-input-rows', 'msg');
    await editor().page.locator('#node-input-rows-value').fill('table');
    await editor().done();
    assert.deepEqual(await saved('prompts'), ['table', 'msg', '', 'str']);
  });

  it('shows a CSV file from another source in a row of its own', async () => {
    await editor().open('file from a variable');
    assert.deepEqual([await isShown('rows'), await isShown('csv_file')], [true, true]);
    await editor().done();
    assert.deepEqual(await saved('file from a variable'), ['payload', 'msg', 'TABLE', 'env']);
  });
});
