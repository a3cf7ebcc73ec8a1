import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import type { FlowNode } from '../../../support/node-red/node-red.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { accountOf, nodeOf, speakerOf } from '../saved.js';

describeInBrowser('a fold of a dialog', () => {
  const flows: FlowNode[] = [
    { id: 'tab', type: 'tab', label: 'Speech' },
    accountOf(),
    speakerOf(),
    nodeOf('never opened', 'text-to-speech', 0),
    {
      ...nodeOf('set', 'text-to-speech', 1),
      text: 'Dinner is ready.',
      textType: 'str',
      voice_settings: '{"speed":1.5}',
      style: 'mood',
      styleType: 'msg',
      order: 'replace',
      retry_attempts: '2',
      chime: 'gong',
      silence_before: '0.5',
      loudness: '-16',
      audio_volume: 'audio_volume',
      audio_volumeType: 'msg',
    },
    { ...nodeOf('wrong', 'text-to-speech', 2), retry_attempts: '99' },
    {
      ...nodeOf('closed', 'text-to-speech', 4),
      text: 'Dinner is ready.\nTea too.',
      textType: 'str',
      language: 'de',
      voice_settings: '{"speed":1.5}',
      speakers: ['speaker'],
      cache: 'cache',
      cacheType: 'msg',
      loudness: 'loudness',
      loudnessType: 'flow',
    },
    {
      ...nodeOf('long and wrong', 'text-to-speech', 3),
      chime: 'gong',
      silence_before: '-1',
      repeat: '3',
      loudness: '-16',
      audio_volume: '50',
    },
  ];
  const { editor, show } = useSharedEditor(flows);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });
  const fold = (name: string) => editor().page.locator(`[data-fold=${name}]`);
  const title = (name: string) => fold(name).locator('> summary');
  const summary = (name: string) => title(name).locator('.herald-summary');
  const isOpen = (name: string) => fold(name).evaluate((found) => found.hasAttribute('open'));

  it('leaves a new dialog with its offer of a natural voice short enough to show all at 1280 x 800 and at 900 x 700', async () => {
    await editor().page.setViewportSize({ width: 1280, height: 800 });
    await editor().open('never opened');
    await editor().page.getByText('sounds robotic').waitFor();
    assert.deepEqual(
      [await isOpen('say'), await isOpen('voice'), await isOpen('output'), await isOpen('queue')],
      [true, true, true, false],
    );
    await assertAllShown();
    await editor().page.setViewportSize({ width: 900, height: 700 });
    await assertAllShown();
  });

  /** Fails unless the last part of the dialog ends above its buttons. */
  async function assertAllShown(): Promise<void> {
    const [last, footer] = await Promise.all(
      ['.herald-try', '.red-ui-tray-footer'].map((part) => editor().page.locator(part).boundingBox()),
    );
    assert.ok(last && footer && last.y + last.height <= footer.y, JSON.stringify([last, footer]));
  }

  it('shows its settings in one line while it is closed, and follows edits', async () => {
    await editor().open('set');
    assert.equal(await summary('queue').textContent(), 'Queue mode: Replace queued messages, Attempts: 2');
    assert.equal(
      await summary('announcement').textContent(),
      'Chime: Gong, 0.5 s silence before, Volume from msg.audio_volume, -16 LUFS',
    );
    assert.equal(await summary('voice-more').textContent(), 'Style from msg.mood, Speed: 1.5');
    assert.equal(await summary('output-more').textContent(), '');
    assert.equal(await summary('voice').isVisible(), false);
    await title('queue').click();
    await editor().page.locator('#node-input-retry_attempts-value').fill('5');
    await editor().page.keyboard.press('Tab');
    await title('queue').click();
    assert.equal(await summary('queue').textContent(), 'Queue mode: Replace queued messages, Attempts: 5');
    await title('say').click();
    assert.equal(await summary('say').textContent(), 'Text: “Dinner is ready.”');
    const { height = 0 } = (await title('queue').boundingBox()) ?? {};
    assert.ok(height > 0 && height < 30, 'one line');
  });

  it('gets its fields when the user opens it: a dialog opens sooner without them', async () => {
    await editor().open('set');
    const fields = fold('announcement').locator('.red-ui-typedInput-container');
    assert.equal(await fields.count(), 0);
    await title('announcement').focus();
    await editor().page.keyboard.press('Enter');
    const silence = editor().page.locator('#node-input-silence_before-value');
    assert.equal(await silence.inputValue(), '0.5');
    await silence.fill('70');
    const id = await silence.getAttribute('aria-describedby');
    assert.match((await editor().page.locator(`#${id}`).textContent()) ?? '', /60/);
    await title('announcement').click();
    await fold('announcement').getByRole('img').waitFor();
  });

  it('keeps its saved values if it stays closed', async () => {
    const saved = "JSON.stringify(RED.nodes.convertNode(RED.nodes.node('closed')))";
    const earlier = await editor().page.evaluate(saved);
    const toggle = async () => {
      await editor().open('closed');
      for (const name of ['say', 'voice', 'output']) await title(name).click();
    };
    await toggle();
    await editor().cancel();
    await editor().open('closed');
    assert.equal(await editor().page.locator('.herald-form .red-ui-typedInput-container').count(), 0);
    await editor().done();
    assert.equal(await editor().page.evaluate(saved), earlier);
    assert.notEqual(await editor().page.evaluate("RED.nodes.node('closed').changed"), true);
    await toggle();
    assert.equal(
      await editor().page.locator('#node-input-text-value').inputValue(),
      'Dinner is ready.⏎Tea too.',
    );
    assert.equal(await editor().page.locator('#node-input-language-value').inputValue(), 'German');
  });

  it('stays open or closed for its node until the page closes, also by keyboard', async () => {
    await editor().open('never opened');
    await title('queue').focus();
    await editor().page.keyboard.press('Enter');
    await title('say').focus();
    await editor().page.keyboard.press('Space');
    await editor().cancel();
    await editor().open('never opened');
    assert.deepEqual([await isOpen('queue'), await isOpen('say')], [true, false]);
    await editor().cancel();
    await editor().open('set');
    assert.equal(await isOpen('queue'), false);
    await editor().cancel();
    await editor().open('never opened');
    await title('queue').click();
    await title('say').click();
  });

  it('stays open for a new account too, and is closed again after the editor has loaded other flows', async () => {
    await editor().page.evaluate(`RED.editor.editConfig('', 'herald-account', '_ADD_')`);
    const button = editor().page.locator('#node-config-dialog-ok');
    await button.waitFor();
    await title('cache').click();
    await editor().done();
    const created = `(() => {
      let created;
      RED.nodes.eachConfig(({ id, type }) => {
        if (type === 'herald-account' && id !== 'account') created = id;
      });
      return created;
    })()`;
    await editor().open(String(await editor().page.evaluate(created)));
    assert.equal(await isOpen('cache'), true);
    await editor().cancel();
    await editor().open('never opened');
    await title('queue').click();
    await show(flows);
    await editor().open('never opened');
    assert.equal(await isOpen('queue'), false);
  });

  it('opens if it has an invalid value, and keeps a mark until the value is valid', async () => {
    await editor().open('wrong');
    const mark = fold('queue').getByRole('img', { name: 'This section has an invalid value.' });
    assert.equal(await isOpen('queue'), true);
    await mark.waitFor();
    await editor()
      .typedInput('#node-input-retry_attempts')
      .and(editor().page.locator('.input-error'))
      .waitFor();
    await editor().page.locator('#node-input-retry_attempts-value').fill('3');
    await editor().page.keyboard.press('Tab');
    await mark.waitFor({ state: 'detached' });
  });

  it('shows its mark in the line of its heading, also with a long summary', async () => {
    await editor().open('long and wrong');
    await title('announcement').click();
    await title('announcement').locator('> .herald-fault').waitFor();
    // Both at once: a late reply may move the rows.
    const [heading, mark] = await title('announcement').evaluate((line) =>
      [line.querySelector('span'), line.querySelector('.herald-fault')].map((part) => {
        const { x = 0, y = 0, width = 0, height = 0 } = part?.getBoundingClientRect() ?? {};
        return { x, y, width, height };
      }),
    );
    assert.ok(
      heading && mark && mark.y >= heading.y && mark.y < heading.y + heading.height,
      JSON.stringify([heading, mark]),
    );
    assert.ok(mark.x >= heading.x + heading.width);
    await title('announcement').click();
  });
});
