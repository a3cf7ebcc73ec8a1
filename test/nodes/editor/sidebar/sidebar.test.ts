import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { z } from '@herald-speech/client';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import type { FlowNode } from '../../../support/node-red/node-red.js';
import { type ScriptedServer, spoken, withServer } from '../../../support/net/scripted-server.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { LUMINANCE } from '../layout.js';
import { accountOf, nodeOf } from '../saved.js';

const axe = createRequire(__filename).resolve('axe-core/axe.min.js');
const flowsAt = (url: string, text: string): FlowNode[] => [
  { id: 'tab', type: 'tab', label: 'Speech' },
  { id: 'other', type: 'tab', label: 'Other' },
  accountOf({
    name: 'cloud',
    service: 'hosted',
    url,
    budgetPerDay: '100',
    budgetPerMonth: '2000',
    credentials: { apiKey: 'key' },
    cache: false,
  }),
  {
    ...nodeOf('speak', 'text-to-speech', 1),
    name: 'kitchen',
    parallel: '1',
    voice_id: 'anna',
    language: 'en',
  },
  {
    id: 'press',
    type: 'inject',
    z: 'tab',
    x: 100,
    y: 80,
    props: [{ p: 'payload' }],
    payload: text,
    payloadType: 'str',
    wires: [['speak']],
  },
  {
    id: 'blank',
    type: 'inject',
    z: 'tab',
    x: 100,
    y: 240,
    props: [{ p: 'payload' }],
    payload: '',
    payloadType: 'str',
    wires: [['speak']],
  },
  {
    ...nodeOf('template', 'text-to-speech', 2),
    voice_id: 'anna',
    language: 'en',
    text: 'It is {{payload.temprature}} degrees.',
    textType: 'str',
  },
  {
    id: 'mistyped',
    type: 'inject',
    z: 'tab',
    x: 100,
    y: 160,
    props: [{ p: 'payload' }],
    payload: '',
    payloadType: 'str',
    wires: [['template']],
  },
];

/** A service that replies with speech after `release`. */
function heldService() {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  return {
    hold: () => (isHeld = true),
    release() {
      isHeld = false;
      for (const resolve of waiting.splice(0)) resolve();
    },
    async script({ path }: { path: string }) {
      if (path === '/v1/credits') return { body: { balance: 1234 } };
      if (path.startsWith('/v1/predict-duration/')) return { body: { duration: 0.5 } };
      if (path.startsWith('/v1/voices')) return { body: { voice_id: 'anna', name: 'Anna' } };
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
      return spoken({ seconds: 0.5 });
    },
  };
}

const report = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

/** The contrast of an error in the colours of a dark theme of Node-RED 4.1, which has the same red as the light one. */
const CONTRAST_IN_MIDNIGHT = `(() => {
  ${LUMINANCE}
  const { style } = document.querySelector('.herald-activity');
  const colours = { background: '#111', '--red-ui-primary-text-color': '#ddd', '--red-ui-text-color-error': '#ad1625' };
  for (const [name, value] of Object.entries(colours)) style.setProperty(name, value);
  const error = document.querySelector('[data-state=failed] .herald-activity-error:not([hidden])');
  const contrast = (luminance(getComputedStyle(error).color) + 0.05) / (luminance('#111') + 0.05);
  for (const name of Object.keys(colours)) style.removeProperty(name);
  return contrast;
})()`;

