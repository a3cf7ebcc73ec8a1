import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import type { Page } from 'playwright-core';
import { describeInBrowser, FOREIGN_HOST, sharedBrowser } from '../../support/browser/browser.js';
import { useNodeRed } from '../../support/node-red/shared-node-red.js';
import { examples } from '../example.js';

/**
 * Records the URLs that the player has played to their end in `window.ended`. The player is fast, so that the test takes less
 * time.
 */
const WATCH = `{
  const player = document.querySelector('audio');
  player.defaultPlaybackRate = 4;
  window.ended = [];
  player.addEventListener('ended', () => window.ended.push(player.currentSrc));
}`;

describeInBrowser('example players/dashboard', () => {
  const nodeRed = useNodeRed(examples.get('players/dashboard') ?? []);

  /** Opens the page of the example. */
  const open = async (origin: string): Promise<Page> => {
    const page = await (await sharedBrowser()).newPage();
    await page.goto(`${origin}announcements`);
    await page.evaluate(WATCH);
    await page.getByText('Connected.', { exact: true }).waitFor();
    return page;
  };

  it('plays announcements one after the other on all pages, and lists their texts', async () => {
    const { url, inject } = nodeRed();
    // A second page has another origin than the audio.
    const pages = [await open(url), await open(url.replace('127.0.0.1', FOREIGN_HOST))];
    try {
      const [early, late] = pages;
      await early?.getByRole('button', { name: 'Turn sound on' }).click();
      await inject('dash-press');
      await inject('dash-press');
      for (const page of pages) await page.getByText('The meeting starts in five minutes.').nth(1).waitFor();
      // The late page keeps the announcements until its user turns the sound on.
      await late?.getByRole('button').click();
      for (const page of pages) {
        await page.waitForFunction('ended.length === 2');
        const urls = z.array(z.url()).parse(await page.evaluate('ended'));
        assert.equal(new Set(urls).size, 2);
      }
    } finally {
      for (const page of pages) await page.close();
    }
  });

  it('connects again after a new deploy', async () => {
    const { url, deploy, inject } = nodeRed();
    const page = await open(url);
    try {
      await deploy(examples.get('players/dashboard') ?? []);
      await page.getByText('Not connected.').waitFor();
      await page.getByText('Connected.', { exact: true }).waitFor();
      await inject('dash-press');
      await page.getByText('The meeting starts in five minutes.').waitFor();
    } finally {
      await page.close();
    }
  });
});
