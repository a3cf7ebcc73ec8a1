import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const HOW_TO_INSTALL = `There is no Chromium for the tests in the browser.
On Debian or Ubuntu: apt-get install -y --no-install-recommends chromium fonts-dejavu-core
Elsewhere: set CHROMIUM to the path of a Chromium or Chrome. HERALD_SKIP_BROWSER=1 leaves these tests out.`;

/** Tests in a browser; `HERALD_SKIP_BROWSER=1` leaves them out, and says so, except where `CI=true`. */
export function describeInBrowser(title: string, tests: (this: Mocha.Suite) => void): void {
  const { CI, HERALD_SKIP_BROWSER } = process.env;
  if (HERALD_SKIP_BROWSER === '1' && CI !== 'true') console.log(`Left out as asked for: ${title}`);
  else describe(title, tests);
}

/**
 * Starts a browser without a window.
 * @param args of its command line, on top of the usual ones
 * @throws Error that says how to install one
 */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] || PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) throw new Error(HOW_TO_INSTALL);
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', ...args] });
}

/** An editor of Node-RED in a page of its own. */
export interface Editor {
  page: Page;
  /** Errors on the page's console, and errors that nobody caught. */
  problems: string[];
  /** Opens the dialog of a node; waits until it is there. */
  open(id: string): Promise<void>;
  /** Presses "Done"; waits until the dialog has gone. */
  done(): Promise<void>;
  /** Closes every dialog that is open, without saving. */
  cancel(): Promise<void>;
  /** Deploys the flows; waits until they run. */
  deploy(): Promise<void>;
}

const TRAY = '.red-ui-tray';
const DONE = '#node-dialog-ok, #node-config-dialog-ok';
const CANCEL = '#node-dialog-cancel, #node-config-dialog-cancel';

/** Opens the editor at an address; waits until the flows are on its canvas. */
export async function openEditor(browser: Browser, url: string): Promise<Editor> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  await page.goto(url);
  await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' });
  await page.waitForFunction('RED.workspaces.active() !== 0 && RED.nodes.filterNodes({}).length > 0');
  return {
    page,
    problems,
    async open(id) {
      await page.evaluate(`{
        const node = RED.nodes.node(${JSON.stringify(id)});
        if (node._def.category === 'config') RED.editor.editConfig('', node.type, node.id);
        else RED.editor.edit(node);
      }`);
      await page.locator(DONE).first().waitFor();
      await page.waitForTimeout(TRAY_SLIDE_MS);
    },
    async done() {
      await page.locator(DONE).first().click();
      await page.locator(TRAY).first().waitFor({ state: 'detached' });
    },
    async cancel() {
      while ((await page.locator(TRAY).count()) > 0) {
        await page.locator(CANCEL).first().click();
        await page.waitForTimeout(TRAY_SLIDE_MS);
      }
    },
    async deploy() {
      const deployed = page.waitForResponse(
        (reply) => reply.url().endsWith('/flows') && reply.request().method() === 'POST',
      );
      await page.locator('#red-ui-header-button-deploy').click();
      await deployed;
    },
  };
}

/** A dialog slides in; what is measured while it does is of no use. */
const TRAY_SLIDE_MS = 400;
