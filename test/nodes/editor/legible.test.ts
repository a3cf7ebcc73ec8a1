import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeInBrowser, type Editor } from '../../support/browser/browser.js';
import { changeLanguage, type Session, useSharedEditor } from '../../support/browser/editor-session.js';
import { flowNames, names } from './built.js';
import { openFolds } from './folds.js';
import { BROKEN, CONTRASTS, COVERED, CUT_HEADINGS, CUT_OFF, inLanguage } from './layout.js';
import { accountOf, nodeOf, speakerOf } from './saved.js';

const word = { word: 'GmbH', replacement: 'Gesellschaft', language: 'de', matchCase: true };
const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf({ service: 'hosted', url: 'http://127.0.0.1:9', pronunciations: [word] }),
  speakerOf(),
  ...flowNames.map((name, index) => nodeOf(name, name, index)),
  {
    ...nodeOf('local', 'text-to-speech', 20),
    account: '',
    voice_settings: '{"similarity":2,"speed":1.5}',
    model: 'compact_api_3',
  },
  {
    ...nodeOf('hosted', 'text-to-speech', 21),
    voice_settings: '{"similarity":2}',
    normalized_text: 'twenty one',
  },
];

/** The languages whose texts have a known width: in the fonts of the tests, or of one dash for each letter. */
const LOCALES = ['en-US', 'de-DE', 'es', 'ja'];
/** The label of the account in each language. */
const ACCOUNT: Readonly<Record<string, string>> = {
  'en-US': 'Account',
  'de-DE': 'Konto',
  es: 'Cuenta',
  ja: 'アカウント',
  ko: '계정',
};
/** The size of small laptops. */
const LAPTOP = { width: 1280, height: 800 };
const SMALL = { width: 900, height: 700 };

/** The dialogs with headings that a small window may cut off: of sections, and of a table. */
const WITH_HEADINGS = ['text-to-speech', 'account'];

/** The findings in one language. */
interface Findings {
  /** Cut placeholders and broken labels. */
  faults: string[];
  /** Covered and cut headings. */
  headings: string[];
  /** The label of the account in a form. */
  account: string;
}

describeInBrowser('the forms of the editor', () => {
  const session = useSharedEditor(flows);
  const contrasts: number[] = [];
  const found = new Map<string, Findings>();
  before(async () => {
    for (const locale of Object.keys(ACCOUNT)) found.set(locale, { faults: [], headings: [], account: '' });
    await visitAll(session.editor(), found, contrasts);
  });
  afterEach(() => session.editor().cancel());
  for (const locale of Object.keys(ACCOUNT)) checkForms(locale, () => found.get(locale));
  checkContrasts(contrasts);
  checkNotes(session);
});

for (const locale of LOCALES)
  describeInBrowser(`the palette in ${locale}`, () => {
    const session = useSharedEditor(flows, { locale });
    checkLabels(session);
    if (locale === 'de-DE') checkPalette(session);
  });

/** Opens each dialog once, and measures it in all languages: a dialog takes more CPU time than its measurements. */
async function visitAll(
  editor: Editor,
  found: ReadonlyMap<string, Findings>,
  contrasts: number[],
): Promise<void> {
  const { page, open, cancel } = editor;
  for (const locale of [...found.keys(), 'en-US']) await changeLanguage(editor, locale);
  await page.setViewportSize(LAPTOP);
  for (const name of names) {
    await open(name);
    for (const [locale, findings] of found) {
      await page.evaluate(inLanguage(locale));
      // A script writes the headings of its table when the dialog opens.
      if (name === 'account') {
        await cancel();
        await open(name);
      }
      await measure(page, name, LOCALES.includes(locale), findings);
    }
    // The contrasts are the same in all languages.
    contrasts.push(...(await page.evaluate<number[]>(CONTRASTS)));
    await page.evaluate(inLanguage('en-US'));
    await cancel();
  }
}

/** Measures the open dialog in its language. */
async function measure(page: Page, name: string, hasWidths: boolean, found: Findings): Promise<void> {
  if (WITH_HEADINGS.includes(name)) found.headings.push(...(await headingsIn(page)));
  if (name === 'text-to-speech')
    found.account = await page.locator('label[for=node-input-account] span').innerText();
  if (!hasWidths) return;
  found.faults.push(...(await page.evaluate<string[]>(CUT_OFF)));
  found.faults.push(...(await page.evaluate<string[]>(BROKEN)));
}

