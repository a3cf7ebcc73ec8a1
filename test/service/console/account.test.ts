import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { operations } from '@herald-speech/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/browser.js';
import { type TestService, toneFile } from '../../support/service/service.js';
import { TEXT, useConsole } from './use-console.js';

const CLONED = '.rows#custom-voices strong';

const MARKUP = `<img src=x onerror="document.title='taken over'">`;

async function clone(service: TestService, name: string): Promise<void> {
  const form = new FormData();
  form.append('name', name);
  form.append('files', new Blob([toneFile(120, 2)]), 'voice.wav');
  await service.send('POST', '/v1/custom-voices/cloned-voice', form);
}

describeInBrowser('the account in the console', () => {
  const shared = useConsole(async (service) => {
    for (const name of ['Grandfather', 'Station', MARKUP]) await clone(service, name);
  });
  const { heard, status } = shared;
  let page: Page;
  beforeEach(() => {
    ({ page } = shared.console());
  });

  const customVoices = async () => {
    const reply = await shared.service().send('GET', '/v1/custom-voices');
    return operations.listCustomVoices.response.parse(await reply.json()).items.map(({ name }) => name);
  };

  describe('credits and usage', () => {
    it('appear as a chart and a table after a speech request', async () => {
      await page.getByText('Credits left: unlimited').waitFor();
      await page.getByLabel('Text', { exact: true }).fill(TEXT);
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await page.getByText('Table', { exact: true }).click();
      const days = page.locator('#chart tbody tr');
      assert.equal(await days.count(), 14);
      const today = new Date().toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' });
      await days.last().getByText(today).waitFor();
      assert.match((await days.last().locator('td').textContent()) ?? '', /^[1-9]/);
      await page.getByRole('img', { name: /^Audio of the last 14 days: [1-9]/ }).waitFor();
    });

    it('are reported as missing if the service records no usage', async () => {
      await page.route('**/v1/usage?*', (route) => route.fulfill({ status: 404, json: {} }));
      await page.getByLabel('Text', { exact: true }).fill('Hello.');
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await page.getByText('No usage in the last 14 days.').waitFor();
    });
  });

  describe('a custom voice', () => {
    it('is available at once after a clone request with a file', async () => {
      const buffer = Buffer.from(toneFile(180, 3));
      await page
        .getByLabel('WAV or MP3 file')
        .setInputFiles({ name: 'me.wav', mimeType: 'audio/wav', buffer });
      await page.locator('#clone-form').getByLabel('Name').fill('Grandmother');
      await page.getByRole('button', { name: 'Clone', exact: true }).click();
      await status('clone').getByText('Grandmother was created').waitFor();
      assert.ok((await customVoices()).includes('Grandmother'));
      assert.equal(await shared.console().voice('Grandmother').isChecked(), true);
      await page.getByLabel('Text', { exact: true }).fill(TEXT);
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await heard('spoken');
    });

    it('plays a sentence in the list of voices', async () => {
      const spoken = page.waitForResponse(/\/v1\/text-to-speech\//);
      await page.getByRole('button', { name: 'Play Grandfather' }).click();
      const reply = await spoken;
      assert.equal(reply.status(), 200);
      assert.deepEqual(reply.request().postDataJSON(), {
        language: 'en',
        text: 'Hello! This is how I sound.',
      });
      await page.locator('.play[aria-pressed=true][aria-busy=false]').waitFor();
    });

    it('has a note in its list if the service only approximates the sample', async () => {
      const row = page.locator('#custom-voices li').filter({ hasText: 'Grandfather' });
      await row.getByText('It approximates the sample.').waitFor();
    });

    it('is cloned from a recording that the user can play first', async () => {
      await page.getByRole('button', { name: 'Record' }).click();
      await page.getByText(/^[2-9]\.\d s of 30 s$/).waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await status('clone')
        .getByText(/^Recorded [2-9]\.\d s/)
        .waitFor();
      await page.evaluate(`document.getElementById('sample').play()`);
      await heard('sample');
      await page.locator('#clone-form').getByLabel('Name').fill('Beep');
      await page.getByRole('button', { name: 'Clone', exact: true }).click();
      await status('clone').getByText('Beep was created').waitFor();
      assert.ok((await customVoices()).includes('Beep'));
    });

    it('is not requested for a file that is too large', async () => {
      const file = path.join(shared.service().data, 'long.wav');
      await writeFile(file, Buffer.alloc(3_000_001));
      await page.getByLabel('WAV or MP3 file').setInputFiles(file);
      await status('clone').getByText('long.wav has 3.0 MB').waitFor();
      await page.locator('#clone-form').getByLabel('Name').fill('Long');
      await page.getByRole('button', { name: 'Clone', exact: true }).click();
      await status('clone').getByText('No sample. Choose a file or record one.').waitFor();
    });

    it('can be renamed, and deleted after a confirmation', async () => {
      await page.getByRole('button', { name: 'Rename Station' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Platform');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator(CLONED, { hasText: 'Platform' }).waitFor();
      assert.ok((await customVoices()).includes('Platform'));

      await page.getByRole('button', { name: 'Delete Platform' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      assert.ok((await customVoices()).includes('Platform'));
      await page.getByRole('button', { name: 'Delete Platform' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.locator(CLONED, { hasText: 'Platform' }).waitFor({ state: 'detached' });
      assert.ok(!(await customVoices()).includes('Platform'));
    });

    it('shows markup in its name as text', async () => {
      await page.locator(CLONED, { hasText: MARKUP }).waitFor();
      assert.equal(await page.title(), 'Herald console');
      assert.equal(await page.locator('img[src=x]').count(), 0);
    });
  });

  describe('API keys', () => {
    const keyRows = () => page.locator('#key-list li:not(.revoked)');
    const create = async () => {
      const before = await keyRows().count();
      await page.getByRole('button', { name: 'Create key' }).click();
      await keyRows().nth(before).waitFor();
      const key = await page.getByLabel(/^New key/).inputValue();
      assert.ok(key.length > 20, key);
      return key;
    };
    const opens = async (key: string) => {
      const reply = await fetch(`${shared.service().url}/v1/credits`, { headers: { 'x-sup-api-key': key } });
      return reply.ok;
    };

    it('appear once, are valid at once, and are invalid after their revocation', async () => {
      const before = await keyRows().count();
      const key = await create();
      assert.equal(await opens(key), true);
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByText(/^Copied|It is selected/).waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      assert.equal((await page.content()).includes(key), false);
      assert.equal(await keyRows().count(), before + 1);

      const revoke = page.getByRole('button', { name: `Revoke the key that ends in ${key.slice(-4)}` });
      await revoke.click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await opens(key), true);
      await revoke.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await status('keys')
        .getByText(/was revoked/)
        .waitFor();
      assert.equal(await opens(key), false);
      await page.locator('#key-list .revoked', { hasText: key.slice(-4) }).waitFor();
    });

    it('are limited to three, with a message', async () => {
      while ((await keyRows().count()) < 3) await create();
      await page.getByRole('button', { name: 'Create key' }).click();
      await status('keys')
        .getByText(/3 active keys.*revoke one first/)
        .waitFor();
    });
  });
});
