import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import type { Page } from 'playwright-core';
import { describeInBrowser, sharedBrowser } from './browser.js';

/** Widths of "Smile" in em: the sums of the advance widths in DejaVu Sans, its bold font and DejaVu Sans Mono. */
const WIDTHS = {
  '100px sans-serif': 5693 / 2048,
  '100px Arial': 5693 / 2048,
  '100px Unknown, system-ui': 5693 / 2048,
  'bold 100px sans-serif': 6402 / 2048,
  '100px monospace': 6165 / 2048,
};

describeInBrowser('the browser of the tests', () => {
  let page: Page;
  before(async () => {
    page = await (await sharedBrowser()).newPage();
  });
  after(() => page.close());

  const widthIn = async (font: string): Promise<number> => {
    await page.setContent(`<span style="font: ${font}">Smile</span>`);
    return z
      .number()
      .parse(await page.evaluate(`document.querySelector('span').getBoundingClientRect().width`));
  };

  for (const [font, width] of Object.entries(WIDTHS)) {
    it(`draws ${font} with the fonts of the tests, not with those of the machine`, async () => {
      assert.ok(Math.abs((await widthIn(font)) - width * 100) < 0.1, `${await widthIn(font)} px`);
    });
  }

  it('has the language, time zone, colours, motion and pixels of the tests, not of the machine', async () => {
    const found = await page.evaluate(`({
      language: navigator.language,
      format: new Intl.DateTimeFormat().resolvedOptions().locale,
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      isDark: matchMedia('(prefers-color-scheme: dark)').matches,
      hasLessMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
      pixels: devicePixelRatio,
      size: [innerWidth, innerHeight],
      scrollbar: innerWidth - document.documentElement.clientWidth,
    })`);
    assert.deepEqual(found, {
      language: 'en-US',
      format: 'en-US',
      timeZone: 'UTC',
      isDark: false,
      hasLessMotion: false,
      pixels: 1,
      size: [1280, 720],
      scrollbar: 0,
    });
  });
});