/** Returns the covered and the cut headings of the open dialog in a small window. */
async function headingsIn(page: Page): Promise<string[]> {
  await page.setViewportSize(SMALL);
  const covered = await page.evaluate<string[]>(COVERED);
  await openFolds(page);
  const cut = await page.evaluate<string[]>(CUT_HEADINGS);
  if ((await page.locator('.herald-table th').count()) > 0) await page.getByText(/^Aa: ..../u).waitFor();
  await page.setViewportSize(LAPTOP);
  return [...covered, ...cut];
}
/** Defines the tests of the forms in a language. */
function checkForms(locale: string, found: () => Findings | undefined): void {
  if (LOCALES.includes(locale))
    it(`shows whole placeholders, and breaks no word of a label in the forms in ${locale}`, () =>
      assert.deepEqual(found()?.faults, []));

  it(`shows whole headings, which do not overlap in a small window in ${locale}`, () =>
    assert.deepEqual(found()?.headings, []));

  it(`shows the forms in ${locale} with the texts of the language`, () =>
    assert.equal(found()?.account, ACCOUNT[locale]));
}

/** Defines the test of the labels in the palette. */
function checkLabels({ editor }: Session): void {
  it('breaks no word of a label in the palette', async () => {
    const labels = editor().page.locator('[data-palette-type^="herald-"] .red-ui-palette-label');
    const found = await labels.evaluateAll((all) => all.map(({ innerHTML }) => innerHTML));
    assert.equal(found.length, flowNames.length);
    for (const lines of found) assert.doesNotMatch(lines, /[^ -]<br>[^ -]/);
  });
}

/** Defines the test of the contrasts. */
function checkContrasts(contrasts: readonly number[]): void {
  it('shows placeholders with a contrast of 4.5:1', () => {
    assert.ok(contrasts.length > names.length);
    assert.ok(
      contrasts.every((contrast) => contrast >= 4.5),
      String(contrasts),
    );
  });
}

/** Defines the tests of the search in the palette. */
function checkPalette({ editor }: Session): void {
  const found = (word: string) =>
    editor().page.evaluate<string[]>(`(() => {
      $('#red-ui-palette-search input').val(${JSON.stringify(word)}).searchBox('change');
      return [...document.querySelectorAll('.red-ui-palette-node')]
        .filter((entry) => entry.dataset.filter === undefined)
        .map((entry) => entry.dataset.paletteType);
    })()`);

  const words = ['tts', 'speak', 'say', 'voice', 'audio', 'sound', 'announce', 'play', 'text to speech'];
  for (const word of [...words, 'Durchsage', 'sprache', 'Sprachausgabe']) {
    it(`finds text to speech by "${word}"`, async () => {
      assert.ok((await found(word)).includes('herald-text-to-speech'));
    });
  }
  for (const word of ['play', 'audio', 'sound', 'voice', 'hören']) {
    it(`finds listen by "${word}"`, async () => {
      assert.ok((await found(word)).includes('herald-listen'));
    });
  }

  it('finds every node by "tts", "voice" and "sprache"', async () => {
    for (const word of ['tts', 'voice', 'sprache']) {
      const types = await found(word);
      assert.deepEqual(
        flowNames.filter((name) => !types.includes(`herald-${name}`)),
        [],
      );
    }
  });

  it('names the category of the nodes in the language of the editor', async () => {
    await found('');
    await editor()
      .page.locator('.red-ui-palette-header')
      .getByText('Sprachausgabe', { exact: true })
      .waitFor();
  });

  it('shows the label of a node without its search words', async () => {
    await found('');
    const entry = editor().page.locator('[data-palette-type="herald-listen"]');
    assert.doesNotMatch((await entry.textContent()) ?? '', /speaker/);
  });
}

/** Defines the tests of settings that the service or the model ignores. */
function checkNotes({ editor }: Session): void {
  const notes = () => editor().page.locator('[id$="-no-effect"]').allTextContents();

  it('names below a setting without effect the service or model that ignores it', async () => {
    await editor().open('local');
    assert.deepEqual((await notes()).filter(Boolean), [
      'Similarity: the local service does not support this setting.',
    ]);
    await editor().cancel();
    await editor().open('hosted');
    assert.deepEqual((await notes()).filter(Boolean), [
      'Normalized text: main_speech_1 does not support this setting.',
    ]);
    await openFolds(editor().page);
    // Without a key or a change of the focus, as text from the clipboard or by dictation.
    await editor().typedInput('#node-input-model').locator('input').first().fill('main_speech_2_flash');
    await editor().page.getByText('Similarity: main_speech_2_flash does not support this setting.').waitFor();
  });

  it('disables a setting without effect in the panel of the voice settings', async () => {
    await editor().open('local');
    await openFolds(editor().page);
    await editor().page.locator('#node-input-voice_settings-expand').click();
    const panel = editor().page.locator('.herald-settings');
    await panel.waitFor();
    const disabled = await panel
      .locator('label:has(input:disabled) > span')
      .evaluateAll((labels) => labels.map(({ textContent }) => textContent));
    assert.ok(['Similarity', 'Text guidance', 'Subharmonics'].every((label) => disabled.includes(label)));
    await editor().page.keyboard.press('Escape');
  });
}
