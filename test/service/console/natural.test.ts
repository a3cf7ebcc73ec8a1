import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, sharedBrowser } from '../../support/browser/browser.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { type MirrorFault, type VoiceMirror, withVoiceMirror } from '../../support/natural/voice-mirror.js';
import { filesOf, skipMeasurement, writeRepository } from '../../support/natural/voice-repository.js';
import { until } from '../../support/waiting.js';
import { accessible } from './accessible.js';
import { type Console, openConsole } from './open-console.js';

const BELL = 'en_US-bell-medium';
const HORN = 'en_GB-horn-low';
const FLUTE = 'de_DE-flute-high';

describeInBrowser('natural voices in the console', () => {
  let browser: Browser;
  let service: TestService;
  let mirror: VoiceMirror;
  let console: Console;
  let page: Page;
  /** Faults of the mirror by the path of the file. */
  const faults = new Map<string, MirrorFault>();
  let endMirror: () => Promise<void>;
  let repository = '';

  before(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-repository-'));
    repository = folder;
    await writeRepository(folder, [
      { name: BELL, licence: 'CC0' },
      { name: HORN, licence: 'CC BY-NC 4.0' },
      { name: FLUTE, speakers: ['low', 'high'] },
    ]);
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    let serving = Promise.resolve();
    mirror = await new Promise<VoiceMirror>((resolve) => {
      const work = (mirror: VoiceMirror) => {
        resolve(mirror);
        return closed;
      };
      serving = withVoiceMirror(folder, work, ({ file }) => faults.get(file));
    });
    endMirror = async () => {
      close();
      await serving;
      await rm(folder, { recursive: true });
    };
    [browser, service] = await Promise.all([sharedBrowser(), startTestService({ voicesUrl: mirror.url })]);
    await service.send('POST', '/console/api/voices/refresh');
    for (const name of [BELL, HORN, FLUTE]) await skipMeasurement(folder, service.data, name);
    console = await openConsole(browser, service);
    ({ page } = console);
  });
  after(async () => {
    await console.close();
    await service.close();
    await endMirror();
  });
  beforeEach(async () => {
    await section().getByLabel('Name or quality').fill('');
    await section().getByLabel('Language').selectOption({ index: 0 });
  });
  afterEach(async function () {
    await page.unrouteAll();
    if (this.currentTest?.isFailed()) await startAgain();
    assert.deepEqual(console.problems, []);
  });

  /** Removes what a failed test left, so that it fails no other test. */
  async function startAgain(): Promise<void> {
    faults.clear();
    for (const name of [BELL, HORN, FLUTE]) {
      await service.send('DELETE', `/console/api/voices/${name}/job`);
      await service.send('DELETE', `/console/api/voices/${name}`);
      await skipMeasurement(repository, service.data, name);
    }
    await page.goto('about:blank');
    await page.goto(service.consoleLink(), { waitUntil: 'networkidle' });
  }

  const section = () => page.locator('#natural');
  const status = (text: string | RegExp) => page.locator('#natural-status', { hasText: text }).waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: name === 'Speak' }).click();
  /** Presses a button by its key: a page that loads again moves to its former place, and a click meanwhile can miss the button. */
  const pressByKey = (name: string) => page.getByRole('button', { name }).press('Enter');
  /** Presses the button of a voice in the list. */
  const pressInstall = (name: string) =>
    section()
      .getByRole('button', { name: `Install ${name}` })
      .click();
  const rows = (list: string) => page.locator(`[aria-labelledby=natural-${list}] .named strong`);
  const accept = async (name: string) => {
    await pressInstall(name);
    await page.locator('.terms pre').waitFor();
    await press('Accept and install');
  };

  it('are found by language and words after a refresh of the list, and play their samples', async () => {
    await press('Refresh the list');
    await status('The list is up to date.');
    assert.deepEqual(await rows('offered').allTextContents(), ['Bell', 'Horn', 'Flute']);
    await section().getByLabel('Name or quality').fill('flute');
    assert.deepEqual(await rows('offered').allTextContents(), ['Flute']);
    await section().getByLabel('Name or quality').fill('british low');
    assert.deepEqual(await rows('offered').allTextContents(), ['Horn']);
    const sample = page.waitForResponse(/\/sample$/);
    await press('Play sample of Horn');
    assert.equal((await sample).status(), 200);
    await page.locator('.play[aria-pressed=true][aria-busy=false]').waitFor();
    await section().getByLabel('Language').selectOption('German (1)');
    await page.getByText('No voice matches').waitFor();
    await press('Show voices of other languages (1)');
    assert.deepEqual(await rows('offered').allTextContents(), ['Horn']);
    await section().getByLabel('Name or quality').fill('flute');
    await page.getByText('German (Germany) · High quality · 2 speakers').waitFor();
  });

  it('get a three times faster runtime by one press, whose progress and reason of a failure the page shows', async () => {
    const job = { phase: 'download', bytes: 2e7, total: 1e8, error: null, kind: null, isDone: false };
    const state = {
      isInstalled: false,
      isOutdated: true,
      bytes: 46e6,
      downloadBytes: 1e8,
      obstacle: '',
      job: null as object | null,
    };
    const changes: string[] = [];
    await page.route('**/console/api/native-runtime', (route) => {
      const method = route.request().method();
      if (method !== 'GET') changes.push(method);
      if (method !== 'GET') state.job = job;
      return route.fulfill({ status: method === 'GET' ? 200 : 202, json: method === 'GET' ? state : job });
    });
    /** Presses a button, and waits for its request: a state that is set before the request would be replaced by it. */
    const change = async (name: string, pressed = press) => {
      const before = changes.length;
      await pressed(name);
      await until(() => changes.length > before);
    };
    await page.reload();
    await section().getByText('made for another version of Herald').waitFor();
    await change('Update (46 MB)', pressByKey);
    await section().getByText('Downloading 20 MB of 100 MB').waitFor();
    Object.assign(state, { isInstalled: true, isOutdated: false, job: { ...job, isDone: true } });
    await section().getByText('The native runtime is installed. Voices use it at once.').waitFor();
    await change('Remove the native runtime');
    Object.assign(state, { isInstalled: false, job: { ...job, isDone: true } });
    await change('Install the three times faster runtime (46 MB)');
    state.job = { ...job, isDone: true, error: 'npm failed (ENOTFOUND).' };
    await section().getByText('Message of the service: npm failed (ENOTFOUND).').waitFor();
    await change('Install the three times faster runtime (46 MB)');
    await section().getByRole('progressbar', { name: 'Installation of the native runtime' }).waitFor();
    Object.assign(state, { isInstalled: true, job: { ...job, isDone: true } });
    await section().getByText('The native runtime is installed. Voices use it at once.').waitFor();
    await change('Remove the native runtime');
    Object.assign(state, { isInstalled: false, obstacle: 'musl', job: { ...job, isDone: true } });
    await section().getByText('it does not run on Alpine Linux').waitFor();
    assert.equal(await page.getByRole('button', { name: /three times faster/ }).count(), 0);
    assert.deepEqual(changes, ['POST', 'DELETE', 'POST', 'POST', 'DELETE']);
  });

  it('are listed as in the newest reply, also if an older reply arrives later', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let count = 0;
    await page.route('**/console/api/voices', async (route) => {
      count += 1;
      if (count > 1) return route.continue();
      const reply = await (await route.fetch()).json();
      await held;
      await route.fulfill({ json: { ...reply, voices: [] } });
    });
    await press('Refresh the list');
    await until(() => count === 1);
    await pressInstall('Horn');
    await page.locator('.terms pre').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(count, 2);
    release();
    await status('The list is up to date.');
    assert.deepEqual(await rows('offered').allTextContents(), ['Bell', 'Horn', 'Flute']);
  });

  it('are offered in the language of the page, and installed by one press if the licence is known', async () => {
    const offer = page.locator('#voice-offer');
    await offer.getByText('sound robotic').waitFor();
    await offer.getByRole('button', { name: /^Install Bell \(.*see model card\)$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Install Bell?' });
    await dialog.getByText('Licence: CC0').waitFor();
    await page.keyboard.press('Escape');
    await offer.getByRole('button', { name: /^Install Bell \(.* MB, CC0\)$/ }).click();
    await status('Bell was installed.');
    assert.equal(await offer.isVisible(), false);
    await press('Remove Bell');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await status('Bell was removed.');
    await skipMeasurement(repository, service.data, BELL);
  });

  it('are installed after consent to the licence, speak, come first in the list, are measured again, and are removed', async () => {
    await pressInstall('Horn');
    const dialog = page.getByRole('dialog', { name: 'Install Horn?' });
    await dialog.getByText('Licence: CC BY-NC 4.0').waitFor();
    await dialog.getByText('Non-commercial use only').waitFor();
    await dialog.getByText(/MB to download/).waitFor();
    await accessible(page, { part: 'dialog[open]' });
    await page.keyboard.press('Escape');
    assert.equal((await service.send('GET', `/console/api/voices/${HORN}/job`)).status, 404);

    await accept('Horn');
    await section().getByLabel('Language').selectOption('English (1)');
    await status('Horn was installed. 3.2 times faster than real time · 181 MB of memory.');
    const record = path.join(service.data, 'voices', HORN, 'installed.json');
    const { consent } = JSON.parse(await readFile(record, 'utf8'));
    assert.match(consent.cardSha256, /^[0-9a-f]{64}$/);
    assert.match(consent.at, /^\d{4}-/);
    const first = page.locator('#voice-list .item').first();
    await first.getByText('Natural', { exact: true }).waitFor();
    await first.getByText(/licence CC BY-NC 4\.0/).waitFor();
    await page.locator('.mark', { hasText: 'Non-commercial use only' }).waitFor();
    await accessible(page, { part: '#natural, #voice-list .item:first-child' });

    const sentence = page.waitForResponse(new RegExp(`/samples/${HORN}/`));
    await press('Play Horn, low quality');
    assert.equal((await sentence).status(), 200);
    await press('Speak with Horn');
    await page.locator('#chosen-voice', { hasText: 'Horn' }).waitFor();
    await page.route('**/text-to-speech/*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-voice-fallback': 'rms' } });
    });
    await page.keyboard.type('Hello.');
    await press('Speak');
    await page.getByText(/s with the simple voice “rms”, because Horn had no audio in time/).waitFor();

    await press('Measure again: Horn, low quality');
    await section().getByRole('progressbar', { name: 'Measurement of Horn' }).waitFor();
    await status(/^Horn was measured\. .* real time/);

    await press('Remove Horn');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await status('Horn was removed.');
    assert.deepEqual(await rows('offered').allTextContents(), ['Bell', 'Horn']);
    assert.ok(!(await console.voices()).includes('Horn'));
  });

  it('show the progress of the installation, also after a reload, until it is cancelled', async () => {
    const [model = ''] = filesOf(BELL);
    faults.set(model, { stallAt: 100 });
    await section().getByRole('button', { name: 'Install Bell' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.terms pre').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/Downloading 0\.0 MB of/).waitFor();
    await page.locator('[aria-labelledby=natural-mine]', { hasText: 'Licence: CC0' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Cancel');
    await page.reload();
    await page.getByText(/Downloading 0\.0 MB of/).waitFor();
    await pressByKey('Cancel the installation of Bell');
    await status('The installation of Bell was cancelled.');
    assert.deepEqual(await rows('offered').allTextContents(), ['Bell', 'Horn', 'Flute']);

    faults.set(model, { content: Buffer.alloc(20) });
    await accept('Bell');
    await page.locator('.natural [data-tone=bad]', { hasText: BELL }).waitFor();
    await accessible(page, { part: '#natural' });
    await press('Dismiss the error of Bell');
    await section().getByRole('button', { name: 'Install Bell' }).waitFor();
  });

  it('report an installation that ended with the service, and continue it', async () => {
    const [model = ''] = filesOf(BELL);
    faults.set(model, { stallAt: 100 });
    await accept('Bell');
    await page.getByText(/Downloading 0\.0 MB of/).waitFor();
    await pressInstall('Horn');
    const { port } = new URL(service.url);
    await service.stop();
    service = await startTestService({ port: Number(port), data: service.data, voicesUrl: mirror.url });
    await page.locator('#sign-in-status', { hasText: 'The session has ended' }).waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    // Another page, as for a user who follows the new link. Its last reply renders the list: a click before it could be lost.
    await page.goto('about:blank');
    await page.goto(service.consoleLink(), { waitUntil: 'networkidle' });
    await page.getByText('The installation stopped, because the service ended.').waitFor();
    faults.clear();
    await press('Try again to install Bell');
    await page.locator('.terms pre').waitFor();
    await press('Accept and install');
    await status('Bell was installed. 3.2 times faster than real time · 181 MB of memory.');
  });

  it('are imported from a folder, which the error of an unreachable repository offers', async () => {
    const [, , card = ''] = filesOf(FLUTE);
    faults.set(card, { status: 404 });
    await pressInstall('Flute');
    const dialog = page.getByRole('dialog', { name: 'Install Flute?' });
    await dialog.getByText(/MODEL_CARD: HTTP status 404/).waitFor();
    faults.clear();
    await page.route('**/card', (route) => route.fulfill({ status: 503, json: { message: 'No network.' } }));
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog
      .getByText(
        'Without a network, choose a folder with its files under “Import from a folder”. Message of the service: No network.',
      )
      .waitFor();
    await page.unroute('**/card');
    await page.keyboard.press('Escape');
    await page.getByText('Import from a folder', { exact: true }).click();
    const folder = page.getByLabel('Path of the folder');
    for (const [place, text] of [
      ['/nowhere', 'The computer of the service has no folder /nowhere. Correct the path.'],
      [path.join(service.data, 'clones'), 'Each voice needs the files NAME.onnx and NAME.onnx.json.'],
    ] as const) {
      await folder.fill(place);
      await press('Import');
      await page.getByText(text).waitFor();
    }
    await accessible(page, { part: '#natural', hasKnownColours: true });
    const files = path.join(repository, path.dirname(card));
    await folder.fill(files);
    await folder.press('Enter');
    await page.getByText(`The voices in ${files} are installed.`).waitFor();
    assert.ok((await rows('mine').allTextContents()).includes('Flute'));
  });

  it('explain a missing package, a read-only folder and a full disk, also with 1000 voices, and are hidden from other accounts', async () => {
    const list = '**/console/api/voices';
    await page.route(list, async (route) => {
      const reply = await (await route.fetch()).json();
      const engine = { isInstalled: false, hint: 'Run "npm install the-package".' };
      const folder = { path: '/voices', isWritable: false, freeBytes: 1000 };
      const horn = reply.voices.find(({ name }: { name: string }) => name === HORN);
      const voices = Array.from({ length: 1000 }, (_, index) => ({ ...horn, name: `${HORN}${index}` }));
      await route.fulfill({ json: { ...reply, engine, folder, voices } });
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await press('Refresh the list');
    await page.locator('.notice code', { hasText: 'npm install the-package' }).waitFor();
    await page.locator('.notice', { hasText: 'cannot write to the voice folder /voices' }).waitFor();
    await page.getByText('not enough free space').first().waitFor();
    const install = section().getByRole('button', { name: 'Install Horn' });
    assert.equal(await install.first().isDisabled(), true);
    await accessible(page, { part: '#natural' });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
    assert.equal(await install.count(), 20);
    await press('Show more (980)');
    assert.equal(await install.count(), 40);
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Play sample of Horn, low quality');

    await page.unroute(list);
    await page.route(list, (route) => route.fulfill({ status: 403, json: { status: 403, message: '' } }));
    const refused = page.waitForResponse(list);
    await page.reload();
    await refused;
    await page.locator('#voice-list .item').first().waitFor();
    assert.equal(await page.getByRole('link', { name: /natural/i }).count(), 0);
    assert.equal(await page.locator('#natural').isHidden(), true);
  });
});
