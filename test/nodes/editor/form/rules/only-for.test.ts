import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../../support/browser/browser.js';
import { useSharedEditor } from '../../../../support/browser/editor-session.js';
import { openFolds } from '../../folds.js';
import { accountOf, nodeOf } from '../../saved.js';

const voices = (action: string, index: number) => ({
  ...nodeOf(action, 'custom-voices', index),
  action,
  page_size: '5',
});
const speech = (output: string, index: number) => ({
  ...nodeOf(output, 'text-to-speech', index),
  output,
  filename: '/tmp/',
  base_url: 'house.local',
  volume: '500',
});
const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  voices('get', 0),
  voices('list', 1),
  ...['buffer', 'file', 'url', 'speaker'].map((output, index) => speech(output, 2 + index)),
];

describeInBrowser('a typed value that another property leaves without effect', () => {
  const { editor } = useSharedEditor(flows);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const PAGE_SIZE = 'Page size: enter a number from 10 to 100.';
  const FILE = 'File: add the name of a file after the folder, such as hello.wav.';
  const BASE_URL = 'Base URL: enter a URL such as http://192.168.1.5:1880.';
  const VOLUME = 'Speaker volume (%): enter a number from 0 to 100.';

  it('does not mark its node, which a value with an effect does', async () => {
    const problemsOf = (id: string) => editor().page.evaluate(`RED.nodes.node('${id}').validationErrors`);
    for (const [id, problems] of Object.entries({
      get: [],
      list: [PAGE_SIZE],
      buffer: [],
      file: [FILE],
      url: [BASE_URL],
      speaker: [BASE_URL, VOLUME],
    }))
      assert.deepEqual(await problemsOf(id), problems, id);
  });

  it('has its note and its red border as soon as its row is shown', async () => {
    const { page } = editor();
    const note = () => page.locator('#node-input-page_size-problem').textContent();
    const shown = page.locator('#node-input-page_size-value');
    const red = page.locator('.red-ui-typedInput-container.input-error', { has: shown });
    await editor().open('get');
    await openFolds(page);
    assert.deepEqual([await note(), await shown.isVisible(), await red.count()], ['', false, 0]);
    await editor().chooseOption('#node-input-action', 'List');
    await red.waitFor();
    assert.equal(await note(), PAGE_SIZE);
    await editor().chooseOption('#node-input-action', 'Get');
    await shown.waitFor({ state: 'hidden' });
    assert.deepEqual([await note(), await red.count()], ['', 0]);
  });
});
