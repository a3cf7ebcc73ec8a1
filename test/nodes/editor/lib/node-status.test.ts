import assert from 'node:assert/strict';
import {
  describeInBrowser,
  type Editor,
  openEditor,
  sharedBrowser,
} from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { until } from '../../../support/waiting.js';
import { accountOf, nodeOf, pressOf } from '../saved.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  pressOf('press', 'tts'),
  pressOf('empty', 'blank'),
  { ...nodeOf('tts', 'text-to-speech', 0), output: 'file', filename: '/no/such/folder/hello.wav', wires: [] },
  { ...nodeOf('blank', 'text-to-speech', 1), text: '?', textType: 'str', wires: [] },
  { id: 'status-of', type: 'status', z: 'tab', x: 100, y: 300, scope: ['tts'], wires: [['show']] },
  {
    id: 'show',
    type: 'debug',
    z: 'tab',
    x: 300,
    y: 300,
    active: true,
    tosidebar: false,
    console: true,
    complete: 'status.text',
    targetType: 'msg',
    wires: [],
  },
];

/** The statuses of the two nodes by the language of the browser. */
const texts = {
  'de-AT': ['Ordner fehlt', 'Text leer'],
  'en-US': ['Folder missing', 'Text blank'],
  'es-MX': ['Falta la carpeta', 'Texto vacío'],
};

const shown = `JSON.stringify(['tts', 'blank'].map(
  (id) => document.querySelector('#' + id + ' .red-ui-flow-node-status-label')?.textContent,
))`;

describeInBrowser('the status of a node', () => {
  const { nodeRed, editor: english } = useSharedEditor(flows);
  const editors: Editor[] = [];
  after(() => Promise.all(editors.map((editor) => editor.close())));

  const open = async (locale: string) => {
    const editor = await openEditor(await sharedBrowser(), nodeRed().url, { locale });
    editors.push(editor);
    return editor;
  };
  const untilShown = async ({ page, problems }: Editor, locale: keyof typeof texts) => {
    await page.waitForFunction(`${shown} === ${JSON.stringify(JSON.stringify(texts[locale]))}`);
    assert.deepEqual(problems, []);
  };

  it('appears in the language of each editor, and in a Status node in the one of Node-RED', async () => {
    const german = await open('de-AT');
    for (const id of ['press', 'empty']) await nodeRed().inject(id);
    await untilShown(german, 'de-AT');
    await untilShown(english(), 'en-US');
    await until(() => nodeRed().log().includes('Folder missing'));
    assert.ok(!nodeRed().log().includes('Ordner fehlt'));
  });

  it('appears in the language of an editor that opens later, and after a reload', async () => {
    const spanish = await open('es-MX');
    await untilShown(spanish, 'es-MX');
    await spanish.page.reload();
    await untilShown(spanish, 'es-MX');
  });
});

describeInBrowser('the error of a node without a wire at its output', () => {
  const { nodeRed, editor } = useSharedEditor(flows);

  it('can be read in the debug sidebar and in the log, as a sentence without the name of a class', async () => {
    await editor().page.evaluate(`RED.actions.invoke('core:show-debug-tab')`);
    await nodeRed().inject('empty');
    const sentence = 'Text (text) is "?": expected a text with at least one letter or digit';
    await editor().page.locator('.red-ui-debug-msg-payload', { hasText: sentence }).first().waitFor();
    await until(() => nodeRed().log().includes(`[herald-text-to-speech:blank] ${sentence}`));
    assert.deepEqual(editor().problems, []);
  });
});
