import assert from 'node:assert/strict';
import { describeInBrowser, type Editor, openEditor, sharedBrowser } from '../../support/browser.js';
import { useNodeRed } from '../../support/shared-node-red.js';
import { names } from './built.js';
import { accountOf, nodeOf } from './saved.js';

const speakers = names.filter((name) => name !== 'account');
const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf({ service: 'hosted', url: 'http://127.0.0.1:9' }),
  ...speakers.map((name, index) => nodeOf(name, name, index)),
];

/** Shows all rows and returns the visible inputs with a placeholder. */
const PLACEHOLDERS = `(() => {
  for (const fold of document.querySelectorAll('.herald-form details')) fold.open = true;
  for (const row of document.querySelectorAll('.herald-form .form-row')) row.hidden = false;
  return [...document.querySelectorAll('.herald-form input')].filter(
    ({ placeholder, offsetWidth }) => placeholder !== '' && offsetWidth > 0,
  );
})()`;

/** Returns the placeholders that are wider than their input. */
const CUT_OFF = `${PLACEHOLDERS}.filter((input) => {
  const style = getComputedStyle(input, '::placeholder');
  const canvas = document.createElement('canvas').getContext('2d');
  canvas.font = [style.fontStyle, style.fontSize, style.fontFamily].join(' ');
  const { paddingLeft, paddingRight } = getComputedStyle(input);
  const room = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return canvas.measureText(input.placeholder).width > room;
}).map(({ placeholder }) => placeholder)`;

/** Returns the contrast of each placeholder to the background of its input (WCAG 2.2, relative luminance). */
const CONTRASTS = `${PLACEHOLDERS}.map((input) => {
  const canvas = document.createElement('canvas');
  const draw = canvas.getContext('2d', { willReadFrequently: true });
  const luminance = (...colours) => {
    for (const colour of colours) {
      draw.fillStyle = colour;
      draw.fillRect(0, 0, 1, 1);
    }
    const [red, green, blue] = [...draw.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
      const part = byte / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const { backgroundColor } = getComputedStyle(input);
  const { color, opacity } = getComputedStyle(input, '::placeholder');
  const [low, high] = [luminance(backgroundColor), luminance(backgroundColor, color)].sort((a, b) => a - b);
  return Number(opacity) * ((high + 0.05) / (low + 0.05));
})`;

describeInBrowser('a placeholder', () => {
  const nodeRed = useNodeRed(flows);
  for (const locale of ['en-US', 'de', 'es', 'ja', 'ko']) {
    it(`is not cut off, and has a contrast of 4.5:1, in ${locale}`, async () => {
      const editor = await openEditor(await sharedBrowser(), nodeRed().url, { locale });
      try {
        for (const name of names) {
          await editor.open(name);
          assert.deepEqual(await editor.page.evaluate(CUT_OFF), [], name);
          const contrasts = await editor.page.evaluate<number[]>(CONTRASTS);
          assert.ok(
            contrasts.length > 0 && contrasts.every((contrast) => contrast >= 4.5),
            String(contrasts),
          );
          await editor.cancel();
        }
      } finally {
        await editor.close();
      }
    });
  }
});

describeInBrowser('the palette', () => {
  const nodeRed = useNodeRed(flows);
  let editor: Editor;
  before(async () => {
    editor = await openEditor(await sharedBrowser(), nodeRed().url, { locale: 'de' });
  });
  after(() => editor.close());

  const found = (word: string) =>
    editor.page.evaluate<string[]>(`(() => {
      $('#red-ui-palette-search input').val(${JSON.stringify(word)}).searchBox('change');
      return [...document.querySelectorAll('.red-ui-palette-node')]
        .filter((entry) => entry.dataset.filter === undefined)
        .map((entry) => entry.dataset.paletteType);
    })()`);

  for (const word of ['tts', 'speak', 'say', 'voice', 'audio', 'sound', 'announce', 'play', 'Durchsage']) {
    it(`finds text to speech by "${word}"`, async () => {
      assert.ok((await found(word)).includes('herald-text-to-speech'));
    });
  }
  for (const word of ['play', 'audio', 'sound', 'voice', 'hören']) {
    it(`finds listen by "${word}"`, async () => {
      assert.ok((await found(word)).includes('herald-listen'));
    });
  }

  it('finds every node by "tts" and "voice"', async () => {
    for (const word of ['tts', 'voice']) {
      const types = await found(word);
      assert.deepEqual(
        speakers.filter((name) => !types.includes(`herald-${name}`)),
        [],
      );
    }
  });

  it('shows the label of a node without its search words', async () => {
    await found('');
    const entry = editor.page.locator('[data-palette-type="herald-listen"]');
    assert.doesNotMatch((await entry.textContent()) ?? '', /speaker/);
  });
});

describeInBrowser('a setting without effect', () => {
  const nodeRed = useNodeRed([
    ...flows,
    {
      ...nodeOf('local', 'text-to-speech', 20),
      account: '',
      voice_settings: '{"similarity":2,"speed":1.5}',
      model: 'compact_api_3',
    },
    {
      ...nodeOf('hosted', 'text-to-speech', 21),
      voice_settings: '{"similarity":2}',
      normalized_text: 'twenty one',
    },
  ]);
  let editor: Editor;
  before(async () => {
    editor = await openEditor(await sharedBrowser(), nodeRed().url);
  });
  after(() => editor.close());
  afterEach(() => editor.cancel());

  const notes = () => editor.page.locator('[id$="-no-effect"]').allTextContents();

  it('is named below its field, with the service or model that ignores it', async () => {
    await editor.open('local');
    assert.deepEqual((await notes()).filter(Boolean), [
      'Similarity: the local service does not support this setting.',
    ]);
    await editor.cancel();
    await editor.open('hosted');
    assert.deepEqual((await notes()).filter(Boolean), [
      'Normalized text: main_speech_1 does not support this setting.',
    ]);
    await editor.typedInput('#node-input-model').locator('input').first().fill('main_speech_2_flash');
    await editor.page.keyboard.press('Tab');
    await editor.page.getByText('Similarity: main_speech_2_flash does not support this setting.').waitFor();
  });

  it('is disabled in the panel of the voice settings', async () => {
    await editor.open('local');
    await editor.page.locator('#node-input-voice_settings-expand').click();
    const panel = editor.page.locator('.herald-settings');
    await panel.waitFor();
    const disabled = await panel
      .locator('label:has(input:disabled) > span')
      .evaluateAll((labels) => labels.map(({ textContent }) => textContent));
    assert.ok(['Similarity', 'Text guidance', 'Subharmonics'].every((label) => disabled.includes(label)));
    await editor.page.keyboard.press('Escape');
  });
});
