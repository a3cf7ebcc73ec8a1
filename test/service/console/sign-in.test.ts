import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, FOREIGN_HOST, sharedBrowser } from '../../support/browser/browser.js';
import { serving } from '../../support/net/serve.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { type Console, openConsole, openPage } from './open-console.js';

describeInBrowser('the sign-in of the console', () => {
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
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('asks for a key without a link or with a used one, and accepts a new link in the same tab', async () => {
    const link = service.consoleLink();
    await (await openConsole(browser, { consoleLink: () => link })).close();
    const { page, close } = await openPage(browser, `${service.url}/console`);
    await page.getByLabel('API key', { exact: true }).waitFor();
    await page.goto(link);
    await page.locator('#sign-in-status', { hasText: /herald-service console/ }).waitFor();
    await page.goto(service.consoleLink());
    await page.getByText('Local session').waitFor();
    await close();
  });

  it('recovers fully when the right key follows a wrong one', async () => {
    const { page, problems, close } = await openPage(browser, `${service.url}/console`);
    await enter(page, 'unknown');
    await page.locator('#sign-in-status', { hasText: /x-sup-api-key/ }).waitFor();
    await enter(page, service.key);
    await page.locator('#voice-list .item').first().waitFor();
    await page.locator('#key-list li').first().waitFor();
    await page.locator('#balance', { hasText: /unlimited/i }).waitFor();
    await page.getByLabel('Text', { exact: true }).fill('Hello.');
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText(/ s with \w+\.$/).waitFor();
    await page.locator('#chart svg').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel(/New key/).waitFor();
    const bad = page.locator('[data-tone="bad"]:not(:empty)');
    assert.deepEqual(await bad.allTextContents(), []);
    assert.deepEqual(problems, []);
    await close();
  });

  it('ignores the late refusal of a wrong key after the right one was entered', async () => {
    const { page, close } = await openPage(browser, `${service.url}/console`);
    let answer = () => undefined as void;
    const late = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/console\/api\/keys/, async (route) => {
      if (route.request().headers()['x-sup-api-key'] === 'unknown') await late;
      await route.continue();
    });
    await enter(page, 'unknown');
    await page.locator('#sign-in-status', { hasText: /x-sup-api-key/ }).waitFor();
    await enter(page, service.key);
    await page.locator('#voice-list .item').first().waitFor();
    const refused = page.waitForResponse((reply) => reply.status() === 401);
    answer();
    await (await refused).finished();
    await page.reload();
    await page.getByText('API key session', { exact: true }).waitFor();
    await close();
  });

  it('asks for a key under a foreign host name, stores it in the tab only, and deletes it on sign-out', async () => {
    const { page, close } = await openPage(browser, `${foreign()}/console`);
    await enter(page, 'unknown');
    await page.locator('#sign-in-status', { hasText: /x-sup-api-key/ }).waitFor();
    await enter(page, service.key);
    await page.locator('#voice-list .item').first().waitFor();
    await page.reload();
    await page.getByText('API key session', { exact: true }).waitFor();
    assert.equal(await page.evaluate('localStorage.length + document.cookie.length'), 0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    await close();
  });

  describe('with a link', () => {
    let opened: Console;
    let page: Page;
    before(async () => {
      opened = await openConsole(browser, service);
      ({ page } = opened);
    });
    after(() => opened.close());

    it('opens a local session with a link, which leaves the address, and keeps it after a reload', async () => {
      await page.getByText('Local session').waitFor();
      assert.equal(page.url(), `${service.url}/console`);
      await page.reload();
      await page.getByText('Local session').waitFor();
    });

    it('returns from a wrong key to the local session', async () => {
      await page.getByRole('button', { name: 'Use API key' }).click();
      await enter(page, 'unknown');
      await page.locator('#sign-in-status', { hasText: /x-sup-api-key/ }).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Local session').waitFor();
      await page.locator('#voice-list .item').first().waitFor();
    });

    it('switches from the local session to the account of a key, and back', async () => {
      await page.getByRole('button', { name: 'Use API key' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Use API key' }).click();
      const sent = page.waitForRequest((request) => request.headers()['x-sup-api-key'] === service.key);
      await enter(page, service.key);
      await sent;
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('Local session').waitFor();
    });
  });

  it('refuses a session to a page of another origin, and is not shown in its frame', async () => {
    await serving(
      (_request, response) => void response.setHeader('content-type', 'text/html').end('<!doctype html>'),
      async (url) => {
        const page = await browser.newPage();
        await page.goto(url);
        const target = JSON.stringify(`${service.url}/console/session`);
        const result = await page.evaluate(
          `fetch(${target}, { method: 'POST', headers: { 'x-herald-token': '1' } }).then(() => 'read', () => 'refused')`,
        );
        assert.equal(result, 'refused');
        const blind = page.waitForResponse(/console\/session/);
        await page.evaluate(`fetch(${target}, { method: 'POST', mode: 'no-cors' })`);
        assert.equal((await blind).status(), 403);
        assert.equal(await isFramed(page, `${service.url}/console`), false);
        await page.close();
      },
    );
  });
});

/** Returns whether a frame shows the page. If the service forbids it, the frame shows an error of the browser. */
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
