import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { refused, type Script, spoken, withServer } from '../../../support/net/scripted-server.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { goodService } from '../../admin/asking.js';
import { openFolds } from '../folds.js';
import { accountOf, nodeOf } from '../saved.js';

const KEY = 'sk-Nobody/may+see=this';
const tab = { id: 'tab', type: 'tab', label: 'Speech' };
const flows = [
  tab,
  nodeOf('tts', 'text-to-speech', 0),
  {
    ...nodeOf('every source', 'text-to-speech', 1),
    text: 'Dinner is ready.',
    textType: 'str',
    style: 'payload.mood',
    styleType: 'msg',
    voice_settings: '{"speed":1.5}',
  },
];
/** A service that reports the charged seconds. */
const charging: Script = (request, index) => {
  if (!request.path.startsWith('/v1/text-to-speech/')) return goodService(request, index);
  const reply = spoken({ seconds: 0.5 });
  return { ...reply, headers: { ...reply.headers, 'x-audio-length': '0.5' } };
};

const ofAccount = { word: 'WLAN', replacement: 'wireless' };
const ofNode = { word: 'Dr.', replacement: 'Doctor', language: 'en' };
const announcement = [
  tab,
  accountOf({ pronunciations: [ofAccount] }),
  {
    ...nodeOf('speaker', 'text-to-speech', 0),
    chime: 'gong',
    silence_before: '0.5',
    output_format: 'twilio',
    pronunciations: JSON.stringify([ofNode]),
    audio_volume: 'audio_volume',
    audio_volumeType: 'msg',
  },
];

