import assert from 'node:assert/strict';
import { wavOf } from '../../../support/audio-files.js';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import type { FlowNode } from '../../../support/node-red/node-red.js';

const wav = wavOf({ seconds: 0.2 }).toString('base64');
const inject = (id: string, to: string): FlowNode => ({
  id,
  type: 'inject',
  z: 'tab',
  x: 100,
  y: 100,
  props: [],
  wires: [[to]],
});
const compute = (id: string, func: string): FlowNode => ({
  id,
  type: 'function',
  z: 'tab',
  x: 300,
  y: 100,
  func,
  outputs: 1,
  wires: [['listen']],
});
/** Audio that lasts longer than each of these tests. */
const long = wavOf({ seconds: 60, sampleRate: 3000 }).toString('base64');
const computeLong = (id: string, more: string) =>
  compute(id, `return { ${more} payload: Buffer.from('${long}', 'base64') };`);
const flows: FlowNode[] = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  inject('say', 'audio'),
  compute('audio', `return { payload: Buffer.from('${wav}', 'base64') };`),
  inject('say three', 'three'),
  compute('three', `for (const _ of '123') node.send({ payload: Buffer.from('${wav}', 'base64') });`),
  inject('say story', 'story'),
  {
    id: 'story',
    type: 'herald-text-to-speech',
    z: 'tab',
    x: 300,
    y: 100,
    text: `Hi. ${'So it goes. '.repeat(10)}`,
    textType: 'str',
    voice_settings: '{"speed": 2}',
    output: 'url',
    url_when: 'first',
    wires: [['listen']],
  },
  ...['interrupt', 'replace'].flatMap((order) => [
    inject(`say pieces ${order}`, `pieces ${order}`),
    {
      id: `pieces ${order}`,
      type: 'herald-text-to-speech',
      z: 'tab',
      x: 300,
      y: 100,
      text: 'So it goes on. '.repeat(22),
      textType: 'str',
      voice_settings: '{"speed": 2}',
      output: 'pieces',
      order,
      wires: [['listen']],
    },
  ]),
  inject('say nothing', 'nothing'),
  compute('nothing', `return { payload: 'https://127.0.0.1:9/nothing.wav' };`),
  inject('say path', 'path'),
  compute('path', `return { payload: 'a.wav' };`),
  inject('say file', 'file'),
  compute('file', `return { payload: '/home/nobody/<img src=x onerror="window.isRun=1">.wav' };`),
  inject('say long', 'long'),
  computeLong('long', ''),
  inject('say quiet', 'quiet'),
  computeLong('quiet', 'volume: 25,'),
  inject('say alarm', 'alarm'),
  computeLong('alarm', 'priority: 5,'),
  inject('say urgent', 'urgent'),
  compute('urgent', `return { priority: 10, volume: 50, payload: Buffer.from('${wav}', 'base64') };`),
  inject('say bell', 'bell'),
  {
    ...compute('bell', `return { payload: Buffer.from('${wav}', 'base64') };`),
    wires: [['bedroom']],
  },
  { id: 'bedroom', type: 'herald-listen', z: 'tab', x: 500, y: 300, name: '', volume: '100', wires: [] },
  inject('reset', 'resets'),
  compute('resets', `return { reset: true };`),
  inject('interrupt', 'interrupts'),
  compute(
    'interrupts',
    `return { speech: { order: 'interrupt' }, payload: Buffer.from('${wav}', 'base64') };`,
  ),
  inject('replace', 'replaces'),
  compute('replaces', `return { order: 'replace', payload: Buffer.from('${wav}', 'base64') };`),
  { id: 'listen', type: 'herald-listen', z: 'tab', x: 500, y: 100, name: '', volume: '100', wires: [] },
  {
    id: 'hall',
    type: 'subflow',
    name: 'hall',
    in: [{ x: 50, y: 30, wires: [{ id: 'inside' }] }],
    out: [],
  },
  { id: 'inside', type: 'herald-listen', z: 'hall', x: 200, y: 30, name: '', volume: '100', wires: [] },
  { id: 'copy', type: 'subflow:hall', z: 'tab', x: 500, y: 200, wires: [] },
  inject('say inside', 'audio inside'),
  {
    ...compute('audio inside', `return { payload: Buffer.from('${long}', 'base64') };`),
    wires: [['copy']],
  },
];

/**
 * Records media events, and counts object URLs and announcements. The test browser allows audio without a user gesture.
 * `refuse()` makes it require a click, as browsers do by default, and `isFast` plays at 16 times the rate.
 */
