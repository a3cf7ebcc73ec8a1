import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../../support/browser/browser.js';
import { useSharedEditor } from '../../../../support/browser/editor-session.js';
import { accountOf, nodeOf } from '../../saved.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  nodeOf('new', 'text-to-speech', 0),
  { ...nodeOf('german', 'text-to-speech', 1), language: 'de' },
  { ...nodeOf('other', 'text-to-speech', 2), language: 'af' },
  { ...nodeOf('search', 'voice-search', 3), language: 'de,Français' },
  { ...nodeOf('spaced', 'voice-search', 5), language: 'de, es' },
  { ...nodeOf('local', 'text-to-speech', 6), account: '' },
  { ...nodeOf('message', 'text-to-speech', 4), language: 'lang', languageType: 'msg' },
];

for (const { locale, name, other, blank, far } of [
  { locale: 'en-US', name: 'German', other: 'Deutsch', blank: 'Spanish', far: 'Chinese' },
  { locale: 'de-DE', name: 'Deutsch', other: 'german', blank: 'Spanisch', far: 'Chinesisch' },
])
  describeInBrowser(`the language of a node in an editor in ${locale}`, () => {
    const { editor } = useSharedEditor(flows, { locale });
    afterEach(async () => {
      await editor().cancel();
      assert.deepEqual(editor().problems, []);
    });

    const isEnglish = locale === 'en-US';
    const visible = () => editor().page.locator('#node-input-language-value');
    const saved = async (id: string): Promise<unknown> =>
      editor().page.evaluate(
        `(({ language, languageType }) => [language, languageType])(RED.nodes.node('${id}'))`,
      );
    const isChanged = async (id: string): Promise<unknown> =>
      editor().page.evaluate(`RED.nodes.node('${id}').changed === true`);

    it('shows the name of a saved code, and keeps the flow if the user changes nothing', async () => {
      const cases = [
        ['spaced', `${name}, ${blank}`],
        ['german', name],
        // These texts are the same in both languages.
        ['other', 'Afrikaans'],
        ['message', 'lang'],
      ] as const;
      for (const [id, shown] of isEnglish ? cases : cases.slice(0, 2)) {
        await editor().open(id);
        assert.equal(await visible().inputValue(), shown);
        await editor().done();
        assert.equal(await isChanged(id), false, id);
      }
      if (!isEnglish) return;
      await editor().open('search');
      await editor().done();
      assert.deepEqual([await saved('search'), await isChanged('search')], [['de,Français', 'str'], false]);
    });

    it('finds a language by its name in the language of the editor, by another name and by its code, and saves its code', async () => {
      await editor().open('new');
      for (const text of ['de', name.toLowerCase(), other]) {
        await visible().fill(text);
        await editor().page.keyboard.press('Tab');
        assert.equal(await visible().inputValue(), name, text);
        assert.equal(await editor().page.locator('#node-input-language').inputValue(), 'de', text);
      }
      await editor().done();
      assert.deepEqual(await saved('new'), ['de', 'str']);
    });

    it('suggests the languages of installed natural voices', async () => {
      const { page } = editor();
      const voices = [
        { name: 'zh_CN-huayan-medium', language: 'zh', installed: { voiceIds: ['zh_CN-huayan-medium'] } },
        { name: 'no_NO-talesyntese-medium', language: 'no', installed: null },
      ];
      await page.route('**/herald/natural-voices', (route) => route.fulfill({ json: { voices } }));
      try {
        await editor().open('local');
        await page
          .locator(`#node-input-language-offers option[value="${far}"]`)
          .waitFor({ state: 'attached' });
        assert.equal(await page.locator('#node-input-language-offers option').count(), 32);
      } finally {
        await page.unroute('**/herald/natural-voices');
      }
    });

    it('lists the names in their order, and saves the code of the chosen one', async () => {
      await editor().open('german');
      await editor().page.locator('#node-input-language-expand').click();
      const list = editor().page.locator('.red-ui-popover-panel select');
      await list.locator('option', { hasText: name }).first().waitFor({ state: 'attached' });
      const names = await list.locator('option').allTextContents();
      assert.ok(names.length > 25 && names.includes(name));
      assert.deepEqual(
        names,
        [...names].sort((one, two) => one.localeCompare(two, locale)),
      );
      await list.locator('option', { hasText: blank }).first().click();
      await list.waitFor({ state: 'detached' });
      assert.equal(await visible().inputValue(), blank);
      await editor().done();
      assert.deepEqual(await saved('german'), ['es', 'str']);
    });

    it('suggests each name with its other names and its code, so that the browser finds it by each', async () => {
      await editor().open('new');
      const option = editor().page.locator(`#node-input-language-offers option[value="${name}"]`);
      assert.match((await option.getAttribute('label')) ?? '', /German.*\bde$/);
      assert.match((await option.getAttribute('label')) ?? '', /Deutsch/);
    });

    if (!isEnglish) return;

    it('marks a text that is neither a name nor a code', async () => {
      await editor().open('new');
      await visible().fill('Klingonisch');
      await editor().page.locator('#node-input-language-problem:not(:empty)').waitFor();
    });
  });
