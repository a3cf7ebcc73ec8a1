import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectAudio } from '@herald-speech/client';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import { untilPlayed, watchSound } from '../../support/browser/sound-watch.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'My first flow' },
  { id: 'note', type: 'comment', z: 'tab', name: 'begin here', info: '', x: 700, y: 20, wires: [] },
];

/** The value of the first property of an inject node. */
const PAYLOAD = '#node-input-property-container li:first-child .node-input-prop-property-value';

/** All steps use mouse and keyboard: drag nodes, wire them, fill in their dialogs. */
describeInBrowser('a new user without a manual', function () {
  const { nodeRed, editor, show } = useSharedEditor(flows);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-newcomer-'));
  });
  beforeEach(() => show(flows));
  afterEach(() => assert.deepEqual(editor().problems, []));
  after(() => rm(folder, { recursive: true }));

  /** Drags a node from the palette onto the canvas and returns its id. */
  async function drop(type: string, x: number, y: number): Promise<string> {
    const { page } = editor();
    const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
    await entry.scrollIntoViewIfNeeded();
    await dragTo(await middleOf(entry), { x, y });
    return String(await page.evaluate('RED.nodes.filterNodes({ z: "tab" }).at(-1).id'));
  }

  async function wire(from: string, port: number, to: string): Promise<void> {
    const { page } = editor();
    const end = (id: string, side: string) => page.locator(`[id="${id}"] .red-ui-flow-port-${side} rect`);
    await dragTo(await middleOf(end(from, 'output').nth(port)), await middleOf(end(to, 'input').first()));
  }

  async function dragTo(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
    const { mouse } = editor().page;
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
    await mouse.move(to.x, to.y, { steps: 5 });
    await mouse.up();
  }

  async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
    const box = await locator.boundingBox();
    assert.ok(box !== null);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** Presses a node's button. Waits for the shade that covers the editor after a deploy. */
  async function press(id: string): Promise<void> {
    await editor().page.locator(`[id="${id}"] .red-ui-flow-node-button-button`).click();
  }

  it('builds a flow of three nodes, sees that a node without account uses the local service, deploys the flow, presses its button and hears the text', async () => {
    const button = await drop('inject', 340, 200);
    const speak = await drop('herald-text-to-speech', 560, 200);
    const listen = await drop('herald-listen', 820, 180);
    await editor().open(speak);
    const account = editor().page.locator('#node-input-account');
    assert.equal(await account.locator('option:checked').textContent(), 'None (local service)');
    await choose('#node-input-text', 'str', 'Dinner is ready.');
    await editor().done();
    await wire(button, 0, speak);
    await wire(speak, 0, listen);
    await editor().deploy();
    await watchSound(editor().page);
    await press(button);
    await untilPlayed(editor().page, 1);
  });

  it('gets the only account in a new node, and no account if the flow has two', async () => {
    const account = { type: 'herald-account', name: 'the office', service: 'local' };
    await show([...flows, { id: 'first', ...account }]);
    const accountOf = (id: string) => editor().page.evaluate(`RED.nodes.node('${id}').account`);
    assert.equal(await accountOf(await drop('herald-text-to-speech', 500, 200)), 'first');
    await show([...flows, { id: 'first', ...account }, { id: 'second', ...account }]);
    assert.equal(await accountOf(await drop('herald-credits', 500, 200)), '');
  });

  it('writes a file with a telephone prompt for each row of a table', async () => {
    const { page } = editor();
    const button = await drop('inject', 340, 200);
    const table = await drop('csv', 540, 200);
    const speak = await drop('herald-text-to-speech', 760, 200);
    const rows = ['name,text', 'welcome,Welcome to our office.', 'closed,We are closed today.'].join('\\n');
    await editor().open(button);
    await choose(PAYLOAD, 'jsonata', `"${rows}"`);
    await editor().done();
    await editor().open(table);
    await page.locator('#node-input-hdrin').check();
    await editor().done();
    await editor().open(speak);
    await choose('#node-input-text', 'msg', 'payload.text');
    await editor().chooseOption('#node-input-output', 'File');
    await choose('#node-input-filename', 'jsonata', `"${folder}/" & payload.name & ".wav"`);
    await editor().done();
    await wire(button, 0, table);
    await wire(table, 0, speak);
    await editor().deploy();
    await press(button);
    for (const name of ['welcome', 'closed']) {
      const { format, duration } = inspectAudio(await written(path.join(folder, `${name}.wav`)));
      assert.equal(format, 'wav');
      assert.ok(duration > 0.8, `${name}: ${duration} s`);
    }
  });

  /** Selects the type of a typed input and types a value. */
  async function choose(input: string, type: string, value: string): Promise<void> {
    await editor().chooseType(input, type);
    await editor().typedInput(input).locator('input.red-ui-typedInput-input').fill(value);
  }

  async function written(file: string): Promise<Uint8Array> {
    for (const end = AbortSignal.timeout(40_000); !end.aborted; await sleep(100)) {
      const bytes = await readFile(file).catch(() => undefined);
      if (bytes !== undefined) return bytes;
    }
    throw new Error(`${file} was not written:\n${nodeRed().log()}`);
  }
});
