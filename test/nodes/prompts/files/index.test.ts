import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from '@herald-speech/client';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import type { Browser } from 'playwright-core';
import type { PromptFile } from '../../../../nodes/prompts/files/prompt-file.js';
import { type IndexOptions, writeIndex } from '../../../../nodes/prompts/files/write-index.js';
import { readTable } from '../../../../nodes/prompts/table/read-table.js';
import { accessible } from '../../../service/console/accessible.js';
import { describeInBrowser, sharedBrowser } from '../../../support/browser/browser.js';
import { translatorFor } from '../../../support/node-red/runtime-texts.js';
import { toneFile } from '../../../support/service/service.js';
import { never } from '../../../support/waiting.js';
import { useFolder } from '../../../support/folder.js';

function made(filename: string, text: string, more: Partial<PromptFile> = {}): PromptFile {
  const hash = 'a'.repeat(64);
  const facts = { hash, sha256: hash, bytes: 1, modifiedMs: 1, madeAt: '2026-11-22T09:00:00Z' };
  return { filename, text, seconds: 61.25, voice_id: 'anna', language: 'en', ...facts, ...more };
}

const FILES = [
  made('menu/main menu.wav', 'Press "1" for <b>sales</b> & service.'),
  made('menü #1?.mp3', '「1」を押してください。', { language: 'ja', seconds: 2.04 }),
  made('raw.ulaw', '=HYPERLINK("http://example.com")', { voice_id: '' }),
];

