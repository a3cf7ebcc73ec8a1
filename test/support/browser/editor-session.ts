import type { BrowserContextOptions, Request } from 'playwright-core';
import { type Editor, openEditor, sharedBrowser, VIEWPORT } from './browser.js';
import type { FlowNode } from '../node-red/node-red.js';
import { type SharedNodeRed, useNodeRed } from '../node-red/shared-node-red.js';
import { shared } from '../shared.js';

/** The parts that the tests of a suite share. Call the functions in hooks and tests only. */
export interface Session {
  nodeRed(): SharedNodeRed;
  /** The editor in the page of the suite. */
  editor(): Editor;
  /** Closes all dialogs, and shows flows in the page. Deploys the flows unless they run already. */
  show(flows: readonly FlowNode[]): Promise<void>;
}

/**
 * Deploys flows and opens one page with the editor before the tests of a suite. Call it inside `describe`.
 * @param flows at least one node on a tab
 * @param options of the page, such as its language
 */
export function useEditor(flows: readonly FlowNode[], options: BrowserContextOptions = {}): Session {
  return sessionWith(flows, {
    open: async (url) => openEditor(await sharedBrowser(), url, options),
    leave: (editor) => editor.close(),
  });
}

/**
 * Does the same as `useEditor`, with one page for all suites of the process: a new page takes seconds of CPU time, and so does its
 * first dialog. The suite must keep the globals and the address of the page. German has a separate page. For each other language,
 * the page of the suite changes its language: the texts of the dialogs and of the palette are complete, but the help and the
 * names of languages that the page has collected before stay.
 */
export function useSharedEditor(flows: readonly FlowNode[], { locale = 'en-US' } = {}): Session {
  return sessionWith(flows, { open: (url) => takePage(url, locale), leave: leavePage });
}

let nodeRedUrl: string | undefined;

const newPage = (locale: string) =>
  shared(
    async () => {
      if (nodeRedUrl === undefined) throw new Error('The page opens after Node-RED.');
      const editor = await openEditor(await sharedBrowser(), nodeRedUrl, { locale });
      await editor.page.evaluate(PREPARE);
      return editor;
    },
    // The end of the shared browser closes its pages.
    async () => undefined,
  );

/** The pages by their language. */
const sharedPages = new Map<string, ReturnType<typeof newPage>>();

function sharedPage(locale: string): Promise<Editor> {
  const page = sharedPages.get(locale) ?? newPage(locale);
  sharedPages.set(locale, page);
  return page();
}

/** The languages with a separate page. */
const PAGES: readonly string[] = ['en-US', 'de-DE'];

/** Loads the texts of a language, and shows them in a page, as the settings of the editor do, but without a reload. */
export async function changeLanguage({ page }: Editor, locale: string): Promise<void> {
  await page.evaluate(CHANGE_LANGUAGE(locale));
}

const CHANGE_LANGUAGE = (locale: string) => `(async () => {
  const locale = ${JSON.stringify(locale)};
  if ((localStorage.getItem('editor-language') ?? navigator.language) === locale) return;
  localStorage.setItem('editor-language', locale);
  await i18next.changeLanguage(locale);
  await new Promise((resolve) => RED.i18n.loadNodeCatalogs(resolve));
  for (const type of RED.nodes.registry.getNodeTypes().filter((type) => type.startsWith('herald-'))) {
    const registration = RED.nodes.getType(type);
    RED.palette.remove(type);
    RED.palette.add(type, registration);
    registration.onpaletteadd?.call(registration);
  }
})()`;

/** Keeps the revision of the latest deploy that Node-RED has announced to the page, and the functions of the page that a suite may replace. */
const PREPARE = `RED.comms.subscribe('notification/runtime-deploy', (topic, { revision }) => {
  window.announcedRevision = revision;
});
window.ownStyles = new Set(document.querySelectorAll('style'));
{
  const { play } = HTMLMediaElement.prototype;
  const { createObjectURL, revokeObjectURL } = URL;
  window.stopWatching = () => {
    Object.assign(HTMLMediaElement.prototype, { play });
    Object.assign(URL, { createObjectURL, revokeObjectURL });
  };
}`;

/** Removes the styles and the watched functions that a suite has added to the page, and shows the first sidebar. */
const TIDY_UP = `stopWatching();
for (const style of document.querySelectorAll('style')) if (!ownStyles.has(style)) style.remove();
RED.sidebar.show('info');`;

async function takePage(url: string, locale: string): Promise<Editor> {
  nodeRedUrl = url;
  const editor = await sharedPage(PAGES.includes(locale) ? locale : 'en-US');
  await changeLanguage(editor, locale);
  // Errors of the suites before, also those that the page met while another page was in use.
  editor.problems.length = 0;
  await editor.loadFlows();
  // A late announcement of an earlier deploy would look like a conflict with another client.
  await editor.page.waitForFunction('window.announcedRevision === RED.nodes.version()');
  return editor;
}

/** Prepares the page for the next suite. */
async function leavePage({ page, cancel }: Editor): Promise<void> {
  await cancel();
  await page.unrouteAll();
  page.removeAllListeners('request');
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.evaluate(TIDY_UP);
  await page.evaluate(IGNORE_DEPLOYS);
}

/** Without a version, the editor reports no conflict with flows that another client deploys. */
const IGNORE_DEPLOYS = 'RED.nodes.version(null)';

interface Visits {
  open(url: string): Promise<Editor>;
  leave(editor: Editor): Promise<void>;
}

/** Node-RED answers a deploy before its nodes start: `deploy` ends when they have. */
const deployingWith = (nodeRed: () => SharedNodeRed, editor: Editor): Editor => ({
  ...editor,
  async deploy() {
    const started = nodeRed().nextStart();
    await editor.deploy();
    await started;
  },
});

function sessionWith(flows: readonly FlowNode[], { open, leave }: Visits): Session {
  const nodeRed = useNodeRed(flows);
  let editor: Editor | undefined;
  const noticeDeploy = (request: Request) => {
    if (request.method() === 'POST' && request.url() === `${nodeRed().url}flows`) nodeRed().forget();
  };
  before(async () => {
    editor = deployingWith(nodeRed, await open(nodeRed().url));
    editor.page.on('request', noticeDeploy);
  });
  after(async () => {
    if (editor === undefined) return;
    editor.page.off('request', noticeDeploy);
    await leave(editor);
  });
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
      if (!nodeRed().runs(shown)) {
        await page.evaluate(IGNORE_DEPLOYS);
        await nodeRed().deploy(shown);
      }
      await loadFlows();
    },
  };
}
