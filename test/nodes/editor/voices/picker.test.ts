import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useEditor } from '../../../support/browser/editor-session.js';
import { type Script, withServer } from '../../../support/net/scripted-server.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { goodService, voiceOf } from '../../admin/asking.js';
import { openFolds } from '../folds.js';
import { accountOf, nodeOf, pressOf } from '../saved.js';

const axe = createRequire(__filename).resolve('axe-core/axe.min.js');
const tab = { id: 'tab', type: 'tab', label: 'Speech' };
const flows = [
  tab,
  pressOf('say', 'tts'),
  { ...nodeOf('tts', 'text-to-speech', 0), wires: [['heard'], [], [], []] },
  {
    id: 'heard',
    type: 'debug',
    z: 'tab',
    x: 500,
    y: 60,
    active: true,
    tosidebar: false,
    console: true,
    complete: 'speech',
    targetType: 'msg',
    wires: [],
  },
  nodeOf('predict', 'predict-duration', 1),
  { ...nodeOf('search', 'voice-search', 2), gender: 'female', age: 'payload', ageType: 'msg' },
];

describeInBrowser('voice picker', () => {
  const all = [...flows, accountOf()];
  const { nodeRed, editor, show } = useEditor(all);
  beforeEach(async () => {
    await show(all);
    await watchSound(editor().page);
  });
  afterEach(() => assert.deepEqual(editor().problems, []));

  const rows = () => editor().page.locator('.herald-voice-row');
  const named = (name: string) => rows().filter({ has: editor().page.getByText(name, { exact: true }) });
  const field = (property: string) => editor().page.locator(`#node-input-${property}-value`);
  /** Presses a key after `fill`: a typed input only reacts to key events. */
  const type = async (property: string, text: string) => {
    await field(property).fill(text);
    await field(property).press('End');
  };
  const note = () =>
    editor().page.locator('.herald-with-button:has(#node-input-voice_id) [role=status]').last();
  const openPicker = async () => {
    await editor().page.getByRole('button', { name: 'Find a voice' }).click();
    await rows().first().waitFor();
  };
  /** Changes the account in the editor without a deploy. */
  const typeAccount = (account: object) =>
    editor().page.evaluate(
      `Object.assign(RED.nodes.node('account'), ${JSON.stringify({ ...account, changed: true })})`,
    );
  /** Returns the suggested values of a field. */
  const offered = (property: string) =>
    editor().page.evaluate(
      `[...document.getElementById(document.getElementById('node-input-${property}-value').getAttribute('list')).options].map(({ value }) => value)`,
    );

  it('lists local voices before the first deploy; the chosen voice speaks after it', async function () {
    await show([tab]);
    await editor().page.evaluate(`RED.nodes.import(${JSON.stringify(all.slice(1))})`);
    await editor().open('tts');
    await openPicker();
    await rows().getByRole('button').filter({ hasText: 'slt' }).click();
    assert.equal(await field('voice_id').inputValue(), 'slt');
    await editor().done();
    const started = nodeRed().nextStart();
    await editor().deploy();
    await started;
    await nodeRed().inject('say');
    const late = AbortSignal.timeout(40_000);
    while (!/voice_id: 'slt'/.test(nodeRed().log())) {
      assert.ok(!late.aborted, nodeRed().log());
      await editor().page.waitForTimeout(50);
    }
  });

  it('searches while the user types, and filters by values of the voices', async () => {
    await editor().open('tts');
    await openPicker();
    await editor().page.getByRole('searchbox').fill('phone');
    await named('Calvin on the phone').waitFor();
    await rows().nth(1).waitFor({ state: 'detached' });
    await editor().page.getByRole('searchbox').fill('');
    await editor().page.getByLabel('any gender').selectOption('female');
    await named('Selma').waitFor();
    assert.equal(await rows().filter({ hasText: 'rms' }).count(), 0);
    assert.deepEqual(
      await editor()
        .page.locator('.herald-facets select')
        .evaluateAll((lists) => lists.map(({ ariaLabel }) => ariaLabel)),
      ['Any language', 'Any gender', 'Any age', 'Any use', 'Any style'],
    );
  });

  it('works with the keyboard alone', async () => {
    await editor().open('tts');
    await editor().page.getByRole('button', { name: 'Find a voice' }).focus();
    await editor().page.keyboard.press('Enter');
    await rows().first().waitFor();
    await editor().page.keyboard.type('rms');
    await rows().nth(1).waitFor({ state: 'detached' });
    await editor().page.keyboard.press('ArrowDown');
    await editor().page.keyboard.press('Tab');
    assert.equal(await editor().page.evaluate('document.activeElement.title'), 'Play a sample of Russell');
    await editor().page.keyboard.press('ArrowUp');
    assert.equal(await editor().page.evaluate('document.activeElement.type'), 'search');
    await editor().page.keyboard.press('Enter');
    await editor().page.keyboard.press('Enter');
    assert.equal(await field('voice_id').inputValue(), 'rms');
    assert.equal(await editor().page.evaluate('document.activeElement.title'), 'Find a voice');
    await editor().page.keyboard.press('Enter');
    await rows().first().waitFor();
    await editor().page.keyboard.press('Escape');
    assert.equal(await editor().page.locator('.herald-picker').count(), 0);
    assert.equal(await editor().page.evaluate('document.activeElement.title'), 'Find a voice');
  });

  it('plays the best sample and each other sample of a voice', async function () {
    await editor().open('tts');
    await openPicker();
    await editor().page.getByRole('button', { name: 'Play a sample of Selma' }).click();
    await untilPlayed(editor().page, 1);
    await editor()
      .page.getByRole('button', { name: /^All \d+ samples of Selma$/ })
      .click();
    await editor().page.getByRole('button', { name: 'English · happy · main_speech_2_flash' }).click();
    await untilPlayed(editor().page, 2);
  });

  it('suggests only languages, styles and models of the voice, and marks unsupported ones', async () => {
    await editor().open('tts');
    await openFolds(editor().page);
    await openPicker();
    await rows().getByRole('button').filter({ hasText: 'slt' }).click();
    await note().filter({ hasText: 'Selma · female' }).waitFor();
    assert.deepEqual(await offered('language'), ['en']);
    assert.ok(
      z
        .array(z.string())
        .parse(await offered('style'))
        .includes('happy'),
    );
    await type('language', 'ko');
    await editor().page.getByText('Selma speaks only English. Choose a voice that speaks Korean.').waitFor();
    await type('language', 'en');
    await type('style', 'whispering');
    await editor().page.getByText('Selma has no style “whispering” in this language.').waitFor();
    await editor().done();
  });

  it('sets the language to a language of the chosen voice, and narrows the list to a typed language', async () => {
    await editor().open('tts');
    await openPicker();
    await editor().page.getByRole('searchbox').fill('german female');
    await rows().getByRole('button').filter({ hasText: 'de-anna' }).click();
    assert.equal(await field('language').inputValue(), 'de');
    await note().filter({ hasText: 'Anna · female · young adult · German' }).waitFor();
    await openPicker();
    assert.deepEqual(await rows().locator('strong').allTextContents(), ['Anna', 'Lukas', 'Mia']);
    await editor().page.getByLabel('Any language').selectOption('');
    await named('Russell').waitFor();
    await rows().getByRole('button').filter({ hasText: 'rms' }).click();
    assert.equal(await field('language').inputValue(), 'en');
  });

  it('shows the default voice of a typed language, and the fix for a voice without that language', async () => {
    await editor().open('tts');
    await type('language', 'fr');
    await note().filter({ hasText: 'Camille' }).waitFor();
    await type('voice_id', 'rms');
    await editor()
      .page.getByText('Russell speaks only English. Choose a voice that speaks French.')
      .waitFor();
    await editor().cancel();
  });

  it('disables voice settings that the model or the local service does not support, and shows the reason', async () => {
    await editor().open('tts');
    await openFolds(editor().page);
    await type('model', 'compact_api_3');
    await editor().page.keyboard.press('Tab');
    await editor().page.locator('#node-input-voice_settings-expand').click();
    const panel = editor().page.locator('.herald-settings');
    const label = (name: string) => panel.locator('label', { hasText: name }).textContent();
    assert.equal(await panel.getByLabel('Speed').isEnabled(), true);
    assert.equal(await panel.getByLabel('Pitch variance').isEnabled(), false);
    assert.match((await label('Pitch variance')) ?? '', /compact_api_3 does not support this setting/);
    assert.equal(await panel.getByLabel('Similarity').isEnabled(), false);
    assert.match((await label('Similarity')) ?? '', /the local service does not support this setting/);
  });

  it('reports an unknown voice id and keeps it', async () => {
    await editor().open('tts');
    await type('voice_id', 'unknown-voice');
    await note().filter({ hasText: 'Voice “unknown-voice”: not found' }).waitFor();
    await editor().done();
    assert.equal(await editor().page.evaluate(`RED.nodes.node('tts').voice_id`), 'unknown-voice');
  });

  it('keeps the saved voice and reports an unreachable service', async () => {
    await typeAccount({ service: 'hosted', url: 'http://127.0.0.1:9', credentials: { apiKey: 'typed' } });
    await editor().page.evaluate(`RED.nodes.node('predict').voice_id = 'saved-voice'`);
    await editor().open('predict');
    await note().filter({ hasText: 'Voice not changed. Connection refused' }).waitFor();
    await editor().page.getByRole('button', { name: 'Find a voice' }).click();
    await editor().page.getByText('You can also type a voice ID.').waitFor();
    assert.equal(await field('voice_id').inputValue(), 'saved-voice');
    assert.equal(z.array(z.string()).parse(await offered('language')).length, 31);
    await editor().done();
    assert.equal(await editor().page.evaluate(`RED.nodes.node('predict').voice_id`), 'saved-voice');
  });

  it('lists voices of a hosted account with the typed key, custom voices first', () =>
    withServer(goodService, async ({ url, requests }) => {
      await typeAccount({ service: 'hosted', url, credentials: { apiKey: 'typed' } });
      await editor().open('predict');
      await openPicker();
      assert.deepEqual(await rows().locator('strong').allTextContents(), ['Mine', 'anna']);
      assert.match((await rows().first().textContent()) ?? '', /custom/);
      assert.deepEqual(
        requests.filter(({ headers }) => headers['x-sup-api-key'] !== 'typed').map(({ path }) => path),
        [],
      );
    }));

  it('searches on the service if it has more voices than the list', () => {
    const script: Script = ({ path, query }, index) => {
      if (path.startsWith('/v1/custom')) return { body: { items: [] } };
      const name = query.get('name');
      if (name !== null) return { body: { items: [voiceOf('found', { name: `by ${name}` })] } };
      return { body: { items: [voiceOf(`voice-${index}`)], next_page_token: String(index) } };
    };
    return withServer(script, async ({ url }) => {
      await typeAccount({ service: 'hosted', url, credentials: { apiKey: 'typed' } });
      await editor().open('predict');
      await openPicker();
      await editor().page.getByText('More voices exist: search by name').waitFor();
      await editor().page.getByRole('searchbox').fill('anna');
      await named('by anna').waitFor();
    });
  });

  it('lists below a voice search the voices that its filters find', async () => {
    await editor().open('search');
    await editor().page.getByRole('button', { name: 'Show voices' }).click();
    await named('Selma').waitFor();
    assert.equal(await rows().filter({ hasText: 'rms' }).count(), 0);
    await editor().page.getByText('Not used here, because the value comes from a message: Age.').waitFor();
  });

  it('offers the values of the voices in the filters of a voice search, languages by name', async () => {
    await editor().open('search');
    await field('language').focus();
    await editor().page.waitForFunction(
      `document.querySelector('#node-input-language-offers option[value=de]')`,
    );
    assert.equal(
      await editor().page.evaluate(
        `document.querySelector('#node-input-language-offers option[value=de]').label`,
      ),
      'German',
    );
    await type('language', 'german');
    await type('gender', 'Female');
    await editor().page.getByRole('button', { name: 'Show voices' }).click();
    await named('Anna').waitFor();
    assert.deepEqual(await rows().locator('strong').allTextContents(), ['Anna', 'Mia']);
    await editor().cancel();
  });

  it('has no accessibility violations', async () => {
    await editor().page.addScriptTag({ path: axe });
    await editor().open('tts');
    await openPicker();
    await editor()
      .page.getByRole('button', { name: /^All \d+ samples of Selma$/ })
      .click();
    assert.deepEqual(await violations(), []);
    await editor().cancel();
    await editor().open('search');
    await editor().page.getByRole('button', { name: 'Show voices' }).click();
    await rows().first().waitFor();
    assert.deepEqual(await violations(), []);
  });

  async function violations(): Promise<unknown[]> {
    const found = await editor().page.evaluate(`axe.run('.herald-form', { resultTypes: ['violations'] })`);
    return z.looseObject({ violations: z.array(z.unknown()) }).parse(found).violations;
  }
});