describeInBrowser('the sidebar tab "Speech"', () => {
  // The record keeps the announcements of other suites, because the suites share a Node-RED.
  const text = 'Dinner <b>is</b> "hot" & ready.';
  const { nodeRed, editor } = useSharedEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    { id: 'note', type: 'comment', z: 'tab', x: 100, y: 100, wires: [] },
  ]);
  const service = heldService();
  let end = (): void => undefined;
  let served: Promise<void> | undefined;

  before(async () => {
    const server = await new Promise<ScriptedServer>((resolve) => {
      served = withServer(service.script, (started) => {
        resolve(started);
        return new Promise<void>((closed) => (end = closed));
      });
    });
    await nodeRed().deploy(flowsAt(server.url, text));
    await editor().page.evaluate('RED.nodes.version(null)');
    await editor().loadFlows();
    await editor().page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
  });
  after(async () => {
    service.release();
    end();
    await served;
  });
  afterEach(() => assert.deepEqual(editor().problems, []));

  const tab = () => editor().page.locator('.herald-activity');
  const rows = (state: string): Locator => tab().locator(`[data-state="${state}"]`, { hasText: text });
  const button = (name: string) => tab().getByRole('button', { name });

  it('shows a past announcement with its text as written, voice, seconds and node', async () => {
    await nodeRed().inject('press');
    const row = rows('done').first();
    await row.waitFor();
    assert.equal(await row.locator('.herald-activity-text').textContent(), text);
    const facts = await row.locator('.herald-activity-facts').textContent();
    for (const fact of ['Done', 'kitchen', 'Anna (en)', '0.5\u00a0s'])
      assert.ok(facts?.includes(fact), `${facts}`);
  });

  it('shows the warnings about an announcement', async () => {
    await nodeRed().inject('mistyped');
    const row = tab().locator('[data-state=done]', { hasText: 'It is degrees' }).first();
    await row.waitFor();
    assert.deepEqual(await row.locator('.herald-activity-warnings > li').allTextContents(), [
      'Text (text): the tag {{payload.temprature}} has no value: correct its name, or write {{#payload.temprature}}{{payload.temprature}}{{/payload.temprature}} if the value may be missing.',
    ]);
    const warnings = rows('done').first().locator('.herald-activity-warnings');
    assert.equal(await warnings.textContent(), 'Text (text): markup was removed.');
  });

  it('plays a past announcement', async () => {
    await watchSound(editor().page);
    await button(`Replay: ${text}`).first().click();
    await untilPlayed(editor().page, 1);
  });

  it('shows the current and the queued announcements live, and stops one with the keyboard', async () => {
    service.hold();
    for (let count = 0; count < 3; count += 1) await nodeRed().inject('press');
    await rows('speaking').waitFor();
    await rows('queued').nth(1).waitFor();
    await tab().getByText('kitchen: 2 queued').waitFor();
    await rows('queued').first().getByRole('button', { name: 'Stop' }).focus();
    await editor().page.keyboard.press('Enter');
    await rows('stopped').first().waitFor();
    await tab().getByText('kitchen: 1 queued').waitFor();
    const focused = await editor().page.evaluate(
      `document.activeElement.closest('.herald-activity-row')?.dataset.state`,
    );
    assert.equal(focused, 'stopped');
  });

  // Only what depends on the colours has a test for each scheme. Node-RED 5 follows the system. Node-RED 4.1 has one theme.
  for (const colorScheme of ['dark', 'light'] as const)
    it(`has no accessibility violations with ${colorScheme} colours`, async () => {
      await editor().page.emulateMedia({ colorScheme });
      await editor().page.addScriptTag({ path: axe });
      const found = report.parse(
        await editor().page.evaluate(`axe.run('.herald-activity', { resultTypes: ['violations'] })`),
      );
      assert.deepEqual(found.violations, []);
    });

  it('clears the queue of a node, and the current announcement ends', async () => {
    await button('Clear the queue of kitchen').press('Enter');
    await rows('queued').first().waitFor({ state: 'detached' });
    assert.ok(await editor().page.evaluate(`document.activeElement.closest('.herald-activity') !== null`));
    await rows('speaking').waitFor();
    service.release();
    await rows('speaking').waitFor({ state: 'detached' });
  });

  it('gets the focus from its action', async () => {
    await editor().page.waitForFunction(`(() => {
        RED.actions.invoke('herald-speech:show-speech-tab');
        return document.activeElement.matches('.herald-activity');
      })()`);
  });

  it('shows balance and budget of the account', async () => {
    await tab().getByText('balance: 1,234 credits').waitFor();
    await tab()
      .getByText(/today: [\d.]+ of 100\u00a0s · this month: [\d.]+ of 2,000\u00a0s/)
      .waitFor();
  });

  it('shows past announcements with the label that their node had at the time', async () => {
    const template = tab().locator('[data-state=done]', { hasText: 'It is degrees' }).first();
    await editor().page.evaluate(`{
        RED.nodes.node('speak').name = 'study';
        RED.nodes.node('template').text = 'The heating is off.';
      }`);
    const shown = await rows('done').count();
    await nodeRed().inject('press');
    await rows('done').nth(shown).waitFor();
    assert.equal(await rows('done').filter({ hasText: 'study' }).count(), 0);
    assert.equal(await rows('done').filter({ hasText: 'kitchen' }).count(), shown + 1);
    assert.match((await template.textContent()) ?? '', /“It is {{payload\.temprat…”/);
  });

  it('shows errors with a contrast of 4.5:1, also in a theme with a dark red', async () => {
    await nodeRed().inject('blank');
    await tab().locator('[data-state=failed] .herald-activity-error').first().waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await editor().page.emulateMedia({ colorScheme });
      const contrast = await editor().page.evaluate<number>(CONTRAST_IN_MIDNIGHT);
      assert.ok(contrast >= 4.5, `${colorScheme}: ${contrast}`);
    }
  });

  it('shows the node of an announcement in the workspace', async () => {
    await editor().page.evaluate(`RED.workspaces.show('other')`);
    await rows('done').first().locator('.herald-activity-reveal').click();
    await editor().page.waitForFunction(`RED.workspaces.active() === 'tab'`);
  });
});
