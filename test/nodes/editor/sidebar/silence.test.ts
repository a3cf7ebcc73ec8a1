import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { wavOf } from '../../../support/audio-files.js';
import type { FlowNode } from '../../../support/node-red/node-red.js';
import {
  type Script,
  type ScriptedServer,
  spoken,
  withServer,
} from '../../../support/net/scripted-server.js';
import { useParts } from '../../../support/use-parts.js';
import { accountOf, nodeOf } from '../saved.js';

/** A text of four pieces, each of about 20 seconds. */
const STORY = Array.from({ length: 4 }, () => `${'Once upon a time it rained and '.repeat(9)}ended.`).join(
  '\n\n',
);

/** A service that speaks a piece in 20 seconds, and an alarm in less than the second of a long sound. */
const service: Script = ({ path, json }) => {
  if (path === '/v1/credits') return { body: { balance: 1234 } };
  if (path.startsWith('/v1/predict-duration/')) return { body: { duration: 20 } };
  return spoken({ seconds: String(json['text']).length > 100 ? 20 : 0.9 });
};
const long = wavOf({ seconds: 60, sampleRate: 3000 }).toString('base64');

const press = (id: string, to: string, message: Record<string, string>): FlowNode => ({
  id,
  type: 'inject',
  z: 'tab',
  x: 100,
  y: 80,
  props: Object.entries(message).map(([p, v]) => ({ p, v, vt: 'str' })),
  wires: [[to]],
});
const speech = (id: string, index: number, properties: object): FlowNode => ({
  ...nodeOf(id, 'text-to-speech', index),
  voice_id: 'anna',
  language: 'en',
  ...properties,
});
const tabOfFlows: FlowNode = { id: 'tab', type: 'tab', label: 'Speech' };
const flowsAt = (url: string): FlowNode[] => [
  tabOfFlows,
  accountOf({
    service: 'hosted',
    url,
    requestsPerMinute: '10000',
    credentials: { apiKey: 'key' },
    cache: false,
  }),
  press('tell', 'pieces', { payload: STORY }),
  press('reset', 'pieces', { reset: 'true' }),
  press('alarm', 'pieces', { payload: 'Fire!', order: 'interrupt', room: 'far' }),
  speech('pieces', 0, { name: 'story', output: 'pieces', wires: [['rooms']] }),
  {
    id: 'rooms',
    type: 'switch',
    z: 'tab',
    x: 400,
    y: 80,
    property: 'room',
    propertyType: 'msg',
    rules: [{ t: 'eq', v: 'far', vt: 'str' }, { t: 'else' }],
    checkall: 'false',
    outputs: 2,
    wires: [['far'], ['near']],
  },
  press('tell url', 'url', { payload: STORY }),
  speech('url', 1, { name: 'address', output: 'url', wires: [['near']] }),
  press('tell long url', 'long url', { payload: STORY }),
  // More audio than the buffers between the service and a player hold.
  speech('long url', 5, { name: 'long address', output: 'url', repeat: '20', wires: [['near']] }),
  press('alarm address', 'url', { payload: 'Fire!', order: 'interrupt' }),
  press('tell alert', 'alert', { payload: 'The door is open.', priority: '5' }),
  speech('alert', 2, { name: 'alert', wires: [['near']] }),
  press('hush', 'near', { reset: 'true' }),
  press('tell other', 'other', {}),
  {
    id: 'other',
    type: 'function',
    z: 'tab',
    x: 300,
    y: 240,
    func: `return { payload: Buffer.from('${long}', 'base64') };`,
    outputs: 1,
    wires: [['near']],
  },
  { ...nodeOf('near', 'listen', 3), name: 'kitchen' },
  { ...nodeOf('far', 'listen', 4), name: 'garage' },
];

