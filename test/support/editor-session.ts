import type { Browser } from 'playwright-core';
import { type Editor, launchBrowser, openEditor } from './browser.js';
import { type FlowNode, type NodeRed, startNodeRed } from './node-red.js';

/** What the tests of a suite share; each is there as soon as the hooks of the suite have run. */
export interface Session {
  nodeRed(): NodeRed;
  /** The page that is open. */
  editor(): Editor;
}

/**
 * Starts Node-RED and a browser before the tests of a suite, and ends both after them.
 * @param flows what runs at first
 * @param page `one` for all tests; `each`: every test has a new one; `none`: tests open it themselves, by `open`
 */
export function useEditor(
  flows: readonly FlowNode[],
  page: 'one' | 'each' | 'none' = 'one',
): Session & { open(): Promise<Editor> } {
  let nodeRed: NodeRed | undefined;
  let browser: Browser | undefined;
  let editor: Editor | undefined;
  const open = async () => {
    editor = await openEditor(started(browser), started(nodeRed).url);
    return editor;
  };
  before(async function () {
    this.timeout(60_000);
    [nodeRed, browser] = await Promise.all([startNodeRed(flows), launchBrowser()]);
    if (page === 'one') await open();
  });
  if (page === 'each') beforeEach(open);
  if (page !== 'one') afterEach(() => editor?.page.close());
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });
  return {
    nodeRed: () => started(nodeRed),
    editor: () => started(editor),
    open,
  };
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('it is not there before the hooks of the suite have run');
  return part;
}
