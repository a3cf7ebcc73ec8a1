import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { type Script, type ScriptedServer, withServer } from '../../../support/net/scripted-server.js';
import { useParts } from '../../../support/use-parts.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { goodService, voiceOf } from '../../admin/asking.js';
import { naturalService, RUNNING } from '../../admin/natural-service.js';
import { accountOf, nodeOf } from '../saved.js';

const axe = createRequire(__filename).resolve('axe-core/axe.min.js');
const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  nodeOf('tts', 'text-to-speech', 0),
  { ...nodeOf('local', 'text-to-speech', 1), account: '' },
  accountOf(),
];
const ANNA = 'de_DE-anna-medium';
const SLOW = '1.2 times slower than real time, measured at its installation';

describeInBrowser('natural voices in the voice picker', () => {
  const { editor } = useSharedEditor(flows);
  before(async () => {
    await editor().page.addScriptTag({ path: axe });
  });
  afterEach(() => assert.deepEqual(editor().problems.splice(0), []));

  const page = () => editor().page;
  const rows = () => page().locator('.herald-natural-row');
  const anna = () => rows().filter({ hasText: ANNA });
  const button = (name: string | RegExp) => page().getByRole('button', { name });

  /** Sets the language of the account, and closes a dialog with another one. */
  async function setLanguage(language: string): Promise<void> {
    if (language === shownLanguage) return;
    await editor().cancel();
    await page().evaluate(`RED.nodes.node('account').language = ${JSON.stringify(language)}`);
    shownLanguage = language;
  }
  let shownLanguage = '';

  /** The replies of the hosted service of a test. All tests share a server, so that they can share a dialog. */
  let current: Script = goodService;
  const server = useParts<ScriptedServer>((work) =>
    withServer((request, index) => current(request, index), work),
  );
  before(async () => {
    const account = {
      service: 'hosted',
      url: server().url,
      // The limit of one service counts the requests of all tests.
      requestsPerMinute: '10000',
      credentials: { apiKey: 'typed' },
      changed: true,
    };
    await page().evaluate(`Object.assign(RED.nodes.node('account'), ${JSON.stringify(account)})`);
  });

  /** Runs a test with a hosted service that has natural voices. */
  const withNatural = async (
    natural: ReturnType<typeof naturalService>,
    work: (requests: readonly { method: string; path: string }[]) => Promise<void>,
  ) => {
    const script: Script = (request, index) => {
      const installed = [...natural.installed].map((id) =>
        voiceOf(id, {
          name: 'Anna',
          language: ['de'],
          natural: true,
          quality: 'medium',
          licence: 'CC BY-NC 4.0',
          non_commercial: true,
          live: false,
          real_time_factor: 1.2,
        }),
      );
      if (request.path === '/v1/voices/search') return { body: { items: [...installed, voiceOf('simple')] } };
      const one = installed.find(({ voice_id }) => request.path === `/v1/voices/${voice_id}`);
      return one ? { body: one } : (natural.routes(request) ?? goodService(request, index));
    };
    current = script;
    const { requests } = server();
    requests.length = 0;
    await setLanguage('de');
    await work(requests);
  };

  /** Resolves after the page has received the next reply of an endpoint. */
  async function answerOf(name: string): Promise<void> {
    const reply = await page().waitForResponse((one) => one.url().endsWith(`/herald/${name}`));
    await reply.finished();
  }

  /** Returns the texts of natural voices in the picker that are cut off. */
  const CUT_OFF = `[...document.querySelectorAll('.herald-voice-row .herald-badge, .herald-natural-facts')]
    .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      clientWidth > 0 && (scrollWidth > clientWidth || scrollHeight > clientHeight + 1))
    .map(({ textContent }) => textContent)`;

  /** Opens the picker in a new dialog. */
  async function openPicker(id = 'tts'): Promise<void> {
    await editor().cancel();
    await editor().open(id);
    await button('Find a voice').click();
    await page().locator('.herald-voice-row').first().waitFor();
  }

  /** Opens the list of natural voices, again if it is open. Keeps the dialog of the test before. */
  async function openNatural(): Promise<void> {
    const back = page().locator('.herald-natural-heading button');
    if (await back.isVisible()) await back.click();
    else await openPicker();
    await page().locator('.herald-voice-row').first().waitFor();
    await button('More voices …').click();
    await rows().first().waitFor();
  }

  /** Presses the buttons up to the start of an installation. */
  async function startInstallation(): Promise<void> {
    await button('Install Anna').click();
    await button('Accept and install').click();
    await anna().getByRole('progressbar').waitFor();
  }

  it('shows the licence and the size before it installs a voice, which one click then chooses', () => {
    const natural = naturalService();
    return withNatural(natural, async (requests) => {
      await openNatural();
      assert.equal(await page().getByLabel('Any language').inputValue(), '');
      assert.deepEqual(await rows().locator('strong').allTextContents(), ['Anna', 'Thorsten', 'Alan']);
      await anna().getByText('CC BY-NC 4.0 (non-commercial use only)').waitFor();
      await button('Install Anna').click();
      await page().getByText('Size: 63 MB. Licence: CC BY-NC 4.0 (non-commercial use only).').waitFor();
      await page().getByText('Model card for anna').waitFor();
      assert.ok(!requests.some(({ method }) => method === 'POST'));
      await button('Accept and install').click();
      await anna().getByText('Downloading: 21 of 63 MB').waitFor();
      natural.end(ANNA);
      await page().getByText('Anna is installed.').waitFor();
      await anna().getByText('not for live announcements').waitFor();
      // A text, and not a tooltip: the keyboard and a touch screen reach it too.
      await anna().getByText(SLOW).waitFor();
      await button('Use this voice: Anna').click();
      await page().locator('.herald-picker').waitFor({ state: 'detached' });
      assert.equal(await page().locator('#node-input-voice_id-value').inputValue(), ANNA);
      assert.equal(await page().locator('#node-input-language-value').inputValue(), 'German');
      await page().getByText(`not for live announcements · ${SLOW}`).waitFor();
      await button('Find a voice').click();
      const first = page().locator('.herald-voice-row').filter({ hasText: 'natural' });
      await first.getByText('medium quality · CC BY-NC 4.0 · female · German').waitFor();
      await first.getByText(SLOW).waitFor();
      assert.deepEqual(await first.locator('.herald-badge').allTextContents(), [
        'natural',
        'non-commercial use only',
        'not for live announcements',
      ]);
      assert.deepEqual(await page().evaluate(CUT_OFF), []);
    });
  });

  it('goes on with an installation while the dialog is closed, cancels it, shows the reason of a failure, and has no problem that axe finds', () => {
    const natural = naturalService();
    natural.installed.add('de_DE-thorsten-high');
    return withNatural(natural, async (requests) => {
      await openNatural();
      await startInstallation();
      await editor().cancel();
      await openNatural();
      assert.ok(!requests.some(({ method }) => method === 'DELETE'));
      assert.ok(await anna().getByRole('progressbar').isVisible());
      await button('Install Alan').click();
      await button('Accept and install').waitFor();
      assert.deepEqual(await violations(), []);
      await rows().filter({ hasText: 'Alan' }).getByRole('button', { name: 'Cancel' }).click();
      await button('Cancel the installation of Anna').click();
      await button('Install Anna').waitFor();
      assert.ok(requests.some(({ method, path }) => method === 'DELETE' && path.endsWith('/job')));
      await startInstallation();
      natural.end(ANNA, `${ANNA}: the disk is full: free some space and install the voice again`);
      await anna()
        .getByText('The installation failed. Message of the service: de_DE-anna-medium: the disk')
        .waitFor();
      await button('Install Anna').waitFor();
    });
  });

  it('plays the sample of a voice before its installation, and removes a voice at the second click', () => {
    const natural = naturalService();
    return withNatural(natural, async (requests) => {
      await openNatural();
      assert.equal(await button('Play a sample of Thorsten').count(), 0);
      await watchSound(page());
      await button('Play a sample of Anna').click();
      await untilPlayed(page(), 1);
      await editor().cancel();
      natural.installed.add(ANNA);
      await openNatural();
      await button('Remove Anna').click();
      assert.ok(natural.installed.has(ANNA));
      await button('Remove Anna Remove? Press again.').click();
      await page().getByText('Anna was removed.').waitFor();
      assert.ok(requests.some(({ method, path }) => method === 'DELETE' && path.endsWith(ANNA)));
    });
  });

  it('measures an installed voice again, with progress, and shows the reason of a failure', () => {
    const natural = naturalService({ folder: { isWritable: false } });
    natural.installed.add(ANNA);
    return withNatural(natural, async (requests) => {
      await openNatural();
      await button('Measure again: Anna').click();
      const bar = anna().getByRole('progressbar', { name: 'Measurement of Anna' });
      await anna().getByText('Measuring the speed').waitFor();
      assert.deepEqual([await bar.getAttribute('value'), await bar.getAttribute('max')], ['3', '8']);
      await button('Cancel the measurement of Anna').click();
      await button('Measure again: Anna').click();
      await bar.waitFor();
      natural.end(ANNA);
      await anna().getByText('Anna was measured.').waitFor();
      await button('Measure again: Anna').click();
      await bar.waitFor();
      natural.end(ANNA, 'the model returns only silence');
      await anna().getByText('The measurement failed. Message of the service: the model returns').waitFor();
      await button('Use this voice: Anna').waitFor();
      const posts = requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
      assert.deepEqual(new Set(posts), new Set([`/console/api/voices/${ANNA}/measurement`]));
    });
  });

  it('searches by words and language, and works with the keyboard alone', () =>
    withNatural(naturalService(), async () => {
      await openPicker();
      await button('More voices …').press('Enter');
      await rows().first().waitFor();
      assert.equal(await page().evaluate('document.activeElement.type'), 'search');
      await page().keyboard.type('alan british');
      await rows().nth(1).waitFor({ state: 'detached' });
      await rows().filter({ hasText: '3 speakers' }).waitFor();
      await page().keyboard.press('Escape');
      await page().locator('.herald-voice-row').first().waitFor();
      assert.equal(await page().evaluate('document.activeElement.textContent'), 'More voices …');
      await page().keyboard.press('Enter');
      await rows().first().waitFor();
      await page().route('**/herald/natural-voices/card', async (route) => {
        const name = await page().evaluate('document.activeElement.ariaLabel');
        assert.equal(name, 'Install Anna', 'the focus while the licence loads');
        await route.continue();
      });
      await button('Install Anna').press('Enter');
      await button('Accept and install').waitFor();
      await page().unrouteAll();
      assert.equal(await page().evaluate('document.activeElement.textContent'), 'Cancel');
      await page().keyboard.press('Enter');
      assert.equal(await page().evaluate('document.activeElement.ariaLabel'), 'Install Anna');
      await page().keyboard.press('Enter');
      await button('Accept and install').waitFor();
      await page().keyboard.press('Tab');
      await page().keyboard.press('Enter');
      await anna().getByRole('progressbar').waitFor();
      assert.match(
        String(await page().evaluate('document.activeElement.ariaLabel')),
        /^Cancel the installation/,
      );
    }));

  async function violations(rules: object = {}): Promise<unknown[]> {
    const options = JSON.stringify({ resultTypes: ['violations'], rules });
    const found = await page().evaluate(`axe.run('.herald-natural', ${options})`);
    return z.looseObject({ violations: z.array(z.unknown()) }).parse(found).violations;
  }

  it('finds a voice in any language, and says which voices a chosen language hides', () =>
    withNatural(naturalService(), async () => {
      await setLanguage('en');
      await openNatural();
      assert.deepEqual(await rows().locator('strong').allTextContents(), ['Alan', 'Anna', 'Thorsten']);
      await page().keyboard.type('thorsten');
      await rows().nth(1).waitFor({ state: 'detached' });
      assert.deepEqual(await rows().locator('strong').allTextContents(), ['Thorsten']);
      await page().getByLabel('Any language').selectOption('en');
      await page().getByText('No voices found.').waitFor();
      await button('Show voices of other languages (1)').click();
      await rows().filter({ hasText: 'Thorsten' }).waitFor();
      assert.equal(await page().evaluate('document.activeElement.type'), 'search');
    }));

  it('lists the voices of the language that the picker shows', () => {
    const natural = naturalService();
    natural.installed.add(ANNA);
    return withNatural(natural, async () => {
      await setLanguage('en');
      await openPicker();
      await page().locator('select[data-facet=language]').selectOption('de');
      await button('More voices …').click();
      await rows().first().waitFor();
      assert.equal(await page().getByLabel('Any language').inputValue(), 'de');
      assert.deepEqual(await rows().locator('strong').allTextContents(), ['Anna', 'Thorsten']);
      await page().getByLabel('Any language').selectOption('');
      await rows().filter({ hasText: 'Alan' }).waitFor();
    });
  });

  it('offers a folder if the voice repository does not answer', () => {
    const natural = naturalService();
    return withNatural(natural, async () => {
      await openNatural();
      assert.equal(await page().getByLabel('Path of the folder').isVisible(), false);
      await startInstallation();
      const problem = 'the network is down. Run herald-service voices import FOLDER';
      natural.end(ANNA, problem, 'network');
      await anna()
        .getByText(
          `Without a network, choose a folder with its files under “Import from a folder”. Message of the service: ${problem}`,
        )
        .waitFor();
      await page().getByLabel('Path of the folder').waitFor();
    });
  });

  it('offers a folder if the voice repository does not deliver the model card, and not after another failure', () => {
    const natural = naturalService();
    natural.installed.add('de_DE-thorsten-high');
    const failed = { status: 503, body: { message: 'HTTP status 500' } };
    const routes: typeof natural.routes = (request) =>
      /\/(sample|card)$/.test(request.path) || request.method === 'DELETE' ? failed : natural.routes(request);
    return withNatural({ ...natural, routes }, async () => {
      await openNatural();
      const folder = page().getByLabel('Path of the folder');
      const problem = (name: string) => rows().filter({ hasText: name }).locator('.herald-problem').waitFor();
      await button('Play a sample of Anna').click();
      await problem('Anna');
      await button('Remove Thorsten').click();
      await button('Remove Thorsten Remove? Press again.').click();
      await problem('Thorsten');
      assert.equal(await folder.isVisible(), false);
      await button('Install Anna').click();
      await folder.waitFor();
    });
  });

  it('imports the voices of a folder, and names the fix if the folder has none', () => {
    const natural = naturalService();
    return withNatural(natural, async (requests) => {
      await openNatural();
      await page().locator('.herald-natural-import summary').click();
      const folder = page().getByLabel('Path of the folder');
      await button('Import').click();
      assert.equal(await page().evaluate('document.activeElement.ariaLabel'), 'Path of the folder');
      await folder.fill('/media/usb');
      await folder.press('Enter');
      await page().getByText('Copying: 21 of 63 MB').waitFor();
      // The contrasts are those of an installation, which another test checks.
      assert.deepEqual(await violations({ 'color-contrast': { enabled: false } }), []);
      natural.endImport({ error: 'no voices', kind: 'no-voices' });
      await page().getByText('/media/usb has no voices. Each voice needs the files').waitFor();
      await button('Import').click();
      await page().getByText('Copying: 21 of 63 MB').waitFor();
      await page().locator('.herald-natural-import').getByRole('button', { name: 'Cancel' }).click();
      await page().getByText('The import was cancelled.').waitFor();
      await button('Import').click();
      await page().getByText('Copying: 21 of 63 MB').waitFor();
      await editor().cancel();
      await openNatural();
      await page().getByText('Copying: 21 of 63 MB').waitFor();
      natural.endImport('de_DE-thorsten-high');
      await page().getByText('The voices in /media/usb are installed.').waitFor();
      assert.equal(await rows().first().locator('strong').textContent(), 'Thorsten');
      await button('Use this voice: Thorsten').waitFor();
      assert.equal(requests.filter(({ method, path }) => method === 'POST' && /import/.test(path)).length, 3);
    });
  });

  it('installs the three times faster runtime with one press, and removes it with two', () => {
    const natural = naturalService();
    return withNatural(natural, async (requests) => {
      await openNatural();
      const box = page().locator('.herald-native');
      await button('Install the three times faster runtime (46 MB)').click();
      await box.getByText('Downloading: 21 of 63 MB').waitFor();
      await button('Cancel the installation of the native runtime').waitFor();
      Object.assign(natural.native, { isInstalled: true, job: { ...RUNNING, isDone: true } });
      await box.getByText('The native runtime is installed. Voices use it at once.').waitFor();
      await box.getByText('Native runtime: about three times faster (46 MB).').waitFor();
      await button('Remove the native runtime').click();
      await button('Remove the native runtime').click();
      await box.getByRole('progressbar').waitFor();
      Object.assign(natural.native, { isInstalled: false, job: { ...RUNNING, isDone: true } });
      await box.getByText('The native runtime was removed. Voices go on with WebAssembly.').waitFor();
      const changes = requests.filter(
        ({ method, path }) => method !== 'GET' && path.endsWith('/native-runtime'),
      );
      assert.deepEqual(
        changes.map(({ method }) => method),
        ['POST', 'DELETE'],
      );
    });
  });

  it('says that the runtime was made for another version of Herald, and updates it', () => {
    const natural = naturalService();
    natural.native.isOutdated = true;
    return withNatural(natural, async () => {
      await openNatural();
      const box = page().locator('.herald-native');
      await box.getByText('made for another version of Herald').waitFor();
      await button('Remove the native runtime').waitFor();
      await button('Update (46 MB)').click();
      await box.getByRole('progressbar').waitFor();
      Object.assign(natural.native, {
        isInstalled: true,
        isOutdated: false,
        job: { ...RUNNING, isDone: true },
      });
      await box.getByText('The native runtime is installed. Voices use it at once.').waitFor();
      assert.equal(await box.getByText('made for another version').count(), 0);
    });
  });

  it('shows the reason of a failed installation of the runtime', () => {
    const natural = naturalService();
    return withNatural(natural, async () => {
      await openNatural();
      await button('Install the three times faster runtime (46 MB)').click();
      await page().locator('.herald-native').getByRole('progressbar').waitFor();
      natural.native.job = { ...RUNNING, isDone: true, error: 'npm failed (ENOTFOUND).', kind: 'network' };
      await page().getByText('Message of the service: npm failed (ENOTFOUND).').waitFor();
      await button('Install the three times faster runtime (46 MB)').waitFor();
    });
  });

  it('shows no button for a runtime that does not run on the system of the service, but the reason', () => {
    const natural = naturalService();
    natural.native.obstacle = 'musl';
    return withNatural(natural, async () => {
      await openNatural();
      await page().getByText('it does not run on Alpine Linux').waitFor();
      assert.equal(await button(/three times faster/).count(), 0);
    });
  });

  it('is not offered by a service without natural voices, or to an account without permission', () => {
    let status = 404;
    const natural = { ...naturalService(), routes: () => ({ status }) };
    return withNatural(natural, async () => {
      await editor().cancel();
      await editor().open('tts');
      for (status of [403, 404]) {
        const answered = answerOf('natural-voices');
        await button('Find a voice').click();
        await page().locator('.herald-voice-row').first().waitFor();
        await answered;
        assert.equal(await button('More voices …').count(), 0);
        await button('Find a voice').click();
      }
    });
  });

  it('says what a missing package needs on another computer', async () => {
    const hint =
      'Natural voices need eSpeak NG for the pronunciation. For 30 more languages run "npm install espeak": eSpeak NG, under the licence GPL-3.';
    await withNatural(naturalService({ engine: { isInstalled: false, hint } }), async () => {
      await openNatural();
      assert.match(
        (await page().locator('.herald-natural-hints').textContent()) ?? '',
        /^Natural voices need more packages\. Run this command in the folder in which the service is installed:npm install espeak/,
      );
      await editor().cancel();
    });
  });

  it('shows the command for a missing package, and the folder that is read-only', async () => {
    const reply = (engine: object, folder: object) => ({
      engine,
      folder: { path: '/data/voices', ...folder },
      voices: [],
      userDir: '/home/user/.node-red',
    });
    let json = reply({ isInstalled: false, hint: 'Run "npm install espeak".' }, { isWritable: true });
    await page().route('**/herald/natural-voices', (route) => route.fulfill({ json }));
    try {
      await openPicker('local');
      await button('More voices …').click();
      await page().getByText('in the folder /home/user/.node-red:').waitFor();
      await page().locator('.herald-command', { hasText: 'npm install espeak' }).waitFor();
      await page().getByText('Then open this list again.').waitFor();
      await button('Back').click();
      json = reply({ isInstalled: true }, { isWritable: false });
      await button('More voices …').click();
      await page().getByText('read-only: /data/voices').waitFor();
    } finally {
      await page().unroute('**/herald/natural-voices');
    }
  });
});