/** Counts the starts of audio and the ends of long audio, and finds the audio that plays now. */
const WATCH = `{
  window.started = 0;
  window.finished = 0;
  RED.comms.subscribe('herald/listen', (topic, { url }) => { window.url = url; });
  const all = new Set();
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    all.add(this);
    if (window.isBlocked) {
      window.isBlocked = false;
      return Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
    }
    let isLong = false;
    this.addEventListener('playing', () => { window.started += 1; isLong = this.duration > 1; }, { once: true });
    this.addEventListener('ended', () => { window.finished += isLong ? 1 : 0; });
    return play.call(this);
  };
  window.blockOnce = () => { window.isBlocked = true; };
  window.audible = () => [...all].filter(({ paused, ended }) => !paused && !ended).length;
}`;

describeInBrowser('a stop', () => {
  const server = useParts<ScriptedServer>((work) =>
    withServer(service, work, undefined, { describesVoices: false }),
  );
  const { nodeRed, editor, show } = useSharedEditor([tabOfFlows, nodeOf('near', 'listen', 3)]);
  before(async () => {
    await show(flowsAt(server().url));
    await editor().page.evaluate(WATCH);
    await editor().page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
  });
  beforeEach(() => editor().page.evaluate('started = finished = 0'));
  // A stop ends the open streams of URLs, which the browser logs.
  const isUnexpected = (problem: string) => !problem.includes('net::ERR_CONNECTION_RESET');
  afterEach(() => assert.deepEqual(editor().problems.filter(isUnexpected), []));

  const tab = () => editor().page.locator('.herald-activity');
  const current = () => tab().getByRole('region', { name: 'Current and queued' }).locator('li[data-state]');
  const past = () => tab().getByRole('region', { name: 'Past' }).locator('li[data-state]');
  /** Waits for a state of the page. Looks between frames: waiting for frames makes the page draw them. */
  const state = (isReached: string) => editor().page.waitForFunction(isReached, undefined, { polling: 20 });
  const sounds = () => state('started > 0 && audible() === 1');
  const stopButton = () => current().first().getByRole('button', { name: 'Stop' });
  const status = (node: string) => editor().page.locator(`#${node} .red-ui-flow-node-status-label`);

  /** Checks that long audio was stopped before its end, and that no other audio starts. */
  async function silence(): Promise<void> {
    await state('audible() === 0');
    const started = await editor().page.evaluate('started');
    await current().first().waitFor({ state: 'detached' });
    await editor().page.waitForTimeout(300);
    assert.deepEqual(await editor().page.evaluate('[audible(), started, finished]'), [0, started, 0]);
  }

  it('in the tab ends the pieces of a finished announcement in the listen node, which is listed as playing, then as stopped and never as done', async () => {
    await nodeRed().inject('tell');
    const row = current().filter({ hasText: 'story' });
    await sounds();
    await state(
      `document.querySelector('.herald-activity [data-state="done"]')?.textContent.includes('Playing in this editor')`,
    );
    assert.doesNotMatch((await row.textContent()) ?? '', /Done/);
    await editor().page.evaluate('finished = 0');
    await stopButton().click();
    await silence();
    await past().first().locator('.herald-activity-facts', { hasText: 'Stopped' }).waitFor();
    assert.equal(await past().first().filter({ hasText: 'Done' }).count(), 0);
  });

  it('in the tab drops an announcement that is queued in this editor, and the current one plays on', async () => {
    await nodeRed().inject('tell');
    await sounds();
    await nodeRed().inject('tell');
    const queued = current().filter({ hasText: 'Queued in this editor' });
    await queued.getByRole('button', { name: 'Stop' }).click();
    await queued.waitFor({ state: 'detached' });
    await past().first().filter({ hasText: 'Stopped' }).waitFor();
    assert.equal(await editor().page.evaluate('finished = 0, audible()'), 1);
    await current()
      .filter({ hasText: 'Playing in this editor' })
      .getByRole('button', { name: 'Stop' })
      .click();
    await silence();
  });

  it('by msg.reset at the listen node is listed as stopped; before it, the current announcement of this editor comes first, then the queued ones in the order of playing', async () => {
    await nodeRed().inject('tell url');
    await sounds();
    await nodeRed().inject('tell');
    await current().filter({ hasText: 'story' }).filter({ hasText: 'Queued in this editor' }).waitFor();
    await nodeRed().inject('tell alert');
    await current().filter({ hasText: 'alert' }).filter({ hasText: 'Queued in this editor' }).waitFor();
    await current().nth(2).filter({ hasText: 'story' }).waitFor();
    const facts = await current().locator('.herald-activity-facts').allTextContents();
    for (const [place, label] of ['address', 'alert', 'story'].entries())
      assert.ok(facts[place]?.includes(label), facts.join('\n'));
    const stopped = past().filter({ hasText: 'address' }).filter({ hasText: 'Stopped' });
    const before = await stopped.count();
    await nodeRed().inject('hush');
    await silence();
    await stopped.nth(before).waitFor();
  });

  it('by an interrupt after the end of the work is listed as interrupted', async () => {
    await nodeRed().inject('tell url');
    await sounds();
    await current().filter({ hasText: 'address' }).filter({ hasText: 'Playing in this editor' }).waitFor();
    await nodeRed().inject('alarm address');
    await past().filter({ hasText: 'address' }).filter({ hasText: 'Interrupted' }).waitFor();
    await state('started > 1 && audible() === 1');
    await nodeRed().inject('hush');
    await silence();
  });

  it('waits for a click in the tab while the browser blocks audio', async () => {
    await editor().page.evaluate('blockOnce()');
    await nodeRed().inject('tell other');
    await tab().getByText('Waiting for a click in this editor: kitchen').waitFor();
    await nodeRed().inject('hush');
    await tab().getByText('Waiting for a click').waitFor({ state: 'hidden' });
    await editor().page.evaluate('blockOnce()');
    await nodeRed().inject('tell url');
    await current().filter({ hasText: 'address' }).filter({ hasText: 'Waiting for a click' }).waitFor();
    await nodeRed().inject('hush');
    await current().first().waitFor({ state: 'detached' });
  });

  it('in the tab ends a finished URL that the listen node plays, and the reply to a player that fetches its 20 minutes', async () => {
    await nodeRed().inject('tell long url');
    await sounds();
    await current()
      .filter({ hasText: 'long address' })
      .filter({ hasText: 'Playing in this editor' })
      .waitFor();
    const reply = await fetch(String(await editor().page.evaluate('window.url')));
    const reader = reply.body?.getReader() ?? assert.fail('no body');
    await reader.read();
    await current().filter({ hasText: 'A player fetches the audio' }).waitFor();
    await stopButton().click();
    await silence();
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    });
  });

  it('by msg.reset at the text to speech node ends its sound in the listen node', async () => {
    await nodeRed().inject('tell');
    await sounds();
    await nodeRed().inject('reset');
    await silence();
  });

  it('by msg.reset ends a replay in the tab', async () => {
    await tab()
      .locator('li[data-state]', { hasText: 'story' })
      .getByRole('button', { name: 'Replay' })
      .first()
      .click();
    await sounds();
    await nodeRed().inject('reset');
    await silence();
  });

  it('by msg.reset ends a sound of Try it in the dialog of the node', async () => {
    await editor().open('pieces');
    const text = editor().page.locator('#herald-try-text');
    await text.fill('Once upon a time, it rained. '.repeat(8));
    await text.press('Enter');
    await sounds();
    await nodeRed().inject('reset');
    await silence();
    await editor().cancel();
  });

  it('by an interrupt ends the sound in a listen node that does not get the new message', async () => {
    await nodeRed().inject('tell');
    await status('near').filter({ hasText: 'Playing' }).waitFor();
    await nodeRed().inject('alarm');
    await status('far').filter({ hasText: 'Done' }).waitFor();
    await silence();
    await status('near').filter({ hasText: 'Playing' }).waitFor({ state: 'hidden' });
  });

  it('in the tab ends audio of a listen node that is no announcement', async () => {
    await nodeRed().inject('tell other');
    await tab().getByText('Playing in this editor: kitchen').waitFor();
    await sounds();
    await tab().getByRole('button', { name: 'Stop: kitchen' }).click();
    await silence();
    assert.equal(await tab().getByText('Playing in this editor: kitchen').isVisible(), false);
  });
});
