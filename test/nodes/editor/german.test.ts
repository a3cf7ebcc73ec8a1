import assert from 'node:assert/strict';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import { untilPlayed, watchSound } from '../../support/browser/sound-watch.js';
import { CARD, naturalService } from '../admin/natural-service.js';
import { speakerOf } from './saved.js';

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
  speakerOf({ id: 'kitchen', name: 'Küche' }),
];

describeInBrowser('a browser in German', () => {
  const { nodeRed, editor, show } = useSharedEditor(flows, { locale: 'de-DE' });
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

  it('shows the whole title and the whole buttons of the sidebar tab', async () => {
    const { page } = editor();
    await page.evaluate(`RED.actions.invoke('herald-speech:show-speech-tab')`);
    await page.getByRole('button', { name: 'Für Lautsprecher in meinem Netz freigeben' }).waitFor();
    const cut: unknown = await page.evaluate(`(() => {
      const isCut = (part, whole, margin) =>
        part.getBoundingClientRect().right > whole.getBoundingClientRect().right - margin;
      const tab = document.querySelector('#red-ui-tab-herald-speech');
      const panel = document.querySelector('.herald-activity');
      return [
        // Node-RED fades the end of the title.
        ...[tab.querySelector('.red-ui-tab-label > span')].filter((title) => isCut(title, tab, 12)),
        ...[...panel.querySelectorAll('button')].filter((button) => isCut(button, panel, 8)),
      ].map(({ textContent }) => textContent);
    })()`);
    assert.deepEqual(cut, []);
  });

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
    await editor().deploy();
    await nodeRed().inject('say');
    const late = AbortSignal.timeout(40_000);
    while (!/voice_id: 'de-anna'/.test(nodeRed().log())) {
      assert.ok(!late.aborted, nodeRed().log());
      await page.waitForTimeout(50);
    }
  });

  it('gets an account with German as its language, and finds voices by German words', async () => {
    const { page } = editor();
    await editor().open(await drop('herald-text-to-speech'));
    await page.locator('#node-input-btn-account-add').click();
    await page.locator('#node-config-input-language').waitFor();
    assert.equal(await page.locator('#node-config-input-language').inputValue(), 'de');
    await page.locator('#node-config-dialog-cancel').click();
    await page.locator('#node-config-input-language').waitFor({ state: 'detached' });
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

  /** Returns the parts of the page of natural voices that reach beyond the form, and the buttons and fields whose text is cut off. */
  const CUT_OFF = `{
    const edge = document.querySelector('.herald-form').getBoundingClientRect().right;
    const wide = [...document.querySelectorAll('.herald-natural *')].filter(
      (one) => one.getBoundingClientRect().right > edge + 1 || (one.matches('button, input') && one.scrollWidth > one.clientWidth),
    );
    wide.map(({ outerHTML }) => outerHTML);
  }`;

  it('shows natural voices within the dialog, also within a narrow one', async () => {
    const { page } = editor();
    const { list, installed, end } = naturalService();
    installed.add('de_DE-thorsten-high');
    end(
      'de_DE-anna-medium',
      'de_DE-anna-medium: the disk is full: free some space and install the voice again',
    );
    installed.delete('de_DE-anna-medium');
    await page.route('**/herald/natural-voices', (route) => route.fulfill({ json: list() }));
    await page.route('**/herald/natural-voices/card', (route) => route.fulfill({ json: CARD }));
    try {
      const id = await drop('herald-text-to-speech');
      await page.setViewportSize({ width: 900, height: 700 });
      await editor().open(id);
      await page.getByRole('button', { name: 'Stimme suchen' }).click();
      await page.locator('.herald-voice-row').first().waitFor();
      await page.getByRole('button', { name: 'Weitere Stimmen' }).click();
      await page.getByText('nur nicht kommerziell').first().waitFor();
      await page.locator('.herald-natural-row').first().getByText('Deutsch').waitFor();
      await page.getByText('Die Installation ist fehlgeschlagen. Meldung des Dienstes (englisch):').waitFor();
      await page.getByRole('button', { name: 'Anna: Installieren' }).click();
      await page.getByRole('button', { name: 'Zustimmen und installieren' }).waitFor();
      assert.deepEqual(await page.evaluate(CUT_OFF), []);
      await page.evaluate(`document.querySelector('.herald-form').style.width = '320px'`);
      assert.deepEqual(await page.evaluate(CUT_OFF), []);
    } finally {
      await page.unrouteAll();
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  });
});
