import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describeInBrowser, FOREIGN_HOST, sharedBrowser } from '../../support/browser.js';
import { useNodeRed } from '../../support/shared-node-red.js';
import { examples } from '../example.js';

/** Records the events of the player in `window.played`. */
const WATCH = `{
  window.played = [];
  for (const type of ['playing', 'ended'])
    document.querySelector('audio').addEventListener(type, () => window.played.push(type));
}`;

describeInBrowser('example players/dashboard', function () {
  this.timeout(60_000);
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
        await page.waitForFunction('played.length === 4');
        assert.deepEqual(await page.evaluate('played'), ['playing', 'ended', 'playing', 'ended']);
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
