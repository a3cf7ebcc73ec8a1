import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, FOREIGN_HOST, sharedBrowser } from '../../support/browser.js';
import { serving } from '../../support/serve.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openConsole, openPage } from './open-console.js';

describeInBrowser('signing in to the console', () => {
  let browser: Browser;
  let service: TestService;
  before(async () => {
    [browser, service] = await Promise.all([sharedBrowser(), startTestService()]);
  });
  after(async () => {
    await service.close();
  });

  const foreign = () => service.url.replace('127.0.0.1', FOREIGN_HOST);
  const enter = async (page: Page, key: string) => {
    await page.getByLabel('API key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Open' }).click();
  };

  it('is not needed on the machine itself', async () => {
    const { page, close } = await openConsole(browser, service.url);
    await page.getByText('On this machine').waitFor();
    await close();
  });

  it('takes a key under any other name, keeps it in this tab alone, and forgets it when asked to', async () => {
    const { page, close } = await openPage(browser, foreign());
    await enter(page, 'of-nobody');
    await page.locator('#sign-in-status', { hasText: /x-sup-api-key/ }).waitFor();
    await enter(page, service.key);
    await page.locator('#voice-list .item').first().waitFor();
    await page.reload();
    await page.getByText('With an API key', { exact: true }).waitFor();
    assert.equal(await page.evaluate('localStorage.length + document.cookie.length'), 0);
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    await close();
  });

  it('with a key shows the account of the key on the machine itself too, and goes back', async () => {
    const { page, close } = await openConsole(browser, service.url);
    await page.getByRole('button', { name: 'Use a key' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Use a key' }).click();
    const sent = page.waitForRequest((request) => request.headers()['x-sup-api-key'] === service.key);
    await enter(page, service.key);
    await sent;
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByText('On this machine').waitFor();
    await close();
  });

  it('is out of reach for a page of another origin, which can neither ask nor show the console in a frame', async () => {
    await serving(
      (_request, response) => void response.setHeader('content-type', 'text/html').end('<!doctype html>'),
      async (url) => {
        const page = await browser.newPage();
        await page.goto(url);
        const target = JSON.stringify(`${service.url}/console/session`);
        const asked = await page.evaluate(
          `fetch(${target}, { method: 'POST', headers: { 'x-herald-console': '1' } }).then(() => 'read', () => 'refused')`,
        );
        assert.equal(asked, 'refused');
        const blind = page.waitForResponse(/console\/session/);
        await page.evaluate(`fetch(${target}, { method: 'POST', mode: 'no-cors' })`);
        assert.equal((await blind).status(), 403);
        assert.equal(await isFramed(page, `${service.url}/console`), false);
        await page.close();
      },
    );
  });
});

/** Whether a frame shows the page: one that is refused shows the browser's own error. */
async function isFramed(page: Page, url: string): Promise<boolean> {
  await page.evaluate(`new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.onload = resolve;
    frame.src = ${JSON.stringify(url)};
    document.body.append(frame);
  }).then(() => undefined)`);
  const [, frame] = page.frames();
  return frame !== undefined && (await frame.locator('#console').count()) > 0;
}