describeInBrowser('Test, Language and Try it', () => {
  const all = [...flows, accountOf()];
  const { editor, show } = useSharedEditor(all);
  beforeEach(() => watchSound(editor().page));
  afterEach(() => assert.deepEqual(editor().problems, []));

  const setting = (name: string) => editor().page.locator(`#node-config-input-${name}`);
  const problem = (name: string) => editor().page.locator(`#herald-${name}-problem`);
  const result = (text: string) => editor().page.locator('#herald-test-result', { hasText: text }).waitFor();
  const press = (name: string) => editor().page.getByRole('button', { name, exact: true }).click();
  /** Waits for a note of Try it. The failure shows the note that stands there instead. */
  const note = async (text: string) => {
    const status = editor().page.locator('.herald-try [role=status]');
    const shown = status.filter({ hasText: text }).waitFor();
    await shown.catch(async (cause: unknown) => {
      const state = await editor()
        .page.locator('.herald-try button[data-state]')
        .first()
        .getAttribute('data-state');
      throw new Error(`Try it is ${state} and shows "${await status.textContent()}"`, { cause });
    });
  };
  const typeHosted = async (url: string, key?: string) => {
    await setting('service').selectOption('hosted');
    await setting('url').fill(url);
    if (key !== undefined) await setting('apiKey').fill(key);
  };

  describe('in the dialog of an account before the first deploy', () => {
    before(() => editor().open('account'));
    after(() => editor().cancel());

    it('tests the local service', async () => {
      await press('Test');
      await result('The local service works.');
      await result('free of charge');
      assert.doesNotMatch(
        (await editor().page.locator('#herald-test-result').textContent()) ?? '',
        /Balance/,
      );
    });

    it('names every blank field at once in Test', async () => {
      await typeHosted('');
      await editor().page.evaluate(`document.querySelector('[data-fold=budget]').open = true`);
      await setting('budgetUnit').selectOption('credits');
      await setting('budgetPerDay').fill('100');
      await press('Test');
      await result('Credits per second: enter the price, because the budget counts credits.');
      await problem('url').getByText('Base URL: enter the URL of the service.').waitFor();
      await problem('key').getByText('API key: enter the key of the service.').waitFor();
      await setting('budgetPerDay').fill('');
      await setting('budgetUnit').selectOption('seconds');
    });

    it('reports in Test a missing key and an unreachable service', async () => {
      await typeHosted('http://127.0.0.1:9');
      await press('Test');
      await problem('key').getByText('API key: enter the key of the service.').waitFor();
      await setting('apiKey').fill(KEY);
      await press('Test');
      await result('Base URL: the connection was refused.');
    });

    it('forgets the result of Test when the user chooses another service', async () => {
      await typeHosted('http://127.0.0.1:9', KEY);
      await press('Test');
      await result('Base URL: the connection was refused.');
      await setting('service').selectOption('local');
      assert.equal(await editor().page.locator('#herald-test-result').textContent(), '');
    });

    it('tests a hosted service, and shows balance and rate limit', () =>
      withServer(goodService, async ({ url, requests }) => {
        await typeHosted(url, KEY);
        await press('Test');
        await result('The service accepts the key.');
        await result('Balance: 120 credits.');
        await result('Rate limit: automatic');
        assert.ok(requests.every(({ headers }) => headers['x-sup-api-key'] === KEY));
      }));

    const failing: [condition: string, script: Script, text: string][] = [
      ['refuses the key', () => refused(401), 'API key: the service does not accept this key (401).'],
      [
        'returns a web page',
        () => ({ headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') }),
        'No speech service at this address',
      ],
      ['forbids the request', () => refused(403), 'does not permit this operation (403)'],
    ];
    for (const [condition, script, text] of failing) {
      it(`reports in Test a service that ${condition}`, () =>
        withServer(script, async ({ url }) => {
          await typeHosted(url, KEY);
          await press('Test');
          await result(text);
        }));
    }

    it('suggests 31 languages and accepts any other two letters', async () => {
      assert.equal(await editor().page.locator('#herald-languages option').count(), 31);
      await setting('service').selectOption('local');
      await setting('language').fill('sw');
      assert.equal(await editor().page.locator('#herald-language-problem').textContent(), '');
      await setting('language').fill('swa');
      await editor().page.getByText('Language: enter a two-letter code such as en.').waitFor();
    });

    it('finds a language by its name', async () => {
      for (const name of ['german', 'Deutsch', 'German']) {
        await setting('language').fill(name);
        await setting('language').press('Tab');
        assert.equal(await setting('language').inputValue(), 'de');
        assert.equal(await editor().page.locator('#herald-language-problem').textContent(), '');
      }
    });
  });

  const trial = () => editor().page.getByLabel('Try it');
  /** Presses a key after `fill`: a typed input only reacts to key events. */
  const typeValue = async (property: string, value: string) => {
    await editor().page.locator(`#node-input-${property}-value`).fill(value);
    await editor().page.locator(`#node-input-${property}-value`).press('End');
  };
  const typeLanguage = (code: string) => typeValue('language', code);

  describe('in the dialog of a node with a text', () => {
    before(() => editor().open('every source'));
    after(() => editor().cancel());

    it('plays the text of Try it with the typed values, and shows duration, cost and ignored fields', async () => {
      assert.equal(await trial().inputValue(), 'Dinner is ready.');
      await press('Speak this text');
      await note(
        's of audio, free of charge. Account default used, because the value comes from a message: Style.',
      );
      await untilPlayed(editor().page, 1);
    });

    it('copies the text of the node to Try it while the user types', async () => {
      await typeValue('text', 'Supper is ready.');
      assert.equal(await trial().inputValue(), 'Supper is ready.');
    });
  });

  describe('in the dialog of a node without a text', () => {
    before(async () => {
      await editor().page.evaluate(`RED.nodes.node('account').language = 'ko'`);
      await editor().open('tts');
    });
    after(() => editor().cancel());

    it('suggests in Try it a sentence in the language of the node or its account', async () => {
      const texts: Record<string, string> = {};
      for (const code of ['', 'de', 'ar', 'sw', '']) {
        await typeLanguage(code);
        texts[code] = `${await trial().getAttribute('lang')}: ${await trial().inputValue()}`;
      }
      assert.deepEqual(texts, {
        '': 'ko: 안녕하세요! 제 목소리는 이렇습니다.',
        de: 'de: Hallo! So klingt meine Stimme.',
        ar: 'ar: مرحبا! هكذا يبدو صوتي.',
        sw: 'en: Hello! This is how I sound.',
      });
    });

    it('suggests in Try it no sentence in the language of a voice that no longer applies', async () => {
      await typeLanguage('de');
      await editor()
        .page.getByText(/^Account default: /)
        .waitFor();
      await typeLanguage('');
      assert.equal(await trial().getAttribute('lang'), 'ko');
    });

    const reading = (text: string) => editor().page.locator('.herald-reading', { hasText: text }).waitFor();

    it('shows beside Try it how the text will be read, and again after a change of the language', async () => {
      await typeLanguage('en');
      await trial().fill('At 14:30.');
      await reading('Read as: At fourteen thirty.');
      await typeLanguage('de');
      await reading('Read as: At vierzehn Uhr dreißig.');
      await trial().fill('No figures.');
      await editor().page.locator('.herald-reading').waitFor({ state: 'hidden' });
    });

    it('asks once for the words of a text that is typed at once', async () => {
      const asked: string[] = [];
      editor().page.on('request', (request) => {
        if (request.url().endsWith('/herald/read')) asked.push(request.postData() ?? '');
      });
      await trial().fill('');
      await trial().pressSequentially('It is 21.5 °C at 7:45.');
      await reading('Read as: It is');
      assert.ok(asked.length <= 2, asked.join('\n'));
    });

    it('keeps the text that the user typed in Try it when the language changes', async () => {
      await trial().fill('Good evening.');
      await typeLanguage('de');
      assert.equal(await trial().inputValue(), 'Good evening.');
    });
  });

  describe('with other deployed flows', () => {
    afterEach(() => editor().cancel());

    it('shows beside Try it the words in the region of the voice', async () => {
      await show([
        tab,
        accountOf(),
        { ...nodeOf('speaker', 'text-to-speech', 0), voice_id: 'awb', language: 'en' },
      ]);
      await editor().open('speaker');
      await trial().fill('On 3/4/2026.');
      const words = 'Read as: On the third of April twenty twenty-six.';
      await editor().page.locator('.herald-reading', { hasText: words }).waitFor();
    });

    it('sends and plays in Try it the typed announcement and all pronunciations, and names the setting from a message', async () => {
      await show(announcement);
      await editor().open('speaker');
      const sent = editor().page.waitForRequest('**/herald/speak');
      await press('Speak this text');
      const { request } = (await sent).postDataJSON();
      assert.deepEqual(request, {
        chime: 'gong',
        silence_before: 0.5,
        format: 'twilio',
        pronunciations: [ofNode, ofAccount],
        text: 'Hello! This is how I sound.',
      });
      await untilPlayed(editor().page, 1);
      await note('because the value comes from a message: Volume');
    });

    it('uses the stored key in Test for the saved URL only', () =>
      withServer(goodService, ({ url, requests }) =>
        withServer(goodService, async (other) => {
          const account = accountOf({ service: 'hosted', url, credentials: { apiKey: KEY } });
          await show([...flows, account]);
          await editor().open('account');
          await press('Test');
          await result('accepts the key');
          assert.equal(requests[0]?.headers['x-sup-api-key'], KEY);
          await setting('url').fill(other.url);
          await press('Test');
          await result('type the key again, or deploy first');
          assert.deepEqual(other.requests, []);
        }),
      ));

    it('shows in Try it the seconds that a hosted service charged, and the error of one that plays nothing', () => {
      let script = charging;
      return withServer(
        (request, index) => script(request, index),
        async ({ url, requests }) => {
          await show(all);
          await editor().open('account');
          await typeHosted(url, KEY);
          await openFolds(editor().page);
          await setting('voice_id').fill('anna');
          await editor().done();
          await editor().open('tts');
          await openFolds(editor().page);
          await typeValue('style', 'happy');
          await trial().fill('How do I sound?');
          await press('Speak this text');
          await note('0.5 s of audio, 0.5 s charged.');
          await untilPlayed(editor().page, 1);
          const [request] = requests.filter(({ path }) => path === '/v1/text-to-speech/anna');
          const { model: _, ...sent } = { ...request?.json };
          assert.deepEqual(sent, { text: 'How do I sound?', language: 'en', style: 'happy' });

          script = () => refused(402);
          await watchSound(editor().page);
          await press('Speak this text');
          await note('no credits left (402)');
          assert.deepEqual(await editor().page.evaluate('played'), []);
        },
      );
    });
  });
});
