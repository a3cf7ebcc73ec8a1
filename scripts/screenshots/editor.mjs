/** Opens the editor with an example flow and takes pictures of dialogs. Deploys nothing. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../prepare.mjs';
import { showSidebar } from './sidebar.mjs';

const EXAMPLE = path.join(root, 'examples/first-words.json');
/** Pixels: wide enough for the flow, high enough for each dialog. */
const VIEWPORT = { width: 1800, height: 1600 };
/** Pixels of an open dialog: narrow enough for the help sidebar, wide enough for labels beside the fields. */
const TRAY_WIDTH = 460;
const MARGIN = 10;
/** Milliseconds: longer than the pause after which a field looks its value up. */
const PAUSE_MS = 700;

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {Awaited<ReturnType<typeof openEditor>>} Editor
 */

/**
 * @typedef {object} Dialog
 * @property {string} node file name of the node
 * @property {Record<string, string>} [set] saved properties
 * @property {Record<string, object>} [replies] replies of the runtime by path, for facts of the computer
 * @property {string} [open] name of a fold to open before the click
 * @property {string} [press] selector of an element to click before the picture
 * @property {string} [until] selector of the element that appears after the click
 * @property {string} [part] selector of the elements in the picture; the default is the form
 */

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} address of the editor
 * @param {'light' | 'dark'} scheme
 */
export async function openEditor(browser, address, scheme) {
  const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 2, locale: 'en-US' });
  await page.addInitScript({ content: `localStorage.setItem('view-dark-theme', '${scheme}')` });
  await page.goto(address);
  await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' });
  await page.waitForFunction(`globalThis.RED?.nodes.getType('herald-listen') !== undefined`);
  await page.addStyleTag({ content: `.red-ui-tray { width: ${TRAY_WIDTH}px !important; }` });
  await page.evaluate(`{
    RED.nodes.clear();
    RED.nodes.import(${readFileSync(EXAMPLE, 'utf8')});
    RED.workspaces.show('herald-first-words');
    RED.view.redraw(true);
  }`);
  return {
    flow: () => picture(page, '.red-ui-flow-node-group, .red-ui-flow-group-body'),
    dialog: (/** @type {Dialog} */ options) => dialog(page, options),
    async sidebar() {
      await showSidebar(page);
      return picture(page, '.herald-activity');
    },
    close: () => page.close(),
  };
}

/**
 * Takes a picture of the dialog of a new node.
 * @param {Page} page
 * @param {Dialog} options
 */
async function dialog(page, { node, set = {}, replies = {}, open, press, until, part = '.herald-form' }) {
  for (const [name, json] of Object.entries(replies))
    await page.route(`**/herald/${name}`, (route) => route.fulfill({ json }));
  await page.evaluate(openingScript(`herald-${node}`, set));
  if (set['voice_id'] !== undefined) await page.locator('.herald-note:not(:empty)').first().waitFor();
  await settled(page);
  if (open !== undefined) await page.locator(`[data-fold=${open}] > summary`).click();
  if (press !== undefined && until !== undefined) {
    await page.locator(press).first().click();
    await page.locator(until).first().waitFor();
    await settled(page);
  }
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement?.blur()');
  const taken = await picture(page, part);
  await page.locator('#node-dialog-cancel, #node-config-dialog-cancel').first().click();
  await page.locator('.red-ui-tray').first().waitFor({ state: 'detached' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return taken;
}

/**
 * Returns a script that adds a node with the given properties and opens its dialog.
 * @param {string} type
 * @param {Record<string, string>} set
 */
function openingScript(type, set) {
  return `{
    const { defaults, category } = RED.nodes.getType('${type}');
    const initial = Object.fromEntries(Object.entries(defaults).map(([name, { value }]) => [name, value]));
    const account = ${JSON.stringify(type)} === 'herald-listen' ? {} : { account: 'herald-this-machine' };
    const place = category === 'config' ? {} : { z: 'herald-first-words', x: 0, y: 0, wires: [], ...account };
    const made = { ...initial, ...${JSON.stringify(set)}, id: RED.nodes.id(), type: '${type}', ...place };
    RED.nodes.import([made]);
    if (category === 'config') RED.editor.editConfig('', '${type}', made.id);
    else RED.editor.edit(RED.nodes.node(made.id));
  }`;
}

/**
 * Resolves when no animation, request or sound is active.
 * @param {Page} page
 */
async function settled(page) {
  await page.waitForTimeout(PAUSE_MS);
  await page.waitForFunction(`$.active === 0 && $(':animated').length === 0`);
  await page.waitForFunction(
    `document.querySelectorAll('[data-state=busy], [data-state=playing]').length === 0`,
  );
}

/**
 * Takes a picture of the area that all matching elements cover, with a margin.
 * @param {Page} page
 * @param {string} selector
 */
async function picture(page, selector) {
  const boxes = await page
    .locator(selector)
    .evaluateAll((found) => found.map((element) => element.getBoundingClientRect().toJSON()));
  const left = Math.floor(Math.min(...boxes.map((box) => box.left)));
  const top = Math.floor(Math.min(...boxes.map((box) => box.top)));
  const right = Math.ceil(Math.max(...boxes.map((box) => box.right)));
  const bottom = Math.ceil(Math.max(...boxes.map((box) => box.bottom)));
  const [x, y] = [left - MARGIN, top - MARGIN];
  const [width, height] = [right + MARGIN - x, bottom + MARGIN - y];
  return page.screenshot({ clip: { x, y, width, height }, animations: 'disabled' });
}
