import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { z } from '@herald-speech/client';
import { describeInBrowser, VIEWPORT } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import type { FlowNode } from '../../support/node-red/node-red.js';
import { flowNames } from './built.js';
import { openFolds } from './folds.js';
import { accountOf, nodeOf, speakerOf } from './saved.js';

const KEY = 'sk-Nobody/may+see=this';
/** The latest entry in the editor's history, which names the changed fields. */
const LAST_CHANGE = 'JSON.stringify(RED.history.peek()?.changes)';
/** Returns the elements that reach beyond the form. */
const BEYOND_EDGE = `{
  const edge = document.querySelector('.herald-form').getBoundingClientRect().right;
  [...document.querySelectorAll('.herald-form, .herald-form *')]
    .filter((element) => element.getBoundingClientRect().right > edge + 1)
    .map((element) => element.outerHTML);
}`;
const axe = createRequire(__filename).resolve('axe-core/axe.min.js');
/** The dialogs with the contrast rule of axe, which takes most of its time. `legible.test.ts` measures the contrasts of all dialogs. */
const CONTRAST: readonly string[] = ['account', 'every source'];

const account = accountOf({
  service: 'hosted',
  url: 'http://127.0.0.1:9',
  credentials: { apiKey: KEY },
  pronunciations: [{ word: 'GmbH', replacement: 'Gesellschaft', language: 'de' }],
});
const flows: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  account,
  speakerOf(),
  ...flowNames.map((name, index) => nodeOf(name, name, index)),
  {
    ...nodeOf('every source', 'text-to-speech', flowNames.length),
    text: 'flow.text',
    textType: 'flow',
    voice_id: 'VOICE',
    voice_idType: 'env',
    style: 'payload.mood',
    styleType: 'msg',
    model: '"main_" & payload',
    modelType: 'jsonata',
    voice_settings: '{"speed":1.5}',
    include_phonemes: 'true',
    include_phonemesType: 'bool',
  },
];

