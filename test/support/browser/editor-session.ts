import type { BrowserContextOptions } from 'playwright-core';
import { type Editor, openEditor, sharedBrowser } from './browser.js';
import type { FlowNode } from '../node-red/node-red.js';
import { type SharedNodeRed, useNodeRed } from '../node-red/shared-node-red.js';

/** The parts that the tests of a suite share. Call the functions in hooks and tests only. */
export interface Session {
  nodeRed(): SharedNodeRed;
  /** The editor in the page of the suite. */
  editor(): Editor;
  /** Deploys flows, closes all dialogs, and shows the flows in the page. */
  show(flows: readonly FlowNode[]): Promise<void>;
}

/**
 * Deploys flows and opens one page with the editor before the tests of a suite. Call it inside `describe`.
 * @param flows at least one node on a tab
 * @param options of the page, such as its language
 */
export function useEditor(flows: readonly FlowNode[], options: BrowserContextOptions = {}): Session {
  const nodeRed = useNodeRed(flows);
  let editor: Editor | undefined;
  before(async function () {
    this.timeout(60_000);
    editor = await openEditor(await sharedBrowser(), nodeRed().url, options);
  });
  after(() => editor?.close());
  const opened = () => {
    if (editor === undefined)
      throw new Error('The editor opens in the hooks of the suite: use it in a test.');
    return editor;
  };
  return {
    nodeRed,
    editor: opened,
    async show(shown) {
      const { page, cancel, loadFlows } = opened();
      await cancel();
      // Without a version, the editor reports no conflict with flows that another client deploys.
      await page.evaluate('RED.nodes.version(null)');
      await nodeRed().deploy(shown);
      await loadFlows();
    },
  };
}
