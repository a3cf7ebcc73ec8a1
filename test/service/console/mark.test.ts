import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { withMark, withoutMark } from '@herald-speech/client';
import { wavOf } from '../../support/audio-files.js';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useConsole } from './use-console.js';

describeInBrowser('the mark of synthetic speech in the console', () => {
  const shared = useConsole();
  const { status } = shared;
  let page: Page;
  beforeEach(() => {
    ({ page } = shared.console());
  });

  const check = (buffer: Uint8Array, label = 'Check an audio file') =>
    page
      .getByLabel(label)
      .setInputFiles({ name: 'a.wav', mimeType: 'audio/wav', buffer: Buffer.from(buffer) });

  it('shows the public key of the service', async () => {
    const reply = await shared.service().send('GET', '/console/api/mark');
    const { key } = (await reply.json()) as { key: string };
    await page.locator('#mark').getByText(key).waitFor();
  });

  it('says of a file if this Herald made it, and if it is unchanged', async () => {
    const body = { text: 'Hello.', language: 'en' };
    const reply = await shared.service().send('POST', '/v1/text-to-speech/slt', body);
    const spoken = Buffer.from(await reply.arrayBuffer());
    const changed = Buffer.from(spoken);
    changed.writeInt16LE(changed.readInt16LE(2000) + 1, 2000);
    for (const [file, verdict] of [
      [spoken, 'Made by this Herald, unchanged.'],
      [changed, 'Changed after it was signed.'],
      [withMark(spoken, {}), 'Marked as synthetic speech, but not signed.'],
      [withoutMark(spoken), 'No mark. It may have been removed.'],
      [Buffer.from('<html></html>'), 'Not a readable WAV, MP3, AAC, FLAC or Ogg Opus file.'],
    ] as const) {
      await check(file);
      await status('mark').getByText(verdict).waitFor();
    }
    assert.equal(await status('mark').getAttribute('data-tone'), 'bad');
  });

  it('forgets the former file before the user chooses one, so that the same file is checked again', async () => {
    await check(wavOf());
    await status('mark').getByText('No mark. It may have been removed.').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByLabel('Check an audio file').click();
    await chooser;
    assert.equal(await page.getByLabel('Check an audio file').inputValue(), '');
    assert.equal(await status('mark').textContent(), '');
  });

  it('says in the language of the page that a file is not readable audio', async () => {
    await page.getByLabel('Language of the page').selectOption('Deutsch');
    for (const file of ['<html></html>', 'fLaC']) {
      await check(Buffer.from(file), 'Audiodatei prüfen');
      await status('mark').getByText('Keine lesbare Datei in WAV, MP3, AAC, FLAC oder Ogg Opus.').waitFor();
    }
  });
});
