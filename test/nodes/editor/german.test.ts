import assert from 'node:assert/strict';
import { describeInBrowser } from '../../support/browser.js';
import { useEditor } from '../../support/editor-session.js';
import { untilPlayed, watchSound } from '../../support/sound-watch.js';

const flows = [
  { id: 'tab', type: 'tab', label: 'Flow' },
  {
    id: 'say',
    type: 'inject',
    z: 'tab',
    x: 300,
    y: 200,
    props: [{ p: 'payload' }],
    payload: 'Guten Tag.',
    payloadType: 'str',
    repeat: '',
    crontab: '',
    once: false,
    onceDelay: 0.1,
    topic: '',
    wires: [],
  },
  {
    id: 'show',
    type: 'debug',
    z: 'tab',
    x: 700,
    y: 200,
    active: true,
    console: true,
    complete: 'speech',
    targetType: 'msg',
    wires: [],
  },
];

describeInBrowser('a browser in German', () => {
  const { nodeRed, editor, show } = useEditor(flows, { locale: 'de-DE' });
  beforeEach(() => show(flows));
  afterEach(() => assert.deepEqual(editor().problems, []));

  /** Drags a node from the palette and returns its id. */
  async function drop(type: string): Promise<string> {
    const { page } = editor();
    const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
    await entry.scrollIntoViewIfNeeded();
    await entry.dragTo(page.locator('#red-ui-workspace-chart'), { targetPosition: { x: 400, y: 150 } });
    return String(await page.evaluate('RED.nodes.filterNodes({ z: "tab" }).at(-1).id'));
  }

  it('gets a node whose “Try it” and flow speak German', async () => {
    const { page } = editor();
    await watchSound(page);
    const id = await drop('herald-text-to-speech');
    await editor().open(id);
    await page.getByText('Standard des Kontos: Anna').waitFor();
    assert.match(await page.locator('#herald-try-text').inputValue(), /^Hallo! So klingt meine Stimme\.$/);
    await page.getByRole('button', { name: 'Diesen Text sprechen' }).click();
    await untilPlayed(page, 1);
    await editor().done();
    for (const [source, target] of [
      ['say', id],
      [id, 'show'],
    ])
      await page.evaluate(
        `RED.nodes.addLink({ source: RED.nodes.node('${source}'), sourcePort: 0, target: RED.nodes.node('${target}') })`,
      );
    const started = nodeRed().nextStart();
    await editor().deploy();
    await started;
    await nodeRed().inject('say');
    const late = AbortSignal.timeout(40_000);
    while (!/voice_id: 'de-anna'/.test(nodeRed().log())) {
      assert.ok(!late.aborted, nodeRed().log());
      await page.waitForTimeout(50);
    }
  });

  it('finds voices by German words', async () => {
    const { page } = editor();
    await editor().open(await drop('herald-text-to-speech'));
    await page.getByRole('button', { name: 'Stimme suchen' }).click();
    const names = page.locator('.herald-voice-row strong');
    for (const words of ['weiblich deutsch', 'frau jung Deutsch']) {
      await page.getByRole('searchbox').fill(words);
      await names.filter({ hasText: 'Selma' }).waitFor({ state: 'detached' });
      await names.filter({ hasText: 'Anna' }).waitFor();
      assert.equal((await names.allTextContents())[0], 'Anna');
    }
    await page.getByText('weiblich · jung · Deutsch').first().waitFor();
    await editor().cancel();
  });

  it('gets an account with German as its language', async () => {
    const { page } = editor();
    await editor().open(await drop('herald-text-to-speech'));
    await page.locator('#node-input-btn-account-add').click();
    await page.locator('#node-config-input-language').waitFor();
    assert.equal(await page.locator('#node-config-input-language').inputValue(), 'de');
  });
});
