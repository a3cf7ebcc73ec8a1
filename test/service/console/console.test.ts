import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { inspectAudio } from '@herald-speech/client';
import type { Page, Request } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/browser.js';
import { TEXT, useConsole } from './use-console.js';

describeInBrowser('the console', () => {
  const shared = useConsole();
  const { heard, status } = shared;
  let page: Page;
  beforeEach(() => {
    ({ page } = shared.console());
  });

  describe('speech', () => {
    beforeEach(async () => {
      await shared.console().voice('Russell').check();
      await page.getByLabel('Text', { exact: true }).fill('');
    });

    it('plays, has the predicted length, and can be downloaded', async () => {
      await page.getByLabel('Text', { exact: true }).fill(TEXT);
      const predicted = page.locator('#predicted', { hasText: /^About/ });
      const seconds = Number(/[\d.]+/.exec((await predicted.textContent()) ?? '')?.[0]);
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await heard('spoken');
      await status('speak')
        .getByText(`${seconds.toFixed(1)} s with Russell.`)
        .waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download' }).click();
      const file = await download;
      assert.equal(file.suggestedFilename(), 'Russell.wav');
      const { format, duration } = inspectAudio(await readFile(await file.path()));
      assert.equal(format, 'wav');
      assert.ok(Math.abs(duration - seconds) <= 0.05, `${duration}, not ${seconds}`);
    });

    it('is reported although the browser does not start the sound yet', async () => {
      await page.evaluate(`document.getElementById('spoken').play = () => new Promise(() => undefined)`);
      await page.getByLabel('Text', { exact: true }).fill(TEXT);
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await status('speak')
        .getByText(/ s with Russell\.$/)
        .waitFor();
      await page.evaluate(`delete document.getElementById('spoken').play`);
    });

    it('is not requested for a text that is too long', async () => {
      let sent = 0;
      const count = (request: Request) => (sent += /text-to-speech/.test(request.url()) ? 1 : 0);
      page.on('request', count);
      await page.getByLabel('Text', { exact: true }).fill('x'.repeat(301));
      await page.getByText('301 of 300 characters').waitFor();
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await page.getByLabel('Text', { exact: true }).fill('Now it fits.');
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await heard('spoken');
      page.off('request', count);
      assert.equal(sent, 1);
    });

    it('is replaced by the error message if the service refuses the request', async () => {
      await page.getByLabel('Text', { exact: true }).fill('?!');
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await status('speak')
        .getByText(/at least one letter or digit/)
        .waitFor();
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
      await page.locator('#speak-form').getByText('Settings').click();
    });

    it('has the selected voice, style, model, format and settings', async () => {
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

    it('continues with the same text after a restart of the service, with a new link', async () => {
      // A prediction after the restart would end the session before the click.
      const predicted = page.waitForResponse(/predict-duration/);
      await page.getByLabel('Text', { exact: true }).fill(TEXT);
      await predicted;
      await shared.restart();
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      const ended = page.locator('#sign-in-status', {
        hasText: /The session has ended.*herald-service console/,
      });
      await ended.waitFor();
      // A prediction that was delayed until now keeps the reason on the page.
      const late = page.waitForResponse(/predict-duration/);
      await page.locator('#text').dispatchEvent('input', { bubbles: true });
      assert.equal((await late).status(), 401);
      await ended.waitFor();
      await page.goto(shared.service().consoleLink());
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await heard('spoken');
    });
  });

  describe('voices', () => {
    it('are filtered by words and properties', async () => {
      const all = await shared.console().voices();
      await page.getByLabel('Gender').selectOption('male');
      await page.getByLabel('Use case').selectOption('audiobook');
      const found = await shared.console().voices();
      assert.ok(found.length > 0 && found.length < all.length, found.join());
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByLabel('Name or description').fill('scottish');
      assert.deepEqual(await shared.console().voices(), ['Angus']);
      await page.getByLabel('Name or description').fill('nobody at all');
      await status('voices').getByText('No voice matches the filters.').waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
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
