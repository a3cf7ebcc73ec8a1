import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, FOREIGN_HOST, sharedBrowser } from '../../support/browser/browser.js';
import { startTestService, type TestService, toneFile } from '../../support/service/service.js';
import { accessible } from './accessible.js';
import { type Console, openConsole, openPage } from './open-console.js';

const viewports = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };

/** The rules of the checker that read colours: dark colours change nothing else on the page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const OPEN_FOLDS = `document.querySelectorAll('details').forEach((fold) => { fold.open = true; })`;

/** Returns the lists that are narrower than their longest value needs, by name. */
const CUT_LISTS = `[...document.querySelectorAll('.fields select')].filter((list) => {
  const copy = list.cloneNode(true);
  Object.assign(copy.style, { width: 'max-content', position: 'absolute' });
  list.after(copy);
  const { offsetWidth } = copy;
  copy.remove();
  return offsetWidth > list.offsetWidth;
}).map(({ name }) => name)`;

describeInBrowser('the appearance of the console', () => {
  let browser: Browser;
  let service: TestService;
  before(async () => {
    [browser, service] = await Promise.all([sharedBrowser(), startTestService()]);
    const form = new FormData();
    form.append('name', 'Grandmother');
    form.append('files', new Blob([toneFile(180, 2)]), 'voice.wav');
    await service.send('POST', '/v1/custom-voices/cloned-voice', form);
  });
  after(async () => {
    await service.close();
  });

  for (const [size, viewport] of Object.entries(viewports)) {
    describe(`on a ${size}`, () => {
      let console: Console;
      before(async () => {
        console = await openConsole(browser, service, { viewport });
      });
      after(() => console.close());

      it('fits without horizontal scrolling', async () => {
        const width = z.number().parse(await console.page.evaluate('document.documentElement.scrollWidth'));
        assert.ok(width <= viewport.width, `${width} px`);
      });

      it('passes the accessibility checker in light and dark colours', async () => {
        const { page } = console;
        await page.getByLabel('Text', { exact: true }).fill('Hello there.');
        await page.getByRole('button', { name: 'Speak', exact: true }).click();
        await page.getByText(/ s with Russell\.$/).waitFor();
        await page.evaluate(OPEN_FOLDS);
        await accessibleInBoth(page);
        await page.getByRole('button', { name: 'Rename Grandmother' }).click();
        await accessibleInBoth(page, '#rename');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Delete Grandmother' }).click();
        await accessibleInBoth(page, '#confirm');
      });

      it('passes the accessibility checker in light and dark colours when it asks for a key', async () => {
        const foreign = service.url.replace('127.0.0.1', FOREIGN_HOST);
        const { page, close } = await openPage(browser, `${foreign}/console`, { viewport });
        await page.getByLabel('API key', { exact: true }).fill('unknown');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page
          .getByText(/x-sup-api-key/)
          .first()
          .waitFor();
        await accessibleInBoth(page);
        await close();
      });
    });
  }

  describe('in German', () => {
    let console: Console;
    before(async () => {
      console = await openConsole(browser, service, { locale: 'de-DE' });
      await console.page.evaluate(OPEN_FOLDS);
    });
    after(() => console.close());

    for (const width of [360, 900, 1280]) {
      it(`shows the whole of each value of a list, at a width of ${width} pixels`, async () => {
        await console.page.setViewportSize({ width, height: 700 });
        assert.deepEqual(await console.page.evaluate(CUT_LISTS), []);
      });
    }
  });
});

/** Asserts that the accessibility checker finds no violation in light colours, and none of its rules of colours in dark ones. */
async function accessibleInBoth(page: Page, part?: string): Promise<void> {
  await accessible(page, { part });
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessible(page, { part, rules: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
}
