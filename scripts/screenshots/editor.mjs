/** The editor as the pictures need it: with an example and a node of every kind, which are never deployed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../prepare.mjs';

const EXAMPLE = path.join(root, 'examples/first-words.json');
/** Wide enough for the flow, and high enough for every dialog. */
const VIEWPORT = { width: 1800, height: 1600 };
/** Of an open dialog: narrow, as the sidebar shows its picture, and still with labels beside the fields. */
const TRAY_WIDTH = 460;
const MARGIN = 10;
/** Longer than a field waits for more letters before it asks. */
const PAUSE_MS = 700;

/**
 * @param scheme `light` or `dark`, as Node-RED 5 keeps it
 * @returns `flow()` and `dialog(wanted)`, each with the PNG of what it is called; `close()`
 */
export async function openEditor(browser, address, scheme) {
  const page = await browser.newPage({ viewport: VIEWPORT, deviceScaleFactor: 2, locale: 'en-US' });
  await page.addInitScript((chosen) => localStorage.setItem('view-dark-theme', chosen), scheme);
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
    flow: () => picture(page, '.red-ui-flow-node-group'),
    dialog: (wanted) => dialog(page, wanted),
    close: () => page.close(),
  };
}

/** A picture of the dialog of a new node, or of a part of it. */
async function dialog(page, { type, set = {}, press, until, part = '.herald-form' }) {
  await page.evaluate(opening(`herald-${type}`, set));
  await settled(page);
  if (press !== undefined) {
    await page.locator(press).first().click();
    await page.locator(until).first().waitFor();
    await settled(page);
  }
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement?.blur()');
  const taken = await picture(page, part);
  await page.locator('#node-dialog-cancel, #node-config-dialog-cancel').first().click();
  await page.locator('.red-ui-tray').first().waitFor({ state: 'detached' });
  return taken;
}

/** A script that makes a node with its defaults and some values of ours, and opens its dialog. */
function opening(type, set) {
  return `{
    const { defaults, category } = RED.nodes.getType('${type}');
    const usual = Object.fromEntries(Object.entries(defaults).map(([name, { value }]) => [name, value]));
    const account = ${JSON.stringify(type)} === 'herald-listen' ? {} : { account: 'herald-this-machine' };
    const place = category === 'config' ? {} : { z: 'herald-first-words', x: 0, y: 0, wires: [], ...account };
    const made = { ...usual, ...${JSON.stringify(set)}, id: RED.nodes.id(), type: '${type}', ...place };
    RED.nodes.import([made]);
    if (category === 'config') RED.editor.editConfig('', '${type}', made.id);
    else RED.editor.edit(RED.nodes.node(made.id));
  }`;
}

/** Resolves when nothing moves, and nothing is asked any more. */
async function settled(page) {
  await page.waitForTimeout(PAUSE_MS);
  await page.waitForFunction(`$.active === 0 && $(':animated').length === 0`);
  await page.waitForFunction(
    `document.querySelectorAll('[data-state=busy], [data-state=playing]').length === 0`,
  );
}

/** What some elements cover, with a margin, in whole pixels. */
async function picture(page, selector) {
  const boxes = await page
    .locator(selector)
    .evaluateAll((found) => found.map((element) => element.getBoundingClientRect().toJSON()));
  const edge = (name, choose) => choose(...boxes.map((box) => box[name]));
  const [x, y] = [Math.floor(edge('left', Math.min)) - MARGIN, Math.floor(edge('top', Math.min)) - MARGIN];
  const width = Math.ceil(edge('right', Math.max)) + MARGIN - x;
  const height = Math.ceil(edge('bottom', Math.max)) + MARGIN - y;
  return page.screenshot({ clip: { x, y, width, height }, animations: 'disabled' });
}
