import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import { refused, type Script, withServer } from '../../support/net/scripted-server.js';
import { until } from '../../support/waiting.js';
import { untilPlayed, watchSound } from '../../support/browser/sound-watch.js';
import { goodService } from '../admin/asking.js';
import { naturalService } from '../admin/natural-service.js';
import { accountOf, nodeOf } from './saved.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  nodeOf('tts', 'text-to-speech', 0),
  { ...nodeOf('robotic', 'text-to-speech', 2), voice_id: 'rms' },
  // Long notes and an open fold move the panels below the visible part of the dialog.
  {
    ...nodeOf('long', 'text-to-speech', 1),
    style: 'happy',
    voice_settings: '{"speed":1.5}',
    output: 'file',
    outputType: 'str',
  },
];
const LARGE = { width: 1280, height: 800 };
const SMALL = { width: 900, height: 700 };
/** What a failure needs to tell: whether the browser draws the page, and where the focus and the dialog are. */
const STATE = `document.visibilityState + ', focus in ' + document.activeElement?.className + ', scrolled by '
  + [...document.querySelectorAll('.red-ui-tray-body, .red-ui-tray-body-wrapper')].map((part) => part.scrollTop)`;
const TO_THE_START = `document.querySelector('.herald-natural-heading').scrollIntoView({ block: 'end' })`;

