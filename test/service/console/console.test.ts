import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inspectAudio, operations } from '@herald-speech/client';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../../support/browser.js';
import { startTestService, type TestService, toneFile } from '../../support/service.js';
import { type Console, openConsole } from './open-console.js';

const TEXT = 'Good morning. The train leaves from platform four.';
const CLONED = '.rows#custom-voices strong';

describeInBrowser('the console', () => {
  let browser: Browser;
  let service: TestService;
  let console: Console;
  let page: Page;
  before(async () => {
    service = await startTestService();
    const sound = path.join(service.data, 'voice.wav');
    await writeFile(sound, toneFile(150, 4));
    browser = await launchBrowser([`--use-file-for-fake-audio-capture=${sound}`]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });
  beforeEach(async () => {
    console = await openConsole(browser, service.url);
    ({ page } = console);
  });
  afterEach(async () => {
    await console.close();
    assert.deepEqual(console.problems, []);
  });

  /** Waits until an audio element has played 0.1 seconds. Polls from outside, because the page's policy forbids `eval`. */
  const heard = async (id: string) => {
    while ((await page.evaluate(`document.getElementById('${id}').currentTime > 0.1`)) !== true) {
      await page.waitForTimeout(20);
    }
  };
  const status = (id: string) => page.locator(`#${id}-status`);
  const customVoices = async () => {
    const reply = await service.send('GET', '/v1/custom-voices');
    return operations.listCustomVoices.response.parse(await reply.json()).items.map(({ name }) => name);
  };
  const clone = async (name: string) => {
    const form = new FormData();
    form.append('name', name);
    form.append('files', new Blob([toneFile(120, 2)]), 'voice.wav');
    await service.send('POST', '/v1/custom-voices/cloned-voice', form);
    await page.reload();
    await page.getByRole('button', { name: `Delete ${name}` }).waitFor();
  };

  describe('speech', () => {
    it('plays, has the predicted length, and can be downloaded', async () => {
      await page.getByLabel('Text', { exact: true }).fill(TEXT);
      const predicted = page.locator('#predicted', { hasText: /^About/ });
      const seconds = Number(/[\d.]+/.exec((await predicted.textContent()) ?? '')?.[0]);
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await heard('spoken');
      await status('speak')
        .getByText(`${seconds.toFixed(1)} s with Selma.`)
        .waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download' }).click();
      const file = await download;
      assert.equal(file.suggestedFilename(), 'Selma.wav');
      const { format, duration } = inspectAudio(await readFile(await file.path()));
      assert.equal(format, 'wav');
      assert.ok(Math.abs(duration - seconds) <= 0.05, `${duration}, not ${seconds}`);
    });

    it('has the selected voice, style, model, format and settings', async () => {
      await console.voice('Russell').check();
      const form = page.locator('#speak-form');
      await form.getByLabel('Text', { exact: true }).fill(TEXT);
      await form.getByLabel('Style').selectOption('sad');
      await form.getByLabel('Model').selectOption('main_speech_2');
      await form.getByLabel('Format').selectOption('mp3');
      await form.getByText('Settings').click();
      await form.getByLabel('Speed').fill('1.5');
      await form.getByLabel('Pitch shift').fill('-2');
      const request = page.waitForRequest(/text-to-speech/);
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      const sent = await request;
      assert.match(sent.url(), /\/v1\/text-to-speech\/rms$/);
      assert.deepEqual(sent.postDataJSON(), {
        text: TEXT,
        language: 'en',
        style: 'sad',
        model: 'main_speech_2',
        voice_settings: { speed: 1.5, pitch_shift: -2 },
        output_format: 'mp3',
      });
      await heard('spoken');
    });

    it('has sliders that are enabled for the settings of the model only', async () => {
      await page.locator('#speak-form').getByText('Settings').click();
      const isEnabled = async () => [
        await page.getByLabel('Speed').isEnabled(),
        await page.getByLabel('Pitch variance').isEnabled(),
      ];
      assert.deepEqual(await isEnabled(), [true, true]);
      await page.locator('#speak-form').getByLabel('Model').selectOption('compact_api_3');
      assert.deepEqual(await isEnabled(), [true, false]);
    });

    it('is not requested for a text that is too long', async () => {
      let sent = 0;
      page.on('request', (request) => (sent += /text-to-speech/.test(request.url()) ? 1 : 0));
      await page.getByLabel('Text', { exact: true }).fill('x'.repeat(301));
      await page.getByText('301 of 300 characters').waitFor();
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await page.getByLabel('Text', { exact: true }).fill('Now it fits.');
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await heard('spoken');
      assert.equal(sent, 1);
    });

    it('is replaced by the error message if the service refuses the request', async () => {
      await page.getByLabel('Text', { exact: true }).fill('?!');
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await status('speak')
        .getByText(/at least one letter or digit/)
        .waitFor();
    });

    it('works after a restart of the service', async () => {
      const { port } = new URL(service.url);
      await service.stop();
      service = await startTestService({ port: Number(port), data: service.data });
      await page.getByLabel('Text', { exact: true }).fill(TEXT);
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await heard('spoken');
    });
  });

  describe('voices', () => {
    it('are filtered by words and properties', async () => {
      const all = await console.voices();
      await page.getByLabel('Gender').selectOption('male');
      await page.getByLabel('Use case').selectOption('audiobook');
      const found = await console.voices();
      assert.ok(found.length > 0 && found.length < all.length, found.join());
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByLabel('Name or description').fill('scottish');
      assert.deepEqual(await console.voices(), ['Angus']);
      await page.getByLabel('Name or description').fill('nobody at all');
      await status('voices').getByText('No voice matches the filters.').waitFor();
    });

    it('play their samples without a selection, one at a time', async () => {
      const playing = page.locator('.play[aria-pressed=true]');
      const sample = page.waitForResponse(/\/samples\/rms\//);
      await page.getByRole('button', { name: 'Play Russell' }).click();
      assert.equal((await sample).status(), 200);
      await page.getByRole('button', { name: 'Play Selma' }).click();
      assert.deepEqual(await playing.evaluateAll((all) => all.map((button) => button.ariaLabel)), [
        'Play Selma',
      ]);
      await playing.waitFor({ state: 'detached' });
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
      assert.deepEqual(await customVoices(), ['Grandmother']);
      assert.equal(await console.voice('Grandmother').isChecked(), true);
      await page.getByLabel('Text', { exact: true }).fill(TEXT);
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await heard('spoken');
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
      const buffer = Buffer.alloc(3_000_001);
      await page
        .getByLabel('WAV or MP3 file')
        .setInputFiles({ name: 'long.wav', mimeType: 'audio/wav', buffer });
      await status('clone').getByText('long.wav has 3.0 MB').waitFor();
      await page.locator('#clone-form').getByLabel('Name').fill('Long');
      await page.getByRole('button', { name: 'Clone', exact: true }).click();
      await status('clone').getByText('No sample. Choose a file or record one.').waitFor();
    });

    it('can be renamed, and deleted after a confirmation', async () => {
      await clone('Station');
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
      const name = `<img src=x onerror="document.title='taken over'">`;
      await clone(name);
      await page.locator(CLONED, { hasText: name }).waitFor();
      assert.equal(await page.title(), 'Herald console');
      assert.equal(await page.locator('img[src=x]').count(), 0);
    });
  });

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
      await page.reload();
      await page.getByText('No usage in the last 14 days.').waitFor();
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
      const reply = await fetch(`${service.url}/v1/credits`, { headers: { 'x-sup-api-key': key } });
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

  it('works with the keyboard only', async () => {
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(name)})`)) return;
      }
      assert.fail(`the keyboard does not reach ${name}`);
    };
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tabTo('#voice-list input:checked');
    await page.keyboard.press('ArrowDown');
    const chosen = await page.locator('#chosen-voice').textContent();
    await tabTo('.play');
    await page.keyboard.press('Enter');
    await page.locator('.play[aria-pressed=true]').waitFor();
    await tabTo('#text');
    await page.keyboard.type(TEXT);
    await tabTo('#speak-button');
    await page.keyboard.press('Enter');
    await heard('spoken');
    await status('speak').getByText(`with ${chosen}`).waitFor();
  });
});
