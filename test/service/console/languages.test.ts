import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from '@herald-speech/client';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, sharedBrowser } from '../../support/browser/browser.js';
import { startTestService, type TestService, toneFile } from '../../support/service/service.js';
import { accessible } from './accessible.js';
import { openConsole } from './open-console.js';

const ROOT = path.resolve(__dirname, '../../..');
/** Language settings of browsers, the language of the page for each, and the report of 2.4 seconds of speech. */
const SETTINGS = [
  { setting: 'en-GB', language: 'en', report: /^\d\.\d s with Russell\.$/ },
  { setting: 'de-AT', language: 'de', report: /^\d,\d s mit Russell\.$/ },
  { setting: 'es-MX', language: 'es', report: /^\d,\d s con Russell\.$/ },
  { setting: 'ja-JP', language: 'ja', report: /^Russellで\d\.\d秒。$/ },
  { setting: 'ko-KR', language: 'ko', report: /^Russell 목소리로 \d\.\d초\.$/ },
];
/** Languages that write no word of the page with Latin letters. */
const OTHER_SCRIPTS = ['ja', 'ko'];
const OWN_LETTERS = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
/** Names, units and formats that all languages share. */
const SHARED = /^(Herald|WAV|MP3|API|\d+ MB|…\w{4}|[\d.]+)$/;

const catalogue = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));

/** Returns the texts of a language without placeholders, in lower case. */
function textsOf(language: string): string[] {
  const texts = ['browser', 'service/console/page'].flatMap((folder) => {
    const file = path.join(ROOT, folder, 'locales', `${language}.json`);
    return Object.values(catalogue.parse(JSON.parse(readFileSync(file, 'utf8'))));
  });
  return texts
    .flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)))
    .filter((text) => !text.includes('__'))
    .map((text) => text.toLowerCase());
}

/** Returns the texts and names of all elements, hidden ones too, except data of the service. */
async function shownTexts(page: Page): Promise<string[]> {
  return z.array(z.string()).parse(
    await page.evaluate(`(() => {
      const isData = (element) => element.closest(
        'code, pre, script, noscript, strong, .voice .note, #custom-voices .note, [lang]:not(html), [name=model], audio',
      );
      const texts = [...document.querySelectorAll('*')].filter((element) => !isData(element)).flatMap((element) => [
        ...[...element.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data),
        element.title ?? '',
        element.matches('[name=voice], .play, .quiet') ? '' : (element.ariaLabel ?? ''),
      ]);
      return [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
    })()`),
  );
}

describeInBrowser('the languages of the console', () => {
  let browser: Browser;
  let service: TestService;
  before(async () => {
    [browser, service] = await Promise.all([sharedBrowser(), startTestService()]);
    const form = new FormData();
    form.append('name', 'Grandmother');
    form.append('files', new Blob([toneFile(180, 2)]), 'voice.wav');
    await service.send('POST', '/v1/custom-voices/cloned-voice', form);
  });
  after(() => service.close());

  const phone = { width: 360, height: 740 };

  for (const { setting, language, report } of SETTINGS) {
    describe(`a browser set to ${setting}`, () => {
      it(`shows all texts and numbers in ${language}, whole and without accessibility problems`, async () => {
        const { page, problems, close } = await openConsole(browser, service, {
          locale: setting,
          viewport: phone,
        });
        assert.equal(await page.locator('html').getAttribute('lang'), language);
        await page.locator('#natural h2').waitFor();
        await page.locator('#text').fill('Good morning. The train leaves from platform four.');
        await page.locator('#speak-button').click();
        await page.locator('#speak-status', { hasText: report }).waitFor();
        await page.locator('#chart summary').waitFor();
        await page.evaluate(`document.querySelectorAll('details').forEach((fold) => { fold.open = true; })`);

        const shown = await shownTexts(page);
        const own = new Set(textsOf(language));
        const foreign = SETTINGS.flatMap(({ language: other }) => textsOf(other)).filter(
          (text) => !own.has(text),
        );
        assert.deepEqual(
          shown.filter((text) => foreign.includes(text.toLowerCase())),
          [],
        );
        if (OTHER_SCRIPTS.includes(language)) {
          const latin = shown.filter((text) => /[a-z]{2}/i.test(text) && !OWN_LETTERS.test(text));
          assert.deepEqual(
            latin.filter((text) => !SHARED.test(text)),
            [],
          );
        }

        const cut = await page.evaluate(`[...document.querySelectorAll('h2, h3, a, button, summary, label')]
          .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
          .map((element) => element.textContent)`);
        assert.deepEqual(cut, []);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.width);
        const hasKnownColours = language !== 'en';
        await accessible(page, { hasKnownColours });
        await page.locator('#custom-voices button').nth(1).click();
        await accessible(page, { part: 'dialog[open]', hasKnownColours });
        await close();
        assert.deepEqual(problems, []);
      });
    });
  }

  const TITLE =
    'are English for a browser with other languages only, until the user chooses one: the page remembers it, and keeps the ' +
    'session, the voice, the text and all other values of the fields';

  it(TITLE, async () => {
    const { page, close } = await openConsole(browser, service, { locale: 'eo' });
    await page.getByRole('heading', { name: 'Credits and usage' }).waitFor();
    await fillFields(page);
    await page.getByLabel('Language of the page').selectOption('Deutsch');
    await page.getByRole('heading', { name: 'Guthaben und Verbrauch' }).waitFor();
    await page.getByText('Lokale Sitzung').waitFor();
    await assertKept(page);
    const other = await page.context().newPage();
    await other.goto(service.consoleLink());
    await other.getByRole('heading', { name: 'Guthaben und Verbrauch' }).waitFor();
    await other.close();
    await page.reload();
    await page.locator('#voice-list .item').first().waitFor();
    assert.equal(await page.locator('#text').inputValue(), '');
    await page.getByLabel('Sprache der Seite').selectOption('한국어');
    await page.getByRole('heading', { name: '크레딧과 사용량' }).waitFor();
    await close();
  });
});

const VALUES = {
  '#text': 'The train is late.',
  '#filters [name=words]': 'male',
  '#clone-name': 'Grandfather',
  '#natural [name=words]': 'medium',
  '#natural [name=folder]': '/media/usb',
};

async function fillFields(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /Angus/ }).check();
  await page.evaluate(`document.querySelectorAll('details').forEach((fold) => { fold.open = true; })`);
  for (const [field, value] of Object.entries(VALUES)) await page.locator(field).fill(value);
  await page.getByLabel('Speed').fill('1.2');
  await page.getByLabel('Format').selectOption('MP3');
}

/** Asserts that a German page has the values of `fillFields`. */
async function assertKept(page: Page): Promise<void> {
  await page.locator('#chosen-voice', { hasText: 'Angus' }).waitFor();
  await page.getByText('18 von 300 Zeichen').waitFor();
  for (const [field, value] of Object.entries(VALUES))
    assert.equal(await page.locator(field).inputValue(), value, field);
  assert.equal(await page.locator('#speak-form [name=speed]').inputValue(), '1.2');
  assert.equal(await page.locator('#speak-form [name=format]').inputValue(), 'mp3');
}
