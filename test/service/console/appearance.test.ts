import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import type { Browser } from 'playwright-core';
import { describeInBrowser, FOREIGN_HOST, sharedBrowser } from '../../support/browser/browser.js';
import { startTestService, type TestService, toneFile } from '../../support/service/service.js';
import { accessible } from './accessible.js';
import { openConsole, openPage } from './open-console.js';

const viewports = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 900 } };
const schemes = ['light', 'dark'] as const;

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
    for (const colorScheme of schemes) {
      it(`passes the accessibility checker on a ${size} in ${colorScheme} colours`, async () => {
        const { page, close } = await openConsole(browser, service, { viewport, colorScheme });
        await page.getByLabel('Text', { exact: true }).fill('Hello there.');
        await page.getByRole('button', { name: 'Speak', exact: true }).click();
        await page.getByText(/ s with Russell\.$/).waitFor();
        await page.evaluate(`document.querySelectorAll('details').forEach((fold) => { fold.open = true; })`);
        await accessible(page);
        await page.getByRole('button', { name: 'Rename Grandmother' }).click();
        await accessible(page, '#rename');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Delete Grandmother' }).click();
        await accessible(page, '#confirm');
        await close();
      });

      it(`passes the accessibility checker when it asks for a key, on a ${size} in ${colorScheme} colours`, async () => {
        const foreign = service.url.replace('127.0.0.1', FOREIGN_HOST);
        const { page, close } = await openPage(browser, `${foreign}/console`, { viewport, colorScheme });
        await page.getByLabel('API key', { exact: true }).fill('unknown');
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page
          .getByText(/x-sup-api-key/)
          .first()
          .waitFor();
        await accessible(page);
        await close();
      });
    }

    it(`fits a ${size} without horizontal scrolling`, async () => {
      const { page, close } = await openConsole(browser, service, { viewport });
      const width = z.number().parse(await page.evaluate('document.documentElement.scrollWidth'));
      assert.ok(width <= viewport.width, `${width} px`);
      await close();
    });
  }

  for (const width of [360, 900, 1280]) {
    it(`shows the whole of each value of a list, at a width of ${width} pixels`, async () => {
      const viewport = { width, height: 700 };
      const { page, close } = await openConsole(browser, service, { viewport, locale: 'de-DE' });
      await page.evaluate(`document.querySelectorAll('details').forEach((fold) => { fold.open = true; })`);
      assert.deepEqual(await page.evaluate(CUT_LISTS), []);
      await close();
    });
  }
});