const OBSERVE = `{
  window.played = [];
  window.volumes = [];
  window.held = 0;
  window.received = 0;
  RED.comms.subscribe('herald/listen', () => { window.received += 1; });
  window.isFast = false;
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    if (window.isFast) this.playbackRate = 16;
    window.loudness = this.volume;
    window.volumes.push(this.volume);
    for (const event of ['playing', 'ended']) this.addEventListener(event, () => window.played.push(event));
    return play.call(this);
  };
  window.refuse = () => {
    const { play } = HTMLMediaElement.prototype;
    let pressed = false;
    document.addEventListener('click', (event) => { pressed ||= event.isTrusted; }, true);
    HTMLMediaElement.prototype.play = function () {
      return pressed ? play.call(this) : Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
    };
  };
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob) => { window.held += 1; return createObjectURL(blob); };
  URL.revokeObjectURL = (url) => { window.held -= 1; revokeObjectURL(url); };
}`;

describeInBrowser('listen node', () => {
  const { nodeRed, editor } = useSharedEditor(flows);
  before(async () => void (await editor().page.evaluate(OBSERVE)));
  beforeEach(() => editor().page.evaluate('played.length = 0; held = 0; received = 0; isFast = false;'));

  /** Waits for a state of the page. Looks between frames: waiting for frames makes the page draw them. */
  const state = (isReached: string) => editor().page.waitForFunction(isReached, undefined, { polling: 20 });
  const played = (count: number) =>
    state(`played.filter((event) => event === 'ended').length === ${count} && held === 0`);

  it('plays audio once and releases it', async () => {
    await nodeRed().inject('say');
    await played(1);
    assert.deepEqual(await editor().page.evaluate('played'), ['playing', 'ended']);
    assert.deepEqual(editor().problems, []);
  });

  it('plays the URL of a speech that was available with the first piece, to its end', async () => {
    await editor().page.evaluate('isFast = true');
    await nodeRed().inject('say story');
    await played(1);
    assert.deepEqual(editor().problems, []);
  });

  it('shows the status "Playing" while it plays, at the volume of the message', async () => {
    const status = editor().page.locator('#listen .red-ui-flow-node-status-label');
    await nodeRed().inject('say quiet');
    await status.filter({ hasText: 'Playing' }).waitFor();
    await state('played.length === 1');
    assert.equal(await editor().page.evaluate('loudness'), 0.25);
    await nodeRed().inject('reset');
    await status.filter({ hasText: 'Playing' }).waitFor({ state: 'hidden' });
    await state('held === 0');
  });

  it('shows why it cannot play a message, and "Playing" again after the next message while earlier audio plays', async () => {
    const label = (node: string, text: string) =>
      editor().page.locator(`#${node} .red-ui-flow-node-status-label`, { hasText: text });
    const status = (text: string) => label('listen', text).waitFor();
    await nodeRed().inject('say long');
    await status('Playing');
    await nodeRed().inject('say path');
    await status('Path, not audio');
    await nodeRed().inject('say bell');
    await label('bedroom', 'Queued').waitFor();
    assert.equal(await label('listen', 'Path, not audio').count(), 1);
    await nodeRed().inject('say');
    await status('Playing');
    await nodeRed().inject('reset');
    await label('bedroom', 'Done').waitFor();
    await state('held === 0');
  });

  it('plays announcements one at a time', async () => {
    await nodeRed().inject('say three');
    await played(3);
    const once = ['playing', 'ended'];
    assert.deepEqual(await editor().page.evaluate('played'), [...once, ...once, ...once]);
  });

  it('asks for a click if the browser requires one, with the status "Waiting for a click", and plays after it', async () => {
    const status = editor().page.locator('#listen .red-ui-flow-node-status-label');
    await editor().page.evaluate('refuse()');
    await nodeRed().inject('say three');
    await status.filter({ hasText: 'Waiting for a click' }).waitFor();
    const button = editor()
      .page.locator('.red-ui-notification')
      .getByRole('button', { name: 'Play', exact: true });
    await button.click();
    await status.filter({ hasText: 'Playing' }).waitFor();
    await played(3);
    assert.equal(await button.count(), 0);
  });

  it('is silent while it is muted in this editor, and does not change the flow', async () => {
    const button = editor().page.locator('#listen .red-ui-flow-node-button-button');
    await button.click();
    await nodeRed().inject('say three');
    await state('received === 3');
    await button.click();
    await nodeRed().inject('say');
    await played(1);
    assert.equal(await editor().page.evaluate('RED.nodes.dirty()'), false);
  });

  it('reports a URL that does not answer, and plays the next announcement', async () => {
    await nodeRed().inject('say nothing');
    await nodeRed().inject('say');
    await editor().page.locator('.red-ui-notification', { hasText: 'cannot be played' }).waitFor();
    await played(1);
  });

  it('names the path of a file that the browser cannot play, as text and not as HTML, and the node that reads files', async () => {
    await nodeRed().inject('say file');
    const reason =
      'payload /home/nobody/<img src=x onerror="window.isRun=1">.wav: this Node-RED has no playable audio at this path.';
    const notification = editor().page.locator('.red-ui-notification', { hasText: reason });
    await notification.waitFor();
    assert.equal(await notification.locator('img').count(), 0);
  });

  const starts = (count: number) =>
    state(`played.filter((event) => event === 'playing').length === ${count}`);
  const silence = () => state('held === 0');

  it('stops current and waiting announcements after msg.reset, and plays the next one', async () => {
    await nodeRed().inject('say long');
    await nodeRed().inject('say three');
    await starts(1);
    await state('received === 4');
    await nodeRed().inject('reset');
    await silence();
    assert.deepEqual(await editor().page.evaluate('played'), ['playing']);
    await nodeRed().inject('say');
    await played(1);
    const notification = editor().page.locator('.red-ui-notification', { hasText: 'no longer stored' });
    assert.equal(await notification.count(), 0);
  });

  it('plays an interrupting announcement at once and drops all others', async () => {
    await nodeRed().inject('say long');
    await nodeRed().inject('say long');
    await starts(1);
    await state('received === 2');
    await nodeRed().inject('interrupt');
    await played(1);
    assert.deepEqual(await editor().page.evaluate('played'), ['playing', 'playing', 'ended']);
  });

  it('does not interrupt an announcement of a higher priority', async () => {
    await nodeRed().inject('say alarm');
    await starts(1);
    await nodeRed().inject('interrupt');
    await state('received === 2');
    assert.deepEqual(await editor().page.evaluate('[played, held]'), [['playing'], 1]);
    await nodeRed().inject('reset');
    await silence();
  });

  it('plays an announcement of a higher priority before queued ones, and the current one to its end', async () => {
    await editor().page.evaluate('volumes.length = 0');
    await nodeRed().inject('say three');
    await nodeRed().inject('say urgent');
    await played(4);
    assert.deepEqual(await editor().page.evaluate('volumes'), [1, 0.5, 1, 1]);
  });

  it('shows the status "Queued" at a listen node while the browser plays the audio of another one', async () => {
    const status = (node: string) => editor().page.locator(`#${node} .red-ui-flow-node-status-label`);
    await nodeRed().inject('say long');
    await status('listen').filter({ hasText: 'Playing' }).waitFor();
    await nodeRed().inject('say bell');
    await status('bedroom').filter({ hasText: 'Queued' }).waitFor();
    await nodeRed().inject('reset');
    await status('bedroom').filter({ hasText: 'Done' }).waitFor();
    await silence();
  });

  it('plays a replacing announcement after the current one and drops the waiting ones', async () => {
    await nodeRed().inject('say three');
    await nodeRed().inject('replace');
    await played(2);
    assert.equal(await editor().page.evaluate('received'), 4);
  });

  for (const order of ['interrupt', 'replace'])
    it(`plays all pieces of one text to their ends with the queue mode ${order}`, async () => {
      await editor().page.evaluate('isFast = true');
      await nodeRed().inject(`say pieces ${order}`);
      await state(
        `received >= 2 && played.filter((event) => event === 'ended').length === received && held === 0`,
      );
    });

  it('can be muted in its dialog, also inside a subflow', async () => {
    const box = editor().page.getByLabel('Editor playback');
    await nodeRed().inject('say inside');
    await starts(1);
    await editor().open('inside');
    assert.equal(await box.isChecked(), true);
    await box.uncheck();
    await editor().done();
    await silence();
    await nodeRed().inject('say inside');
    await state('received === 2');
    assert.deepEqual(await editor().page.evaluate('[played, held]'), [['playing'], 0]);
    await editor().open('inside');
    assert.equal(await box.isChecked(), false);
    await box.check();
    await editor().done();
    await nodeRed().inject('say inside');
    await starts(2);
    await editor().open('inside');
    await box.uncheck();
    await editor().done();
    await silence();
    assert.equal(await editor().page.evaluate('RED.nodes.dirty()'), false);
  });
});
