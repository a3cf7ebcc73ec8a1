import assert from 'node:assert/strict';
import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { chromium as executable, type ProgramName } from '../../../scripts/tests/programs.mjs';
import { describeWith } from '../programs/describe-with.js';
import { shared } from '../shared.js';

/** A host name that the browser resolves to 127.0.0.1, as a hostile name server could. */
export const FOREIGN_HOST = 'console.example';

/**
 * Without a stand-in for a graphics card, and without the compiler for code that runs for long, a dialog takes two thirds of the
 * processor time.
 */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--js-flags=--no-opt',
  '--disable-dev-shm-usage',
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1`,
  '--font-render-hinting=none',
  '--lang=en-US',
];

/** Replaces the fonts, the time zone and the language of the machine, so that all machines draw the same pages. */
const SURROUNDINGS = {
  FONTCONFIG_FILE: path.join(__dirname, 'fonts/fonts.conf'),
  TZ: 'UTC',
  LANGUAGE: 'en_US',
};

/** Longer than any step takes on a busy computer, and shorter than the timeout of a test: a failure names its step. */
const STEP_TIMEOUT_MS = 60_000;

/**
 * Defines a suite of tests in a browser. Without Chromium the suite is left out.
 * @param more programs that the suite needs beside Chromium
 */
export function describeInBrowser(
  title: string,
  tests: (this: Mocha.Suite) => void,
  more: readonly ProgramName[] = [],
): void {
  describeWith(['chromium', ...more], title, tests);
}

/**
 * Starts a headless browser with a fake microphone.
 * @param args more command line arguments
 * @throws Error if no browser is installed
 */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = executable();
  assert.ok(executablePath, 'a suite in the browser starts with describeInBrowser or describeWith');
  const env = { ...process.env, ...SURROUNDINGS };
  return chromium.launch({ executablePath, env, args: [...ARGUMENTS, ...args] });
}

/** The browser of this mocha process. Playwright kills it when the process exits. */
export const sharedBrowser = shared(
  () => launchBrowser(),
  (browser) => browser.close(),
);

/** The Node-RED editor in one page. */
export interface Editor {
  page: Page;
  /** Errors on the page's console and uncaught exceptions. */
  problems: string[];
  /** Opens the dialog of a node, and waits until it has slid in. */
  open(id: string): Promise<void>;
  /** Presses "Done", and waits until the dialog is closed. */
  done(): Promise<void>;
  /** Closes every open dialog without saving. */
  cancel(): Promise<void>;
  /** Presses "Deploy", and waits for the reply. */
  deploy(): Promise<void>;
  /** The typed input that stands in for an input element, given the selector of that element. */
  typedInput(input: string): Locator;
  /** Selects a type such as `jsonata` from the menu of a typed input, and fails unless the input then has that type. */
  chooseType(input: string, type: string): Promise<void>;
  /** Selects an entry by its label from the list of a typed input with fixed options. */
  chooseOption(input: string, label: string): Promise<void>;
  /** Replaces the flows of the page by those that Node-RED runs. */
  loadFlows(): Promise<void>;
  /** Closes the page and drops its cookies and storage. */
  close(): Promise<void>;
}

const TRAY = '.red-ui-tray';
const DONE = '#node-dialog-ok, #node-config-dialog-ok';
const CANCEL = '#node-dialog-cancel, #node-config-dialog-cancel';
const MENU = '.red-ui-typedInput-options:visible';

/** Stops animations of CSS and jQuery. They take a third of the time of a test. */
const STILL = '* { transition: none !important }';

/**
 * Stops animations of jQuery, and the list of properties in the info sidebar: it takes a third of the time of opening a dialog,
 * and belongs to Node-RED.
 */
const QUIET = `$.fx.off = true; RED.sidebar.info.refresh = () => {};`;

/** True if no jQuery animation and no transition of a dialog runs. A click on a moving element may hit its neighbour. */
const AT_REST = `$.timers.length === 0
  && $('.red-ui-tray').get().every((tray) => tray.getAnimations().length === 0 && $(tray).css('right') === '0px')`;

/** Calls `isDone` in the page until it is true. Looks between frames: waiting for frames makes the page draw them. */
const lookUntil = (isDone: string, ms: number, atEnd: string) => `new Promise((resolve, reject) => {
  const end = performance.now() + ${ms};
  const look = () => {
    if (${isDone}) resolve();
    else if (performance.now() > end) ${atEnd};
    else setTimeout(look, 15);
  };
  look();
})`;

const inPage = (isDone: string) =>
  lookUntil(isDone, STEP_TIMEOUT_MS, `reject(new Error(${JSON.stringify(`The page waits for: ${isDone}`)}))`);

/**
 * Resolves when the dialog has the focus. Node-RED moves the focus 150 ms after it has opened a dialog, and on a busy computer
 * perhaps in vain: later than a second after the dialog has slid in, it no longer moves it.
 */
const FOCUSED = lookUntil(`document.activeElement.closest('.red-ui-tray') !== null`, 1000, 'resolve()');

/** The steps of the editor after a change of the project. */
const LOAD_FLOWS = `(async () => {
  const { rev, flows } = await $.ajax({ url: 'flows', headers: { Accept: 'application/json' }, cache: false });
  RED.nodes.clear();
  RED.history.clear();
  RED.nodes.version(rev);
  RED.nodes.import(flows);
  RED.nodes.dirty(false);
  RED.workspaces.show(RED.nodes.getWorkspaceOrder()[0]);
  RED.view.redraw(true);
})()`;

/** The size of a page in pixels, unless a test sets another one. */
export const VIEWPORT = { width: 1280, height: 900 };

/**
 * Opens the editor in a new context, and waits until the flows are on the canvas.
 * @param url address of the editor
 */
export async function openEditor(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Editor> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...options });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  await page.goto(url);
  await untilLoaded(page);
  return {
    page,
    problems,
    ...dialogsOf(page),
    ...menusOf(page),
    ...flowsOf(page),
    close: () => context.close(),
  };
}

/** Waits until the flows are on the canvas of a page that is loading. */
async function untilLoaded(page: Page): Promise<void> {
  await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' });
  await page.waitForFunction('RED.workspaces.active() !== 0 && RED.nodes.filterNodes({}).length > 0');
  await page.addStyleTag({ content: STILL });
  await page.evaluate(QUIET);
}

const atRest = (page: Page) => page.evaluate(inPage(AT_REST));

/** Closes the dialogs one after the other. */
const CANCEL_ALL = `(async () => {
  for (let open = $('${TRAY}').length; open > 0; open = $('${TRAY}').length) {
    await ${inPage(`$('${CANCEL}').is(':visible')`)};
    $('${CANCEL}').filter(':visible').first().trigger('click');
    await ${inPage(`$('${TRAY}').length < open && ${AT_REST}`)};
  }
})()`;

function dialogsOf(page: Page): Pick<Editor, 'open' | 'done' | 'cancel'> {
  return {
    async open(id) {
      await page.evaluate(`(async () => {
        const node = RED.nodes.node(${JSON.stringify(id)});
        if (node._def.category === 'config') RED.editor.editConfig('', node.type, node.id);
        else RED.editor.edit(node);
        await ${inPage(`$('${DONE}').is(':visible') && ${AT_REST}`)};
        await ${FOCUSED};
      })()`);
    },
    async done() {
      await page.locator(DONE).first().click();
      await page.locator(TRAY).first().waitFor({ state: 'detached' });
    },
    cancel: () => page.evaluate(CANCEL_ALL),
  };
}

function menusOf(page: Page): Pick<Editor, 'typedInput' | 'chooseType' | 'chooseOption'> {
  const typedInput = (input: string) => page.locator(`${input} + .red-ui-typedInput-container`);
  return {
    typedInput,
    async chooseType(input, type) {
      await typedInput(input).locator('.red-ui-typedInput-type-select').click();
      await atRest(page);
      await page.locator(`${MENU} [value="${type}"]`).click();
      await atRest(page);
      assert.equal(await page.evaluate(`$(${JSON.stringify(input)}).typedInput('type')`), type);
    },
    async chooseOption(input, label) {
      const list = typedInput(input).locator('.red-ui-typedInput-option-trigger');
      await list.click();
      await atRest(page);
      await page.locator(MENU).getByText(label, { exact: true }).click();
      await list.filter({ hasText: label }).waitFor();
    },
  };
}

function flowsOf(page: Page): Pick<Editor, 'deploy' | 'loadFlows'> {
  return {
    async deploy() {
      const deployed = page.waitForResponse(
        (reply) => reply.url().endsWith('/flows') && reply.request().method() === 'POST',
      );
      await page.locator('#red-ui-header-button-deploy').click();
      await deployed;
    },
    async loadFlows() {
      await page.evaluate(LOAD_FLOWS);
    },
  };
}
