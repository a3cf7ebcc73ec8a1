import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { freePort } from '../../../support/net/free-port.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { accountOf, nodeOf, speakerOf } from '../saved.js';

const tab = { id: 'tab', type: 'tab', label: 'Speech' };
const byUrl = { output: 'url', outputType: 'str' };
const BUTTON = 'Let speakers in my network play this';

/** Node-RED of the tests listens at 127.0.0.1 only, as `npm start` does. */
describeInBrowser('the button that lets speakers play', () => {
  const flows = [
    tab,
    accountOf(),
    speakerOf({ id: 'kitchen', name: 'Kitchen' }),
    { ...nodeOf('speech', 'text-to-speech', 0), ...byUrl },
  ];
  const { nodeRed, editor, show } = useSharedEditor(flows);
  const panel = () => editor().page.locator('.herald-reach');
  const button = () => panel().getByRole('button', { name: BUTTON });
  const text = (content: string | RegExp) => panel().getByText(content).first().waitFor();
  const inEditor = (code: string) => editor().page.evaluate(code);
  const openPanel = async (id: string) => {
    await editor().open(id);
    await inEditor(`document.querySelector('.herald-more:has(> .herald-reach)').open = true`);
    await button().waitFor();
  };
  /** Returns the flows that Node-RED runs. */
  const running = async () => (await fetch(`${nodeRed().url}flows`)).json();
  /** Presses the button, and returns the port that its text has named. */
  const press = async () => {
    const named = await panel().locator('[id^=herald-reach-effect]').textContent();
    const port = /^Opens port (\d+) on all networks .*only the audio of Herald/.exec(named ?? '')?.[1] ?? '';
    await button().click();
    await text(`Port ${port} is open.`);
    return port;
  };
  const sidebar = () => editor().page.getByRole('region', { name: 'Speakers' });
  /** The answer of the sidebar. */
  const inSidebar = (answer: string | RegExp, state: 'visible' | 'detached' = 'visible') =>
    sidebar().getByText(answer).filter({ visible: true }).waitFor({ state });
  const testUrl = async () => {
    await panel().getByRole('button', { name: 'Copy test URL' }).click();
    await text(/^Copied\./);
    return panel().getByRole('textbox', { name: 'Test URL' }).inputValue();
  };
  /**
   * Returns the status of the URL of this computer's address at the loopback address, because a test asks no other device. Opens a
   * new connection: a deploy closes those of before.
   */
  const statusHere = async (url: string) => {
    const { port, pathname } = new URL(url);
    const [reply]: IncomingMessage[] = await once(get({ port, path: pathname, agent: false }), 'response');
    return reply?.resume().statusCode;
  };

  beforeEach(() => {
    // A new deploy closes the port of the test before.
    nodeRed().forget();
    return show(flows);
  });
  afterEach(() => editor().cancel());

  it('opens the named port, serves the audio there, and deploys nothing of a half-edited flow', async () => {
    await inEditor(`Object.assign(RED.nodes.node('speech'), { name: 'half edited', changed: true })`);
    const before = await running();
    await openPanel('speech');
    const port = await press();
    await editor().page.locator('.herald-reach-verdict').getByText(`:${port}.`).waitFor();
    assert.equal(await button().isVisible(), false);
    const url = await testUrl();
    assert.equal(new URL(url).port, port);
    assert.equal(await statusHere(url), 200);
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
    assert.deepEqual(await running(), before);
  });

  it('saves the port in the account, so that the next deploy keeps it', async () => {
    await openPanel('speech');
    const port = await press();
    const url = await testUrl();
    await editor().cancel();
    assert.deepEqual(await inEditor(`[RED.nodes.node('account').audioPort, RED.nodes.dirty()]`), [
      port,
      true,
    ]);
    await editor().deploy();
    const saved = z.array(z.looseObject({ id: z.string() })).parse(await running());
    assert.equal(saved.find(({ id }) => id === 'account')?.['audioPort'], port);
    assert.equal(await statusHere(url), 200);
  });

  it('keeps the port open after Cancel: dialog and sidebar say so, also in another editor, until the next deploy', async () => {
    // The sidebar of another editor would offer a port at the interface that this account names.
    const deployed = [...flows, accountOf({ id: 'second', audioHost: '0.0.0.0' })];
    await show(deployed);
    await inEditor(`RED.actions.invoke('herald-speech:show-speech-tab')`);
    await inSidebar(/^No: /);
    await openPanel('speech');
    const port = await press();
    await editor().cancel();
    const isOpen = new RegExp(`^(Yes|Perhaps).*:${port}\\b`);
    await inSidebar(isOpen);
    // Without a speaker there is no answer, so the next one is new.
    await inEditor(`RED.nodes.remove('kitchen')`);
    await inSidebar(isOpen, 'detached');
    // The deployed flows, as another editor loads them.
    await editor().loadFlows();
    await inSidebar(isOpen);
    await editor().open('speech');
    await editor().page.locator('.herald-reach-verdict').getByText(isOpen).waitFor({ state: 'attached' });
    await editor().cancel();
    await nodeRed().deploy(deployed);
    await inSidebar(/^No: /);
  });

  it('opens the port in the sidebar at the interface that an account names, and saves it in this account', async () => {
    await show([...flows, accountOf({ id: 'second', audioHost: '0.0.0.0' })]);
    await inEditor(`RED.actions.invoke('herald-speech:show-speech-tab')`);
    await sidebar()
      .getByText(/^Opens port \d+ on the interface /)
      .waitFor();
    await sidebar().getByRole('button', { name: BUTTON }).click();
    await sidebar()
      .getByText(/^Port \d+ is open\./)
      .waitFor();
    const saved = await inEditor(
      `['account', 'second'].map((id) => RED.nodes.node(id)).map(({ audioPort, audioHost }) => [audioPort !== '', audioHost])`,
    );
    assert.deepEqual(saved, [
      [false, ''],
      [true, '0.0.0.0'],
    ]);
  });

  it('can be undone in the editor, and a deploy without the account closes the port', async () => {
    await openPanel('speech');
    const port = await press();
    await editor().cancel();
    await inEditor('RED.history.pop()');
    assert.equal(await inEditor(`RED.nodes.node('account').audioPort`), '');
    await nodeRed().deploy([tab]);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
  });

  it('works before the first deploy: adds an account, selects it, and closes the port with the next deploy', async () => {
    await show([tab]);
    const added = { ...nodeOf('new', 'text-to-speech', 0), ...byUrl, account: '' };
    await inEditor(`RED.nodes.import([${JSON.stringify(added)}])`);
    await openPanel('new');
    const port = await press();
    assert.equal(await statusHere(await testUrl()), 200);
    // The port stays open after Cancel, so the node keeps the account that has it.
    await editor().cancel();
    await editor().open('new');
    await editor().page.locator('.herald-reach-verdict').getByText(`:${port}`).waitFor({ state: 'attached' });
    await editor().done();
    const accounts: unknown = await inEditor(
      `(({ account }) => [RED.nodes.node(account).audioPort, RED.nodes.node(account).users.length])(RED.nodes.node('new'))`,
    );
    assert.deepEqual(accounts, [port, 1]);
    await nodeRed().deploy([tab]);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
  });

  it('adds no account if the port cannot open', async () => {
    await show([tab]);
    const added = { ...nodeOf('new', 'text-to-speech', 0), ...byUrl, account: '' };
    await inEditor(`RED.nodes.import([${JSON.stringify(added)}])`);
    await openPanel('new');
    const named = await panel().locator('[id^=herald-reach-effect]').textContent();
    const taken = createServer().listen(Number(/\d+/.exec(named ?? '')?.[0]));
    await once(taken, 'listening');
    try {
      await button().click();
      await text('another program or account uses it');
      const accounts = await inEditor(
        `(() => { const ids = []; RED.nodes.eachConfig(({ id, type }) => { if (type === 'herald-account') ids.push(id); }); return ids; })()`,
      );
      assert.deepEqual(accounts, []);
    } finally {
      taken.close();
    }
  });

  it('names the port of an edited account that is not deployed yet', async () => {
    const port = String(await freePort());
    await inEditor(`Object.assign(RED.nodes.node('account'), { audioPort: '${port}', changed: true })`);
    await openPanel('speech');
    await text(`Port ${port}: not open yet`);
    assert.equal(await press(), port);
  });
});