describeInBrowser('dialog of a node', () => {
  const { nodeRed, editor, show } = useSharedEditor(flows);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  /** Returns a node as the editor would save it. */
  const savedOf = async (id: string) =>
    z
      .looseObject({})
      .parse(await editor().page.evaluate(`RED.nodes.convertNode(RED.nodes.node('${id}'), false)`));
  const isChanged = async (id: string) =>
    Boolean(await editor().page.evaluate(`RED.nodes.node('${id}').changed`));
  const field = (property: string) => editor().page.locator(`#node-input-${property}-value`);

  describe('of each type, which the user opens and confirms', () => {
    const visits: Visit[] = [];
    before(async () => {
      // Other tests have changed the account without a deploy.
      await show(flows);
      await editor().page.addScriptTag({ path: axe });
      // A narrow dialog has all that a wide one has, and must also fit.
      await editor().page.setViewportSize({ width: 400, height: 900 });
      await editor().page.evaluate(`RED.actions.invoke('core:toggle-sidebar')`);
      for (const { id } of flows.slice(1)) visits.push(await visit(id));
      await editor().page.evaluate(`RED.actions.invoke('core:toggle-sidebar')`);
      await editor().page.setViewportSize(VIEWPORT);
    });

    async function visit(id: string): Promise<Visit> {
      const earlier = await savedOf(id);
      await editor().open(id);
      await openFolds(editor().page);
      const rules = { 'color-contrast': { enabled: CONTRAST.includes(id) } };
      const found = await editor().page.evaluate(
        `axe.run('.herald-form', ${JSON.stringify({ resultTypes: ['violations'], rules })})`,
      );
      const wide = await editor().page.evaluate(BEYOND_EDGE);
      await editor().done();
      const { violations } = axeReport.parse(found);
      const changed = (await isChanged(id)) ? await editor().page.evaluate(LAST_CHANGE) : undefined;
      return { id, earlier, later: await savedOf(id), changed, violations, wide };
    }

    it('keeps each property if the user changes nothing', () => {
      for (const { id, earlier, later, changed } of visits) {
        assert.deepEqual(later, earlier, id);
        assert.equal(changed, undefined, id);
      }
    });

    it('shows all fields within its width in a narrow window', () => {
      for (const { id, wide } of visits) assert.deepEqual(wide, [], id);
    });

    it('has no accessibility violations', () => {
      for (const { id, violations } of visits) {
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
          [],
          id,
        );
      }
    });
  });

  it('saves and deploys typed and selected values', async () => {
    await editor().open('text-to-speech');
    await field('voice_id').fill('slt');
    await pick('output', 'File');
    await field('filename').fill('hello.mp3');
    await openFolds(editor().page);
    await pick('output_format', 'MP3');
    await editor().done();
    await editor().deploy();
    const stored = (await nodeRed().flows()).find(({ id }) => id === 'text-to-speech');
    const edited = {
      voice_id: 'slt',
      voice_idType: 'str',
      output: 'file',
      filename: 'hello.mp3',
      output_format: 'mp3',
    };
    assert.deepEqual({ ...stored, ...edited }, stored);
  });

  it('shows the file name only for a file and the base URL only for a URL', async () => {
    await editor().open('text-to-speech');
    await pick('output', 'URL');
    assert.deepEqual(
      [await field('base_url').isVisible(), await field('filename').isVisible()],
      [true, false],
    );
  });

  it('saves each voice setting as its panel shows it, and names setting and range of an invalid one, as the row and the node do', async () => {
    await editor().open('every source');
    await openFolds(editor().page);
    const open = () => editor().page.locator('#node-input-voice_settings-expand').click();
    const panel = editor().page.locator('.herald-settings');
    const setting = (label: string) => panel.getByLabel(label);
    const settings = () => editor().page.locator('#node-input-voice_settings').inputValue();
    await open();
    assert.equal(await setting('Speed').inputValue(), '1.5');
    await setting('Similarity').fill('4');
    await setting('Pitch (semitones)').fill('');
    await setting('Speed').fill('');
    assert.equal(await settings(), '{"similarity":4}');
    await setting('Speed').pressSequentially('25');
    assert.equal(await settings(), '{"similarity":4,"speed":25}');
    assert.deepEqual(await panel.locator('.herald-problem:not(:empty)').allTextContents(), [
      'Speed: enter a number from 0.5 to 2.',
    ]);
    assert.match((await setting('Speed').getAttribute('class')) ?? '', /input-error/);
    for (const label of ['Pitch (semitones)', 'Pitch variance', 'Duration']) await setting(label).fill('-');
    const { y = 0, height = 0 } = (await panel.boundingBox()) ?? {};
    assert.ok(height > 0 && y + height <= (editor().page.viewportSize()?.height ?? 0), 'in the window');
    for (const label of ['Pitch (semitones)', 'Pitch variance', 'Duration']) await setting(label).fill('');
    await field('voice_settings').click();
    await panel.waitFor({ state: 'detached' });
    const problem = 'Voice settings: enter a number from 0.5 to 2 for speed.';
    assert.equal(await editor().page.locator('#node-input-voice_settings-problem').textContent(), problem);
    await open();
    assert.equal(await setting('Speed').inputValue(), '25');
    await setting('Speed').fill('fast');
    assert.equal(await settings(), '{"similarity":4,"speed":"fast"}');
    await setting('Speed').fill('25');
    await field('voice_settings').click();
    await editor().done();
    const { voice_settings } = await savedOf('every source');
    assert.equal(voice_settings, '{"similarity":4,"speed":25}');
    assert.equal(await editor().page.evaluate("RED.nodes.node('every source').valid"), false);
  });

  it('changes no voice settings that their panel cannot show, and says why', async () => {
    await editor().open('every source');
    await openFolds(editor().page);
    await field('voice_settings').fill('{"speed":');
    await editor().page.locator('#node-input-voice_settings-expand').click();
    const panel = editor().page.locator('.herald-settings');
    await panel.getByText('Voice settings: enter a JSON object such as {"speed": 1.2}.').waitFor();
    assert.equal(await panel.locator('input:enabled').count(), 0);
  });

  it('marks invalid voice settings', async () => {
    await editor().open('every source');
    await openFolds(editor().page);
    await field('voice_settings').fill('{"speed":3}');
    await editor().page.keyboard.press('Tab');
    await editor().page.locator('.red-ui-typedInput-container.input-error').waitFor();
  });

  it('shows the problem of a base URL while the user types', async () => {
    await editor().open('account');
    await editor().page.locator('#node-config-input-service').selectOption('hosted');
    const problem = editor().page.locator('#herald-url-problem');
    await editor().page.locator('#node-config-input-url').fill('speech.example.com');
    assert.equal(
      await problem.textContent(),
      'Base URL: start with http:// or https://, such as https://speech.example.com.',
    );
    await editor().page.locator('#node-config-input-url').fill('https://speech.example.com');
    assert.equal(await problem.textContent(), '');
    assert.match(
      (await editor().page.locator('#herald-where').textContent()) ?? '',
      /the key to speech\.example\.com/,
    );
  });

  it('hides base URL, key and rate limit for the local service', async () => {
    await editor().open('account');
    await editor().page.locator('#node-config-input-service').selectOption('local');
    for (const hidden of ['url', 'apiKey', 'rate']) {
      assert.equal(await editor().page.locator(`#node-config-input-${hidden}`).isVisible(), false, hidden);
    }
    await editor().done();
    assert.equal(
      await editor().page.evaluate(`RED.utils.getNodeLabel(RED.nodes.node('account'))`),
      'Local service',
    );
  });

  it('saves a rate limit that is not in the list', async () => {
    await editor().open('account');
    await editor().page.locator('#node-config-input-service').selectOption('hosted');
    await openFolds(editor().page);
    await editor().page.locator('#node-config-input-rate').selectOption('other');
    await editor().page.locator('#node-config-input-requestsPerMinute').fill('45');
    await editor().done();
    assert.equal((await savedOf('account'))['requestsPerMinute'], '45');
  });

  it('sends the key neither to the browser nor in an export', async () => {
    await editor().open('account');
    assert.equal(await editor().page.locator('#node-config-input-apiKey').inputValue(), '__PWRD__');
    await editor().done();
    const flow = await editor().page.evaluate(
      'JSON.stringify(RED.nodes.createCompleteNodeSet({ credentials: true }))',
    );
    assert.ok(!String(flow).includes(KEY));
    assert.ok(!JSON.stringify(await nodeRed().flows()).includes(KEY));
  });

  it('labels the outputs and provides help', async () => {
    const labels = await editor().page.evaluate(
      `[0, 1, 2, 3].map((port) => RED.nodes.getType('herald-credits').outputLabels(port))`,
    );
    assert.deepEqual(labels, ['done', 'retryable', 'fatal', 'out of credits']);
    const help = await editor().page.evaluate(`RED.nodes.getNodeHelp('herald-credits')`);
    assert.match(String(help), /Reads the credit balance/);
  });

  const pick = (property: string, option: string) => editor().chooseOption(`#node-input-${property}`, option);
});

/** A dialog that was opened and confirmed, with the node as the editor saves it, and the report of axe. */
interface Visit {
  id: string;
  earlier: object;
  later: object;
  /** The fields that the editor would save with other values, as JSON. */
  changed: unknown;
  violations: z.output<typeof axeReport>['violations'];
  /** The elements that reach beyond the form. */
  wide: unknown;
}

const axeReport = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});