describe('writeIndex', () => {
  const folder = useFolder();
  const at = (name: string) => path.join(folder(), name);
  async function write(files: readonly PromptFile[], language = 'en-US', more: Partial<IndexOptions> = {}) {
    const translator = await translatorFor(language);
    return writeIndex(folder(), files, { csv: true, html: true, title: 'IVR', translator, ...more }, never);
  }
  const csv = async (language: string) => {
    await write(FILES, language);
    return readFile(at('index.csv'), 'utf8');
  };

  it('writes the chosen files and returns their paths', async () => {
    assert.deepEqual(await write(FILES), [at('index.csv'), at('index.html')]);
    assert.deepEqual(await write(FILES, 'en-US', { csv: false }), [at('index.html')]);
    assert.deepEqual(await write(FILES, 'en-US', { csv: false, html: false }), []);
    assert.deepEqual((await readdir(folder())).sort(), ['index.csv', 'index.html']);
  });

  it('writes CSV that Excel reads: byte order mark, CRLF, and the separator and decimal mark of the language', async () => {
    assert.equal(
      await csv('en-US'),
      '\uFEFFfilename,text,seconds,language,voice_id\r\n' +
        '"menu/main menu.wav","Press ""1"" for <b>sales</b> & service.",61.25,"en","anna"\r\n' +
        '"menü #1?.mp3","「1」を押してください。",2.04,"ja","anna"\r\n' +
        `"raw.ulaw","'=HYPERLINK(""http://example.com"")",61.25,"en",""\r\n`,
    );
    assert.match(
      await csv('de'),
      /^\uFEFFfilename;text;seconds;language;voice_id\r\n.*;61,25;"en";"anna"\r\n/,
    );
    assert.match(await csv('es'), /;61,25;/);
    for (const language of ['ja', 'ko']) assert.match(await csv(language), /,61\.25,/);
  });

  for (const text of [
    '=1+1',
    '+49 30',
    '-5 degrees',
    '@home',
    '\t=1',
    '\r=1',
    ' =1',
    '\n+1',
    '\u0000=1',
    '＝1',
  ]) {
    it(`writes ${JSON.stringify(text)} as text, not as a formula`, async () => {
      await write([made('a.wav', text)]);
      const [row] = parse(await readFile(at('index.csv')), { bom: true, columns: true });
      assert.deepEqual(z.object({ text: z.string() }).parse(row).text, `'${text}`);
    });
  }

  it('writes CSV from which a reader gets any text back, and that is a table of prompts again', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }),
        fc.constantFrom('en-US', 'de'),
        async (texts, language) => {
          const files = texts.map((text, index) => made(`${index}.wav`, `A ${text}`));
          await write(files, language, { html: false });
          const bytes = await readFile(at('index.csv'));
          const options = { bom: true, columns: true, delimiter: language === 'de' ? ';' : ',' };
          const rows = z.array(z.object({ text: z.string() })).parse(parse(bytes, options));
          assert.deepEqual(
            rows.map(({ text }) => text),
            files.map(({ text }) => text),
          );
          const { wrong } = await readTable(bytes, {
            extensionOf: () => 'wav',
            isFormat: () => false,
            markup: 'remove',
          });
          assert.deepEqual(
            wrong.map(({ problems }) => problems),
            [],
          );
        },
      ),
      { numRuns: 15 },
    ));

  it('replaces an index only when the new one is complete', async () => {
    await write(FILES);
    const before = await readFile(at('index.html'), 'utf8');
    const stopped = new Error('stopped');
    const options = { csv: true, html: true, title: '', translator: await translatorFor('en-US') };
    await assert.rejects(writeIndex(folder(), [], options, AbortSignal.abort(stopped)), stopped);
    assert.equal(await readFile(at('index.html'), 'utf8'), before);
    assert.deepEqual((await readdir(folder())).sort(), ['index.csv', 'index.html']);
  });

  it('does not follow a link out of the folder', async () => {
    await mkdir(at('inner'));
    await writeFile(at('page.html'), 'former');
    await symlink(at('page.html'), at('inner/index.html'));
    const options = { csv: false, html: true, title: '', translator: await translatorFor('en-US') };
    const writing = writeIndex(at('inner'), FILES, options, never);
    await assert.rejects(writing, { code: 'bad-request', message: /outside the folder/ });
    assert.equal(await readFile(at('page.html'), 'utf8'), 'former');
  });

  const headings = {
    'en-US': ['IVR', 'Files: 3, duration 0:02:05', 'No.', 'Text', 'File', 'Duration', 'Player'],
    de: ['IVR', 'Dateien: 3, Dauer 0:02:05', 'Nr.', 'Text', 'Datei', 'Dauer', 'Player'],
    es: ['IVR', 'Archivos: 3, duración 0:02:05', 'N.º', 'Texto', 'Archivo', 'Duración', 'Reproductor'],
    ja: ['IVR', 'ファイル数: 3、長さ 0:02:05', '番号', 'テキスト', 'ファイル', '長さ', 'プレーヤー'],
    ko: ['IVR', '파일: 3개, 길이 0:02:05', '번호', '텍스트', '파일', '길이', '플레이어'],
  };

  describeInBrowser('index.html', () => {
    let browser: Browser;
    before(async () => {
      browser = await sharedBrowser();
    });

    async function open(colorScheme: 'light' | 'dark' = 'light', width = 900) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 700 } });
      const page = await context.newPage();
      await page.goto(pathToFileURL(at('index.html')).href);
      return { page, close: () => context.close() };
    }

    for (const [language, expected] of Object.entries(headings)) {
      it(`has its headings and its language in ${language}`, async () => {
        await write(FILES, language);
        const { page, close } = await open();
        const found = await page.locator('h1, p, th').allInnerTexts();
        assert.deepEqual(found, expected);
        const code = language.slice(0, 2);
        assert.equal(await page.locator('html').getAttribute('lang'), code);
        const seconds = new Intl.NumberFormat(code, {
          style: 'unit',
          unit: 'second',
          minimumFractionDigits: 1,
        });
        assert.equal(await page.locator('.duration').nth(2).innerText(), seconds.format(2));
        await close();
      });
    }

    for (const scheme of ['light', 'dark'] as const) {
      it(`passes the accessibility checker in ${scheme} colours`, async () => {
        await write(FILES);
        const { page, close } = await open(scheme);
        await accessible(page);
        const colour = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        assert.equal(colour, scheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(18, 18, 18)');
        await close();
      });
    }

    it('fits a phone without horizontal scrolling, and passes the accessibility checker there', async () => {
      await write([...FILES, made(`${'long-name-'.repeat(9)}.wav`, 'long'.repeat(90))]);
      const { page, close } = await open('light', 360);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
      await accessible(page);
      await close();
    });

    it('plays each file under its relative address, and has no player for raw audio', async () => {
      await write(FILES);
      await mkdir(at('menu'));
      for (const { filename } of FILES) await writeFile(at(filename), toneFile(440, 2));
      const { page, close } = await open();
      assert.equal(await page.locator('audio').count(), 2);
      const durations =
        await page.evaluate(`Promise.all([...document.querySelectorAll('audio')].map(async (audio) => {
        audio.preload = 'metadata';
        await new Promise((resolve, reject) => {
          audio.onloadedmetadata = resolve;
          audio.onerror = () => reject(new Error(audio.error.message));
        });
        return [audio.getAttribute('aria-label'), audio.duration];
      }))`);
      assert.deepEqual(durations, [
        ['Play menu/main menu.wav', 2],
        ['Play menü #1?.mp3', 2],
      ]);
      const links = await page.evaluate(`[...document.links].map((link) => link.getAttribute('href'))`);
      assert.deepEqual(links, ['menu/main%20menu.wav', 'men%C3%BC%20%231%3F.mp3', 'raw.ulaw']);
      await close();
    });

    it('shows any texts, names and titles verbatim, and runs no script', async () => {
      const evil = `"><script>document.title='run'</script><img src=x onerror="document.title='run'">&lt;'`;
      const file = made(`${evil.replaceAll('/', '')}.wav`, evil, {
        language: `en" onclick="x`,
        voice_id: evil,
      });
      await write([file], 'en-US', { title: evil });
      const { page, close } = await open();
      assert.equal(await page.title(), evil);
      assert.equal(await page.locator('h1').innerText(), evil);
      assert.equal(await page.locator('td.text').innerText(), evil);
      assert.equal(await page.locator('td.file').innerText(), file.filename);
      assert.equal(await page.locator('script, img, [onclick]').count(), 0);
      await close();
    });

    it('has a default title, and prints without players, with the headings on each page', async () => {
      await write(FILES, 'de', { title: ' ' });
      const { page, close } = await open();
      assert.equal(await page.title(), 'Ansagen');
      await page.emulateMedia({ media: 'print' });
      assert.deepEqual(await page.locator('th:visible').allInnerTexts(), headings.de.slice(2, -1));
      assert.equal(await page.locator('audio:visible').count(), 0);
      const display = await page.evaluate(`getComputedStyle(document.querySelector('thead')).display`);
      assert.equal(display, 'table-header-group');
      await close();
    });
  });
});
