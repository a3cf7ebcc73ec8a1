import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { z } from '@herald-speech/client';
import {
  describeInBrowser,
  type Editor,
  FOREIGN_HOST,
  openEditor,
  sharedBrowser,
} from '../../../support/browser/browser.js';
import { useNodeRed } from '../../../support/node-red/shared-node-red.js';
import { accountOf, nodeOf, speakerOf } from '../saved.js';

const axe = createRequire(__filename).resolve('axe-core/axe.min.js');
const axeReport = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});
const tab = { id: 'tab', type: 'tab', label: 'Speech' };
const speech = (more: object = {}) => ({ ...nodeOf('speech', 'text-to-speech', 0), ...more });
const byUrl = { output: 'url', outputType: 'str' };
/** Plays sounds at 16 times their rate. */
const FAST = `(() => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    this.playbackRate = 16;
    return play.call(this);
  };
})()`;
/** Ends the patience of the panel, 8 seconds, at once. */
const IMPATIENT = `(() => {
  const { setTimeout } = window;
  window.setTimeout = (work, ms, ...values) => setTimeout(work, ms === 8000 ? 10 : ms, ...values);
})()`;
const TITLE = 'Can my speakers hear me?';

describeInBrowser('panel for the reach of speakers', () => {
  const nodeRed = useNodeRed([
    tab,
    accountOf(),
    speakerOf({ address: '127.0.0.1:10' }),
    speech(byUrl),
    nodeOf('other', 'text-to-speech', 1),
  ]);
  let editor: Editor;
  before(async () => {
    const url = nodeRed().url.replace('127.0.0.1', FOREIGN_HOST);
    editor = await openEditor(await sharedBrowser(), url);
    await editor.page.addScriptTag({ path: axe });
    await editor.page.evaluate(FAST);
  });
  after(() => editor?.close());

  const panel = () => editor.page.locator('.herald-reach');
  const verdict = () => editor.page.locator('.herald-reach-verdict');
  const heading = () => editor.page.locator('.herald-form summary').getByText(TITLE);
  const text = (content: string | RegExp) => panel().getByText(content).first().waitFor();
  const press = (name: string) => panel().getByRole('button', { name, exact: true }).click();
  const row = (address: string) => panel().locator('tr', { hasText: address });
  const typeUrl = (url: string) => editor.page.locator('#node-input-base_url-value').fill(url);
  /** A base URL that only this computer reaches. */
  const own = () => nodeRed().url.replace(/\/$/, '');
  /** Starts a test sound, and returns its URL. */
  const copy = async () => {
    await press('Copy test URL');
    await text(/^Copied\./);
    return panel().getByRole('textbox', { name: 'Test URL' }).inputValue();
  };
  const fetchAs = async (url: string, headers: Record<string, string>) =>
    (await fetch(url, { headers: { 'user-agent': 'Linux UPnP/1.0 Sonos/83.1', ...headers } })).arrayBuffer();

  it('is hidden for an output that is not the URL', async () => {
    await editor.open('other');
    assert.equal(await heading().isVisible(), false);
    await editor.cancel();
  });

  // In this file, because only its page comes from another computer.
  it('leaves “Open console” of an account disabled on another computer, with the reason', async () => {
    await editor.open('account');
    await editor.page.evaluate(`document.querySelector('[data-fold=programs]').open = true`);
    await editor.page.getByText('only in a browser on the computer of Node-RED').waitFor();
    assert.equal(await editor.page.getByRole('button', { name: 'Open console' }).isDisabled(), true);
    await editor.cancel();
  });

  describe('in the dialog of a node with the output URL', () => {
    before(() => editor.open('speech'));
    after(() => editor.cancel());

    it('stands below the section with the URL', async () => {
      await heading().waitFor();
      const folds = await editor.page
        .locator('.herald-form > [data-fold]:visible')
        .evaluateAll((all) => all.map((fold) => fold.getAttribute('data-fold')));
      assert.equal(folds.indexOf('reach'), folds.indexOf('output') + 1);
    });

    it('answers in the closed heading, before the first deploy', async () => {
      await heading().waitFor();
      const summary = editor.page.locator('summary:has(+ .herald-reach) > small');
      await summary.getByText(/^(Yes|No|Perhaps)/).waitFor();
      await heading().click();
      await verdict().getByText(/./).waitFor();
    });

    it('lists the address of the page, and uses it as the base URL', async () => {
      await row('127.0.0.1').getByText('Only this computer').waitFor();
      await row(FOREIGN_HOST).getByRole('button', { name: 'Use' }).click();
      await row(FOREIGN_HOST).getByText('In use').waitFor();
      const { origin } = new URL(editor.page.url());
      assert.equal(await editor.page.locator('#node-input-base_url').inputValue(), origin);
      await verdict().getByText(`Perhaps: Herald cannot check ${origin}`).waitFor();
    });

    it('answers no for an address of this computer only, and names the fix', async () => {
      await typeUrl(own());
      await text(/only this computer reaches this address/);
      await verdict().getByText(`No: speakers cannot fetch the audio from ${own()}.`).waitFor();
      await text(/Base URL/);
    });

    it('plays the test sound in this browser, and shows its request live', async () => {
      await press('Play');
      await text(/^Chrome \(this computer\)$/);
      await text('GET');
      await text('This browser has played the test sound.');
    });

    for (const [width, height, colorScheme] of [
      [1280, 800, 'light'],
      [900, 700, 'dark'],
    ] as const)
      it(`has no accessibility violations at ${width}x${height} with a ${colorScheme} system`, async () => {
        // Node-RED 5 follows the system. Node-RED 4.1 has one theme.
        await editor.page.emulateMedia({ colorScheme });
        await editor.page.setViewportSize({ width, height });
        await text(/^Chrome \(this computer\)$/);
        await panel().getByText('In use').first().waitFor();
        const found = await editor.page.evaluate(`axe.run('.herald-form', { resultTypes: ['violations'] })`);
        const { violations } = axeReport.parse(found);
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
          [],
        );
      });

    it('shows the copied test URL, and the requests of another program', async () => {
      const url = await copy();
      await text('Waiting for a request …');
      await fetchAs(url, { range: 'bytes=0-9' });
      await text('Sonos (this computer)');
      await text(/bytes=0-9/);
      await panel().getByRole('cell', { name: '206', exact: true }).first().waitFor();
    });

    it('answers perhaps if another device has fetched the sound from another address', async () => {
      // Node-RED trusts these headers of a proxy on its computer.
      await fetchAs(await copy(), { 'x-forwarded-for': '10.0.0.5', 'x-forwarded-host': 'red.example:8080' });
      const from = 'Perhaps: Sonos (10.0.0.5) has fetched the test sound from http://red.example:8080';
      await verdict().getByText(from).waitFor();
    });

    it('answers yes as soon as another device has fetched the sound, and keeps it for the same URL', async () => {
      await fetchAs(await copy(), { 'x-forwarded-for': '10.0.0.5' });
      const yes = verdict().getByText('Yes: Sonos (10.0.0.5) has fetched the test sound.');
      await yes.waitFor();
      // The answer of the runtime to a check without new values leaves the verdict.
      const checked = editor.page.waitForResponse('**/herald/reach/addresses');
      await editor.page.evaluate(`$('#node-input-base_url').trigger('change')`);
      await (await checked).finished();
      await editor.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
      assert.ok(await yes.isVisible());
    });

    it('explains why the flow cannot play, if the node is not deployed with a wire', async () => {
      await panel().getByRole('combobox').selectOption('flow');
      await press('Play');
      await text(/Output 1 of the deployed node has no wire/i);
    });

    it('offers a speaker without a name by its facts, and the found speakers, and shows the reason of a failure', async () => {
      const speakers = [{ kind: 'mpd', name: 'Kitchen', address: '127.0.0.1:9' }];
      // A real search would ask other computers.
      await editor.page.route('**/herald/speakers/search', (route) =>
        route.fulfill({ json: { version: 1, isSearching: false, speakers } }),
      );
      await press('Find speakers');
      await text('Speakers found: 2.');
      const found = 'Kitchen (MPD · 127.0.0.1)';
      assert.deepEqual(await panel().locator('optgroup > option').allTextContents(), [
        'MPD 127.0.0.1',
        found,
      ]);
      assert.equal(await panel().locator('option:checked').textContent(), 'MPD 127.0.0.1');
      await panel().getByRole('combobox').selectOption(found);
      await press('Play');
      await text(/^Kitchen does not answer/);
    });

    it('names the most likely cause if no request arrives', async () => {
      await editor.page.evaluate(IMPATIENT);
      await copy();
      await text(/^No request yet\. Most likely: .*only this computer reaches this address/);
    });

    it('names the rule of an invalid URL and no problems of the former one, and asks Node-RED neither to check nor to play it', async () => {
      const asked: string[] = [];
      editor.page.on('request', (request) => asked.push(request.url()));
      const RULE = 'Base URL: enter a URL such as http://192.168.1.5:1880.';
      for (const url of ['kitchen', 'http://', 'http://a b', 'http://anna:secret@house']) {
        await typeUrl(url);
        await verdict().getByText(RULE).waitFor();
        await typeUrl(own());
        await verdict().getByText(own()).waitFor();
        asked.length = 0;
      }
      await typeUrl('kitchen');
      await verdict().getByText(RULE).waitFor();
      assert.equal(await panel().locator('.herald-reach-problems > li').count(), 0);
      await press('Copy test URL');
      await panel().locator('.herald-note.herald-problem', { hasText: RULE }).waitFor();
      assert.deepEqual(
        asked.filter((url) => url.includes('/herald/reach/')),
        [],
      );
      assert.deepEqual(
        editor.problems.filter((problem) => problem.includes('400')),
        [],
      );
      await typeUrl(own());
      await text(/only this computer reaches this address/);
    });

    it('asks for no requests after the dialog is closed', async () => {
      const url = await copy();
      await editor.cancel();
      const asked: string[] = [];
      editor.page.on('request', (request) => asked.push(request.url()));
      await (await fetch(url)).arrayBuffer();
      await editor.open('other');
      assert.deepEqual(
        asked.filter((url) => url.includes('reach/')),
        [],
      );
    });
  });
});
