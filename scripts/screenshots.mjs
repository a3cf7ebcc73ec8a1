/**
 * Makes the pictures of the documentation, `docs/images/*.png`, from an editor that runs with the first example:
 * `node scripts/screenshots.mjs http://127.0.0.1:1880/ [dark]`. Start one with `npm start`; `dark` takes Node-RED 5.
 */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';

const images = path.resolve(import.meta.dirname, '../docs/images');
const [address = 'http://127.0.0.1:1880/', scheme = 'light'] = process.argv.slice(2);
const executablePath =
  process.env.CHROMIUM || ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const TRAY_SLIDE_MS = 600;

/** Dialogs that are shown, by the type of their node. */
const DIALOGS = { account: 'herald-account', 'text-to-speech': 'herald-text-to-speech' };

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
try {
  mkdirSync(images, { recursive: true });
  await takePictures(await openEditor());
} finally {
  await browser.close();
}

async function openEditor() {
  const page = await browser.newPage({ viewport: { width: 1800, height: 900 }, deviceScaleFactor: 2 });
  await page.addInitScript((chosen) => localStorage.setItem('view-dark-theme', chosen), scheme);
  await page.goto(address);
  await page.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' });
  await page.waitForFunction('RED.nodes.filterNodes({}).length > 0');
  return page;
}

async function takePictures(page) {
  await page.screenshot({ path: pictureOf('flow'), clip: await areaOfFlow(page) });
  await page.setViewportSize({ width: 1200, height: 640 });
  for (const [name, type] of Object.entries(DIALOGS)) {
    if (!(await openDialog(page, type))) continue;
    await page.mouse.move(0, 0);
    const tray = page.locator('.red-ui-tray').last();
    await tray.screenshot({ path: pictureOf(name) });
    await tray.locator('#node-dialog-cancel, #node-config-dialog-cancel').click();
    await page.waitForTimeout(TRAY_SLIDE_MS);
  }
}

function pictureOf(name) {
  return path.join(images, `${name}${scheme === 'dark' ? '-dark' : ''}.png`);
}

/** Opens the dialog of the first node of a type; false where the flows have none. */
async function openDialog(page, type) {
  const opened = await page.evaluate(
    `{
      const ofType = (node) => node.type === ${JSON.stringify(type)};
      let first;
      RED.nodes.eachConfig((node) => { first ??= ofType(node) ? node : undefined; });
      first ??= RED.nodes.filterNodes({ type: ${JSON.stringify(type)} })[0];
      if (first?._def.category === 'config') RED.editor.editConfig('', first.type, first.id);
      else if (first) RED.editor.edit(first);
      first !== undefined;
    }`,
  );
  if (opened) await page.waitForTimeout(TRAY_SLIDE_MS);
  return opened;
}

/** The nodes of the flow that is shown, with a margin. */
async function areaOfFlow(page) {
  const boxes = await page.locator('.red-ui-flow-node-group').evaluateAll((nodes) =>
    nodes.map((node) => {
      const { left, top, right, bottom } = node.getBoundingClientRect();
      return { left, top, right, bottom };
    }),
  );
  const edge = (name, choose) => choose(...boxes.map((box) => box[name]));
  const [x, y] = [edge('left', Math.min) - 40, edge('top', Math.min) - 40];
  return { x, y, width: edge('right', Math.max) + 40 - x, height: edge('bottom', Math.max) + 40 - y };
}