describeInBrowser('a dialog in a small window', () => {
  const { editor, show } = useSharedEditor(flows);
  beforeEach(async () => {
    await show(flows);
    await watchSound(editor().page);
  });
  afterEach(async () => {
    // A failed test must not hold the calls of the next one.
    await page().unrouteAll({ behavior: 'ignoreErrors' });
    assert.deepEqual(editor().problems, []);
  });

  const page = () => editor().page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const setting = (name: string) => page().locator(`#node-config-input-${name}`);

  /** Opens the long dialog, and waits for the offer of a natural voice, which arrives last: it may move a button under a click. */
  async function openLong(): Promise<void> {
    await editor().open('long');
    await page().getByText('sounds robotic').waitFor();
  }

  /** Opens the picker, and waits for its voices: their rows move the buttons below them, also under a click. */
  async function openVoices(): Promise<void> {
    await button('Find a voice').click();
    await page().locator('.herald-voice-row').first().waitFor();
  }

  /** Opens the page of natural voices in the picker. */
  async function openNatural(): Promise<void> {
    await openVoices();
    await button('More voices …').click();
    await page().locator('.herald-natural-row').nth(9).waitFor();
  }

  /** Fails unless an element comes completely inside the visible part of the dialog. */
  async function assertInView(part: Locator): Promise<void> {
    // The dialog scrolls when the browser draws the change.
    let last = await isInView(part);
    for (let tries = 0; tries < 900 && !last.isIn; tries += 1) {
      await drawn();
      last = await isInView(part);
    }
    assert.ok(last.isIn, `${last.seen}, ${await page().evaluate<string>(STATE)}`);
  }

  /** Waits until the browser has drawn the last change. */
  const drawn = () =>
    page().evaluate(
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))`,
    );

  async function isInView(part: Locator): Promise<{ isIn: boolean; seen: string }> {
    const [box, body] = await Promise.all([
      part.boundingBox(),
      page().locator('.red-ui-tray-body-wrapper, .red-ui-tray-body').first().boundingBox(),
    ]);
    assert.ok(box && body, 'visible');
    const seen = `${JSON.stringify(box)} in ${JSON.stringify(body)}`;
    return { isIn: box.y >= body.y - 1 && box.y + box.height <= body.y + body.height + 1, seen };
  }

  for (const size of [LARGE, SMALL])
    it(`scrolls the voice picker, its page of natural voices and the import from a folder into view at ${size.width} x ${size.height}`, async () => {
      await page().setViewportSize(size);
      await openLong();
      await openVoices();
      await assertInView(page().locator('.herald-picker'));
      await button('More voices …').click();
      await page().locator('.herald-natural-row').nth(9).waitFor();
      await assertInView(page().locator('.herald-picker'));
      await page().locator('.herald-natural-import > summary').click();
      await page().getByPlaceholder('Path of the folder').waitFor();
      await assertInView(page().locator('.herald-natural-import'));
    });

  // A taller window hides less. The dialog has the same width in both windows.
  it('scrolls the progress, Cancel, the error and the result of an import into view at 900 x 700', () => {
    const natural = naturalService();
    const routes: Script = (request, index) => natural.routes(request) ?? goodService(request, index);
    return withServer(routes, async ({ url }) => {
      await show([
        ...flows.filter(({ id }) => id !== 'account'),
        accountOf({ service: 'hosted', url, credentials: { apiKey: 'key' } }),
      ]);
      await page().setViewportSize(SMALL);
      await editor().open('long');
      await openVoices();
      await button('More voices …').click();
      const fold = page().locator('.herald-natural-import');
      await fold.locator('summary').click();
      await assertInView(fold);
      // A dialog that the user has scrolled does not follow the picker any more.
      await page().mouse.wheel(0, 1);
      await page().getByPlaceholder('Path of the folder').fill('/media/usb');
      const ends = [
        ['/media/usb has no voices.', { error: 'no voices', kind: 'no-voices' }],
        ['The voices in /media/usb are installed.', 'de_DE-thorsten-high'],
      ] as const;
      for (const [line, end] of ends) {
        await page().evaluate(TO_THE_START);
        await page().evaluate(`document.querySelector('.herald-natural-import button').click()`);
        await page().getByText('Copying: 21 of 63 MB').waitFor();
        await assertInView(fold.getByRole('progressbar'));
        await assertInView(fold.getByRole('button', { name: 'Cancel' }));
        await page().evaluate(TO_THE_START);
        natural.endImport(end);
        await fold.getByText(line).waitFor();
        await assertInView(fold.getByText(line));
      }
    });
  });

  it(`scrolls an error of Try it into view at 900 x 700`, () =>
    withServer(
      () => refused(402),
      async ({ url }) => {
        await show([
          ...flows.filter(({ id }) => id !== 'account'),
          accountOf({ service: 'hosted', url, voice_id: 'anna', credentials: { apiKey: 'key' } }),
        ]);
        await page().setViewportSize(SMALL);
        await editor().open('long');
        await button('Speak this text').click();
        const note = page().locator('.herald-try [role=status]', { hasText: 'no credits left' });
        await note.waitFor();
        await assertInView(note);
      },
    ));

  it(`shows Test beside the key, and its result in view, at 900 x 700`, () =>
    withServer(goodService, async ({ url }) => {
      await page().setViewportSize(SMALL);
      await editor().open('account');
      await setting('service').selectOption('hosted');
      await setting('url').fill(url);
      await setting('apiKey').fill('key');
      const [key, test] = await Promise.all([setting('apiKey').boundingBox(), button('Test').boundingBox()]);
      assert.ok(key && test && Math.abs(key.y - test.y) <= 1 && test.x > key.x + key.width);
      await button('Test').click();
      await page().getByText('The service accepts the key.').waitFor();
      await assertInView(page().locator('#herald-test-result'));
    }));

  /** Opens the picker, and waits until its voices are in view. */
  async function openPicker(): Promise<Locator> {
    await page().setViewportSize(LARGE);
    await openLong();
    await openVoices();
    const picker = page().locator('.herald-picker');
    await assertInView(picker);
    return picker;
  }

  /** Adds a note of 1000 pixels above the row of the voice, and waits until the browser has drawn it. */
  async function addNoteAbove(): Promise<void> {
    await page().evaluate(
      `$('.herald-picker').prev().before('<p style="height: 1000px">A late note</p>').length`,
    );
    await drawn();
  }

  it('keeps the voice picker in view if a row above it grows, and if the window gets smaller', async () => {
    const picker = await openPicker();
    await addNoteAbove();
    await assertInView(picker);
    await page().setViewportSize({ ...LARGE, height: LARGE.height - 60 });
    await assertInView(picker);
  });

  /** Delays the offer of a natural voice, which needs the voice of the node, until the test releases it. */
  async function holdOffer(voice = ''): Promise<() => Promise<void>> {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const route = '**/herald/voices';
    await page().route(route, async (call) => {
      const { voice_id }: { voice_id?: string } = call.request().postDataJSON();
      if (voice_id === voice) await held;
      await call.continue();
    });
    return async () => {
      release();
      await page().getByText('sounds robotic').waitFor();
      await drawn();
      await page().unroute(route);
    };
  }

  it(`keeps the voice picker, and an import from a folder in it, in view if the offer of a natural voice arrives later, at 900 x 700`, async () => {
    const picker = page().locator('.herald-picker');
    const fold = page().locator('.herald-natural-import');
    await page().setViewportSize(SMALL);
    // Some browsers keep the visible part of a scrolled page in place by themselves, but not at each moment.
    await page().addStyleTag({ content: '* { overflow-anchor: none; }' });
    const offer = await holdOffer();
    await editor().open('long');
    await openVoices();
    await assertInView(picker);
    await offer();
    assert.ok((await isInView(picker)).isIn);
    await editor().cancel();

    const next = await holdOffer();
    await editor().open('long');
    await openNatural();
    await fold.locator('summary').click();
    await assertInView(fold);
    await next();
    assert.ok((await isInView(fold)).isIn);
  });

  /** Returns the height at which each row of the dialog begins. */
  const heights = () =>
    page().evaluate(
      `[...document.querySelectorAll('.herald-form .form-row')].map((row) => row.getBoundingClientRect().y)`,
    );

  for (const [kind, id, voice] of [
    ['default', 'tts', ''],
    ['chosen', 'robotic', 'rms'],
  ] as const)
    it(`leaves all rows in place when the name of the ${kind} voice and the offer of a natural one arrive`, async () => {
      const offer = await holdOffer(voice);
      await editor().open(id);
      const before = await heights();
      await offer();
      assert.deepEqual(await heights(), before);
    });

  for (const [kind, licence, label] of [
    ['an unknown', '', / MB\) …$/],
    ['a long', 'Creative Commons Attribution-ShareAlike 4.0 International', /International\)$/],
  ] as const)
    it(`offers a natural voice with ${kind} licence within its row`, async () => {
      await page().route('**/herald/natural-voices', async (call) => {
        const reply = await call.fetch();
        const list: { voices: object[] } = await reply.json();
        const voices = list.voices.map((voice) => ({ ...voice, licence }));
        await call.fulfill({ json: { ...list, voices } });
      });
      await editor().open('tts');
      const install = page().locator('.herald-form .herald-offer').getByRole('button', { name: label });
      const [inner, outer] = await Promise.all([
        install.boundingBox(),
        page().locator('.herald-voice-notes').boundingBox(),
      ]);
      assert.ok(inner && outer && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width);
    });

  it('keeps at most one line free below the voice if the service does not answer', async () => {
    await page().route('**/herald/voices', (call) =>
      call.fulfill({ json: { error: { code: 'network', message: 'no answer' } } }),
    );
    await editor().open('tts');
    await until(
      async () => ((await page().locator('.herald-voice-notes').boundingBox())?.height ?? 0) === 24,
    );
  });

  const uses: [string, (picker: Locator) => Promise<void>][] = [
    [
      'scrolls',
      async (picker) => {
        await page().mouse.wheel(0, -400);
        await until(async () => !(await isInView(picker)).isIn);
      },
    ],
    ['presses a label', () => page().locator('.form-row:has(#node-input-voice_id) > label').click()],
  ];
  for (const [use, act] of uses) {
    it(`leaves the dialog in place after the user ${use}`, async () => {
      const picker = await openPicker();
      await act(picker);
      // The browser itself keeps the visible part of a scrolled page in place.
      await page().addStyleTag({ content: '* { overflow-anchor: none; }' });
      await addNoteAbove();
      assert.equal((await isInView(picker)).isIn, false);
    });
  }

  it('shows Test beside the service if it needs no key', async () => {
    await editor().open('account');
    const [service, test] = await Promise.all([
      setting('service').boundingBox(),
      button('Test').boundingBox(),
    ]);
    assert.ok(service && test && Math.abs(service.y - test.y) <= 1);
  });

  it('plays at Enter in Try it, and speaks the new text at the next Enter', async () => {
    await editor().open('tts');
    await page().locator('#herald-try-text').press('Enter');
    await untilPlayed(page(), 1);
    await page().locator('#herald-try-text').fill('Something else.');
    await page().locator('#herald-try-text').press('Enter');
    await untilPlayed(page(), 2);
  });

  it('searches at Enter in the picker, without the pause of typing', async () => {
    await editor().open('tts');
    await button('Find a voice').click();
    await page().locator('.herald-voice-row').nth(1).waitFor();
    const names = await page().evaluate(`{
      const search = document.querySelector('.herald-search');
      search.value = 'rms';
      search.dispatchEvent(new Event('input', { bubbles: true }));
      search.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      [document.querySelectorAll('.herald-voice-row').length, document.activeElement === search];
    }`);
    assert.deepEqual(names, [1, true]);
  });

  /** Waits until Try it plays. Fails with its note if it reports a problem. */
  async function playing(): Promise<void> {
    const problem = page().locator('.herald-try .herald-problem');
    await page()
      .locator('.herald-try button[data-state=playing], .herald-try .herald-problem')
      .first()
      .waitFor();
    assert.deepEqual(await problem.allTextContents(), []);
  }

  it('stops the sound when it closes', async () => {
    await editor().open('tts');
    await page().locator('#herald-try-text').fill('A long text. '.repeat(8));
    await button('Speak this text').click();
    await playing();
    const stopped = page().evaluate(`new Promise((resolve) => {
      const pause = HTMLMediaElement.prototype.pause;
      HTMLMediaElement.prototype.pause = function () {
        HTMLMediaElement.prototype.pause = pause;
        resolve(this.ended === false);
        return pause.call(this);
      };
    })`);
    await editor().cancel();
    assert.equal(await stopped, true);
  });
});
