import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { z } from '@herald-speech/client';
import type { Request } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { type Script, withServer } from '../../../support/net/scripted-server.js';
import { watchSound } from '../../../support/browser/sound-watch.js';
import { until } from '../../../support/waiting.js';
import { goodService, voiceOf } from '../../admin/asking.js';
import { openFolds } from '../folds.js';
import { untilQuiet } from '../quiet.js';
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
  nodeOf('other', 'text-to-speech', 1),
  { ...nodeOf('hosted', 'predict-duration', 2), account: 'typed' },
  { ...nodeOf('saved', 'predict-duration', 3), account: 'typed', voice_id: 'saved-voice' },
  { ...nodeOf('mine', 'custom-voices', 5), action: 'get', voice_id: 'unknown-voice' },
  { ...nodeOf('search', 'voice-search', 4), gender: 'female', age: 'payload', ageType: 'msg' },
];

describeInBrowser('voice picker', () => {
  const all = [...flows, accountOf(), accountOf({ id: 'typed' })];
  const { nodeRed, editor, show } = useSharedEditor(all);
  before(async () => {
    await watchSound(editor().page);
    await editor().page.addScriptTag({ path: axe });
  });
  afterEach(() => assert.deepEqual(editor().problems.splice(0), []));

  const page = () => editor().page;
  const picker = () => page().locator('.herald-picker');
  const rows = () => page().locator('.herald-voice-row');
  const named = (name: string) => rows().filter({ has: page().getByText(name, { exact: true }) });
  const button = (name: string | RegExp) => page().getByRole('button', { name });
  const field = (property: string) => page().locator(`#node-input-${property}-value`);
  /** Presses a key after `fill`: a typed input only reacts to key events. */
  const type = async (property: string, text: string) => {
    await field(property).fill(text);
    await field(property).press('End');
  };
  const note = () => page().locator('.herald-voice-notes > [role=status]');
  const openPicker = async () => {
    await button('Find a voice').click();
    await rows().first().waitFor();
  };
  /** Opens the dialog of a node in place of any other. */
  const visit = async (id: string) => {
    await editor().cancel();
    await editor().open(id);
    await openFolds(page());
  };
  /** Shows a dialog of text to speech with blank fields and without the picker. The tests share the dialog. */
  const blankDialog = async () => {
    if ((await page().evaluate('document.activeElement.closest(".red-ui-tray")?.isConnected')) !== true)
      await visit('tts');
    if ((await picker().count()) > 0) await button('Find a voice').click();
    for (const property of ['voice_id', 'language', 'style', 'model'])
      if ((await field(property).inputValue()) !== '') await type(property, '');
  };
  /** Opens a node whose account has other values in the editor than on the server. */
  const visitHosted = async (id: string, url: string) => {
    const account = { service: 'hosted', url, credentials: { apiKey: 'typed' }, changed: true };
    await page().evaluate(`Object.assign(RED.nodes.node('typed'), ${JSON.stringify(account)})`);
    await visit(id);
  };
  /** Returns the suggested values of a field. */
  const offered = async (property: string) =>
    z
      .array(z.string())
      .parse(
        await page().evaluate(
          `[...document.getElementById(document.getElementById('node-input-${property}-value').getAttribute('list')).options].map(({ value }) => value)`,
        ),
      );
  const violations = async (): Promise<unknown[]> => {
    const found = await page().evaluate(`axe.run('.herald-form', { resultTypes: ['violations'] })`);
    return z.looseObject({ violations: z.array(z.unknown()) }).parse(found).violations;
  };
  const untilPlaying = (count: number) =>
    page().waitForFunction(`played.filter((event) => event === 'playing').length === ${count}`);

  describe('for a node with the local service', () => {
    before(() => visit('tts'));
    beforeEach(blankDialog);

    it('searches while the user types, filters by values, and plays each sample without accessibility violations', async () => {
      await openPicker();
      await page().getByRole('searchbox').fill('phone');
      await named('Calvin on the phone').waitFor();
      await rows().nth(1).waitFor({ state: 'detached' });
      await page().getByRole('searchbox').fill('');
      await page().getByLabel('any gender').selectOption('female');
      await named('Selma').waitFor();
      assert.equal(await rows().filter({ hasText: 'rms' }).count(), 0);
      assert.deepEqual(
        await page()
          .locator('.herald-facets select')
          .evaluateAll((lists) => lists.map(({ ariaLabel }) => ariaLabel)),
        ['Any language', 'Any gender', 'Any age', 'Any use', 'Any style'],
      );
      await button('Play a sample of Selma').click();
      await untilPlaying(1);
      await button(/^All \d+ samples of Selma$/).click();
      await button('English · happy · main_speech_2_flash').click();
      await untilPlaying(2);
      assert.deepEqual(await violations(), []);
    });

    it('works with the keyboard alone', async () => {
      await button('Find a voice').focus();
      await page().keyboard.press('Enter');
      await rows().first().waitFor();
      await page().keyboard.type('rms');
      await page().keyboard.press('Enter');
      await rows().nth(1).waitFor({ state: 'detached' });
      await page().keyboard.press('ArrowDown');
      await page().keyboard.press('Tab');
      // The pause of the search field ends before a later timer. Its end must not take the focus from the list.
      await page().evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
      assert.equal(await page().evaluate('document.activeElement.title'), 'Play a sample of Russell');
      await page().keyboard.press('ArrowUp');
      assert.equal(await page().evaluate('document.activeElement.type'), 'search');
      await page().keyboard.press('Enter');
      await page().keyboard.press('Enter');
      assert.equal(await field('voice_id').inputValue(), 'rms');
      assert.equal(await page().evaluate('document.activeElement.title'), 'Find a voice');
      await page().keyboard.press('Enter');
      await rows().first().waitFor();
      await page().keyboard.press('Escape');
      assert.equal(await picker().count(), 0);
      assert.equal(await page().evaluate('document.activeElement.title'), 'Find a voice');
    });

    it('sets the language to a language of the chosen voice, and narrows the list to a typed language', async () => {
      await openPicker();
      await page().getByRole('searchbox').fill('german female');
      await rows().getByRole('button').filter({ hasText: 'de-anna' }).click();
      assert.equal(await field('language').inputValue(), 'German');
      await note().filter({ hasText: 'Anna · female · young adult · German' }).waitFor();
      await openPicker();
      assert.deepEqual(await rows().locator('strong').allTextContents(), ['Anna', 'Lukas', 'Mia']);
      await page().getByLabel('Any language').selectOption('');
      await named('Russell').waitFor();
      await rows().getByRole('button').filter({ hasText: 'rms' }).click();
      assert.equal(await field('language').inputValue(), 'English');
    });

    it('starts with the voices of the language of the account', async () => {
      await page().evaluate(`RED.nodes.node('account').language = 'de'`);
      await openPicker();
      const names = await rows().locator('strong').allTextContents();
      assert.deepEqual(names.slice(0, 3), ['Anna', 'Lukas', 'Mia']);
      assert.ok(names.includes('Russell'), 'the other voices follow');
      await page().evaluate(`RED.nodes.node('account').language = ''`);
    });

    it('shows the chosen voice in view, also far down the list', async () => {
      await type('language', 'en');
      await openPicker();
      const last = (await rows().last().locator('code').textContent()) ?? '';
      await button('Find a voice').click();
      await type('voice_id', last);
      await openPicker();
      await page().waitForFunction(`(() => {
        const chosen = document.querySelector('.herald-voice[aria-current=true]')?.getBoundingClientRect();
        const list = document.querySelector('.herald-voices').getBoundingClientRect();
        return chosen?.top >= list.top - 1 && chosen.bottom <= list.bottom + 1;
      })()`);
    });

    it('suggests only values of the voice or of the default voice of the language, and marks unsupported ones', async () => {
      await type('voice_id', 'slt');
      await note().filter({ hasText: 'Selma · female' }).waitFor();
      assert.deepEqual(await offered('language'), ['English']);
      assert.ok((await offered('style')).includes('happy'));
      await type('style', 'whispering');
      await page().getByText('Selma has no style “whispering” in this language.').waitFor();
      await type('language', 'fr');
      await page().getByText('Selma speaks only English. Choose a voice that speaks French.').waitFor();
      await type('voice_id', '');
      await note().filter({ hasText: 'Camille' }).waitFor();
    });

    it('disables voice settings that the model or the local service does not support, and shows the reason', async () => {
      await type('model', 'compact_api_3');
      await page().keyboard.press('Tab');
      await untilQuiet(page());
      await page().locator('#node-input-voice_settings-expand').click();
      const panel = page().locator('.herald-settings');
      const label = (name: string) => panel.locator('label', { hasText: name }).textContent();
      assert.equal(await panel.getByLabel('Speed').isEnabled(), true);
      assert.equal(await panel.getByLabel('Pitch variance').isEnabled(), false);
      assert.match((await label('Pitch variance')) ?? '', /compact_api_3 does not support this setting/);
      assert.equal(await panel.getByLabel('Similarity').isEnabled(), false);
      assert.match((await label('Similarity')) ?? '', /the local service does not support this setting/);
    });
  });

  it('plays a custom voice, which has no sample, with a sentence in the language of the form', async () => {
    const script: Script = (request, index) => {
      if (request.path === '/v1/custom-voices/search')
        return { body: { items: [{ voice_id: 'mine', name: 'Grandmother', description: '' }] } };
      return request.path === '/v1/voices/search' ? { body: { items: [] } } : goodService(request, index);
    };
    await withServer(script, async ({ url, requests }) => {
      await visitHosted('hosted', url);
      await type('language', 'de');
      await openPicker();
      await button('Play a sample of Grandmother (the service charges the sentence)').click();
      await until(() => requests.some(({ path }) => path === '/v1/text-to-speech/mine'));
      const spoken = requests.find(({ path }) => path === '/v1/text-to-speech/mine');
      assert.deepEqual(
        [spoken?.json['language'], spoken?.json['text']],
        ['de', 'Hallo! So klingt meine Stimme.'],
      );
      await page().locator('.herald-play[aria-pressed=true]').waitFor();
      assert.equal(await button(/All .* samples/).count(), 0);
    });
    await editor().cancel();
  });

  it('marks a language that the chosen voice does not speak, its section and the confirmed node, until the language fits', async () => {
    const isMarked = (property: string) =>
      page().evaluate(
        `document.querySelector('#node-input-${property} + .red-ui-typedInput-container').matches('.input-error')`,
      );
    const mark = page().locator('[data-fold=voice] > summary').getByRole('img');
    const isValid = () => page().evaluate(`RED.nodes.node('other').valid`);
    await visit('other');
    await type('voice_id', 'slt');
    await type('language', 'fr');
    await page().getByText('Selma speaks only English. Choose a voice that speaks French.').waitFor();
    await mark.waitFor();
    assert.equal(await isMarked('language'), true);
    assert.equal(await field('language').getAttribute('aria-invalid'), 'true');
    await editor().done();
    assert.equal(await isValid(), false);
    // As Node-RED does for each node of an account that was edited.
    const validateAgain = (changes: object) =>
      page().evaluate(
        `RED.editor.validateNode(Object.assign(RED.nodes.node('other'), ${JSON.stringify(changes)}))`,
      );
    assert.equal(await validateAgain({}), false);
    assert.equal(await validateAgain({ language: 'en' }), true);
    assert.equal(await validateAgain({ language: 'fr' }), false);
    await visit('other');
    await mark.waitFor();
    await type('language', 'en-GB');
    await openPicker();
    await named('Selma').locator('.herald-voice').click();
    assert.equal(await page().locator('#node-input-language').inputValue(), 'en-GB');
    await note().filter({ hasText: 'Selma · female' }).waitFor();
    await mark.waitFor({ state: 'detached' });
    assert.equal(await isMarked('language'), false);
    await type('style', 'whispering');
    await page().getByText('Selma has no style “whispering” in this language.').waitFor();
    assert.equal(await isMarked('style'), true);
    await type('style', '');
    await editor().done();
    assert.equal(await isValid(), true);
  });

  it('marks no value because of the default voice, which a message can replace', async () => {
    await visit('other');
    await type('voice_id', '');
    await type('style', 'whispering');
    await page()
      .getByText(/has no style “whispering” in this language\./)
      .waitFor();
    assert.equal(await field('style').getAttribute('aria-invalid'), null);
    await editor().cancel();
  });

  it('reports an unknown voice id and keeps it', async () => {
    await visit('other');
    await type('voice_id', 'unknown-voice');
    await note().filter({ hasText: 'Voice “unknown-voice”: not found' }).waitFor();
    await editor().done();
    assert.equal(await page().evaluate(`RED.nodes.node('other').voice_id`), 'unknown-voice');
  });

  it('offers no default of the account for the required voice of an action on a custom voice', async () => {
    await visit('mine');
    await note().filter({ hasText: 'unknown-voice' }).waitFor();
    const lookedUp: string[] = [];
    const record = (request: Request) => {
      if (request.url().endsWith('/herald/voices')) lookedUp.push(request.postData() ?? '');
    };
    page().on('request', record);
    await type('voice_id', '');
    await note().filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    // The timer of a lookup is an earlier one, so it ends before this one.
    await page().evaluate('new Promise((resolve) => setTimeout(resolve, 1000))');
    page().off('request', record);
    assert.deepEqual(lookedUp, []);
    await editor().cancel();
  });

  it('keeps the saved voice and reports an unreachable service', async () => {
    await visitHosted('saved', 'http://127.0.0.1:9');
    await button('Find a voice').click();
    await note().filter({ hasText: 'Voice not changed. Connection refused' }).waitFor();
    await page().getByText('You can also type a voice ID.').waitFor();
    assert.equal(await field('voice_id').inputValue(), 'saved-voice');
    assert.equal((await offered('language')).length, 31);
    await editor().done();
    assert.equal(await page().evaluate(`RED.nodes.node('saved').voice_id`), 'saved-voice');
  });

  it('lists voices of a hosted account with the typed key, custom voices first', () =>
    withServer(goodService, async ({ url, requests }) => {
      await visitHosted('hosted', url);
      await openPicker();
      assert.deepEqual(await rows().locator('strong').allTextContents(), ['Mine', 'anna']);
      assert.match((await rows().first().textContent()) ?? '', /custom/);
      assert.deepEqual(
        requests.filter(({ headers }) => headers['x-sup-api-key'] !== 'typed').map(({ path }) => path),
        [],
      );
    }));

  it('searches on the service if it has more voices than the list, also for a text typed before the list', () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const script: Script = async ({ path, query }, index) => {
      if (path.startsWith('/v1/custom')) return { body: { items: [] } };
      const name = query.get('name');
      if (name !== null) return { body: { items: [voiceOf('found', { name: `by ${name}` })] } };
      await asked;
      return { body: { items: [voiceOf(`voice-${index}`)], next_page_token: String(index) } };
    };
    return withServer(script, async ({ url }) => {
      await visitHosted('hosted', url);
      await button('Find a voice').click();
      await page().getByRole('searchbox').fill('early');
      await page().getByRole('searchbox').press('Enter');
      await picker().getByText('Searching').waitFor();
      answer();
      await named('by early').waitFor();
      await page().getByText('More voices exist: search by name').waitFor();
      await page().getByRole('searchbox').fill('anna');
      await named('by anna').waitFor();
    });
  });

  it('lists below a voice search the voices that its filters find, and offers values for the filters', async () => {
    await visit('search');
    await button('Show voices').click();
    await named('Selma').waitFor();
    assert.equal(await rows().filter({ hasText: 'rms' }).count(), 0);
    await page().getByText('Not used here, because the value comes from a message: Age.').waitFor();
    await field('language').focus();
    const german = '#node-input-language-offers option[value=German]';
    await page().locator(german).waitFor({ state: 'attached' });
    assert.equal(await page().evaluate(`document.querySelector('${german}').label`), 'German · Deutsch · de');
    await type('language', 'german');
    await type('gender', 'Female');
    await button('Show voices').click();
    await named('Selma').waitFor({ state: 'detached' });
    assert.deepEqual(await rows().locator('strong').allTextContents(), ['Anna', 'Mia']);
    assert.deepEqual(await violations(), []);
  });

  describe('before the first deploy', () => {
    it('lists local voices; the chosen voice speaks after the deploy', async () => {
      await show([tab]);
      await page().evaluate(`RED.nodes.import(${JSON.stringify(all.slice(1))})`);
      await editor().open('tts');
      await openPicker();
      await rows().getByRole('button').filter({ hasText: 'slt' }).click();
      assert.equal(await field('voice_id').inputValue(), 'slt');
      await editor().done();
      await editor().deploy();
      await nodeRed().inject('say');
      await until(() => nodeRed().log().includes("voice_id: 'slt'"), nodeRed().log);
    });
  });
});
