import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { inspectAudio, z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { freePort } from '../../../support/net/free-port.js';
import { until } from '../../../support/waiting.js';
import { accountOf, nodeOf } from '../saved.js';

describeInBrowser('the section "Connect other programs" of an account', () => {
  const flows = [
    { id: 'tab', type: 'tab', label: 'Speech' },
    accountOf(),
    nodeOf('tts', 'text-to-speech', 0),
  ];
  const { nodeRed, editor, show } = useSharedEditor(flows);
  const at = (selector: string) => editor().page.locator(selector);
  const setting = (name: string) => at(`#node-config-input-${name}`);
  const inEditor = (code: string) => editor().page.evaluate(code);
  const open = async () => {
    await editor().open('account');
    await inEditor(`document.querySelector('[data-fold=programs]').open = true`);
  };
  /** Presses "Copy" of a row, and returns the copied text. */
  const copied = async (name: string) => {
    await inEditor(`RED.clipboard.copyText = (text) => { window.copied = text; return true; }`);
    await at(`#herald-${name}-copy`).click();
    await at('#herald-programsKey-state').getByText('Copied.').waitFor();
    return String(await inEditor('window.copied'));
  };
  beforeEach(() => show(flows));
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  it('shows only the access and the console at first, and nothing for a hosted service', async () => {
    await open();
    assert.equal(await setting('programs').inputValue(), 'off');
    for (const name of ['programsConsent', 'programsPort', 'programsKey', 'wyoming', 'wyomingPort'])
      assert.equal(await setting(name).isVisible(), false, name);
    assert.ok(await at('#herald-console-open').isVisible());
    await setting('service').selectOption('hosted');
    assert.equal(await at('[data-fold=programs]').isVisible(), false);
    await at('#herald-console-open').waitFor({ state: 'hidden' });
  });

  it('serves OpenAI and Wyoming clients at the copied addresses with the copied key, which no flow contains', async () => {
    const [port, wyoming] = [await freePort(), await freePort()];
    await open();
    await setting('programs').selectOption('This computer');
    await setting('programsPort').fill(`${port}`);
    await setting('wyoming').check();
    await setting('wyomingPort').fill(`${wyoming}`);
    await editor().page.waitForFunction(
      `document.getElementById('node-config-input-wyomingUrl').value === 'tcp://127.0.0.1:${wyoming}'`,
    );
    await at('#herald-programsKey-create').click();
    await at('#herald-programsKey-state').getByText('The new key works now.').waitFor();
    const [url, key] = [await copied('programsUrl'), await copied('programsKey')];
    assert.equal(url, `http://127.0.0.1:${port}/v1`);
    await editor().done();
    await editor().deploy();

    const speak = (bearer: string) =>
      fetch(`${url}/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tts-1', voice: 'nova', input: 'Coffee.', response_format: 'wav' }),
      });
    await until(async () => (await fetch(url).catch(() => undefined)) !== undefined);
    const reply = await speak(key);
    assert.ok(inspectAudio(new Uint8Array(await reply.arrayBuffer())).duration > 0.2);
    assert.equal((await speak('wrong')).status, 401);
    const socket = connect(wyoming, '127.0.0.1');
    socket.write('{"type":"describe"}\n');
    const [data]: unknown[] = await once(socket, 'data');
    socket.destroy();
    assert.match(String(data), /"type":\s*"info"/);

    const flow = await (await fetch(`${nodeRed().url}flows`)).text();
    const exported = await inEditor(
      `JSON.stringify(RED.nodes.createCompleteNodeSet({ credentials: false }))`,
    );
    for (const text of [flow, String(exported), nodeRed().log()]) assert.ok(!text.includes(key));
    await open();
    const summary = await at('[data-fold=programs] > summary > .herald-summary').textContent();
    assert.equal(summary, `This computer: ${port}, Wyoming: ${wyoming}`);
    assert.equal(await setting('programsKey').inputValue(), '__PWRD__');
    assert.equal(await copied('programsKey'), key);
  });

  it('names the field and the fix for a port that another program uses', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = z.object({ port: z.number() }).parse(taken.address());
    await open();
    await setting('programs').selectOption('This computer');
    await setting('programsPort').fill(`${port}`);
    const problem = `Port ${port}: another program uses it: enter another “Port” under “Connect other programs”`;
    await at('#herald-programsPort-problem').getByText(problem).waitFor();
    taken.close();
  });

  it('names the opened ports, and asks for consent, before it opens them to the network', async () => {
    await open();
    await setting('programs').selectOption('My network');
    await setting('wyoming').check();
    const note = at('#herald-programsConsent-state');
    await note.getByText('Opens ports 7800 and 10200 on all networks of this computer.').waitFor();
    await note.getByText('with Wyoming also without it').waitFor();
    await note.getByText('Tick the box to open the network.').waitFor();
    await at('[data-fold=programs]')
      .getByRole('img', { name: 'This section has an invalid value.' })
      .waitFor();
    await setting('programsConsent').check();
    await note.getByText('Tick the box').waitFor({ state: 'detached' });
    await editor().page.waitForFunction(
      `!/^(http:..127|$)/.test(document.getElementById('node-config-input-programsUrl').value)`,
    );
  });
});
