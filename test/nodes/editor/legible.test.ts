import assert from 'node:assert/strict';
import { describeInBrowser, type Editor, openEditor, sharedBrowser } from '../../support/browser.js';
import { useNodeRed } from '../../support/shared-node-red.js';
import { names } from './built.js';
import { openFolds } from './folds.js';
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

/** Returns the placeholders that are wider than their input. The fonts of other systems are a little wider. */
const CUT_OFF = `${PLACEHOLDERS}.filter((input) => {
  const { fontStyle, fontSize, fontFamily } = getComputedStyle(input, '::placeholder');
  const copy = Object.assign(document.createElement('span'), { textContent: input.placeholder });
  Object.assign(copy.style, { position: 'absolute', whiteSpace: 'nowrap', fontStyle, fontSize, fontFamily });
  document.body.append(copy);
  const { width } = copy.getBoundingClientRect();
  copy.remove();
  const { paddingLeft, paddingRight } = getComputedStyle(input);
  return width * 1.02 > input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}).map(({ placeholder }) => placeholder)`;

/** Returns the labels of the form with a line break between two letters, where the label has no soft hyphen. */
const BROKEN = `[...document.querySelectorAll('.herald-form .form-row > label > span')].map(({ firstChild }) => {
  const range = document.createRange();
  const top = (index) => {
    range.setStart(firstChild, index);
    range.setEnd(firstChild, index + 1);
    // The first letter after a soft hyphen has a rectangle in both lines.
    return [...range.getClientRects()].at(-1)?.top;
  };
  const word = /[\\p{Script=Latin}\\p{Script=Hangul}]{2}/u;
  const text = firstChild?.data ?? '';
  const at = [...text].findIndex((_, index) => word.test(text.slice(index, index + 2)) && top(index) !== top(index + 1));
  return at === -1 ? '' : text.slice(0, at + 1) + '/' + text.slice(at + 1);
}).filter(Boolean)`;

/** Returns the headings that are painted over the "More" in their line. */
const COVERED = `[...document.querySelectorAll('.herald-section')].flatMap((section) => {
  const [heading, more] = ['summary > span', '.herald-more > summary'].map((part) => section.querySelector(':scope > ' + part));
  if (!heading || !more) return [];
  const [left, right] = [heading, more].map((part) => part.getBoundingClientRect());
  const isApart = left.right <= right.left || left.bottom <= right.top;
  return isApart ? [] : [heading.textContent + ' / ' + more.textContent];
})`;

/** Returns the column headings of the open table that are cut off. */
const CUT_HEADINGS = `[...document.querySelectorAll('.herald-table th')].filter((heading) => {
  const text = document.createRange();
  text.selectNodeContents(heading);
  const end = heading.getBoundingClientRect().right - parseFloat(getComputedStyle(heading).paddingRight);
  return heading.offsetWidth === 0 || text.getBoundingClientRect().right > end;
}).map(({ textContent }) => textContent)`;

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

/** The languages whose letters the test machine has: without a font, the width of a text means nothing. */
const LOCALES = ['en-US', 'de-DE', 'es'];
/** The size of small laptops. */
const viewport = { width: 1280, height: 800 };

describeInBrowser('the palette and the forms', () => {
  const nodeRed = useNodeRed(flows);
  for (const locale of LOCALES) {
    it(`show whole placeholders with a contrast of 4.5:1, and break no word of a label, in ${locale}`, async () => {
      const editor = await openEditor(await sharedBrowser(), nodeRed().url, { locale, viewport });
      try {
        const labels = editor.page.locator('[data-palette-type^="herald-"] .red-ui-palette-label');
        for (const lines of await labels.evaluateAll((found) => found.map(({ innerHTML }) => innerHTML)))
          assert.doesNotMatch(lines, /[^ -]<br>[^ -]/);
        const faults: unknown[] = [];
        for (const name of names) {
          await editor.open(name);
          faults.push(...(await editor.page.evaluate<string[]>(CUT_OFF)));
          faults.push(...(await editor.page.evaluate<string[]>(BROKEN)));
          const contrasts = await editor.page.evaluate<number[]>(CONTRASTS);
          assert.ok(
            contrasts.length > 0 && contrasts.every((contrast) => contrast >= 4.5),
            String(contrasts),
          );
          await editor.cancel();
        }
        assert.deepEqual(faults, []);
      } finally {
        await editor.close();
      }
    });
  }
});

describeInBrowser('the headings of the forms', () => {
  const word = { word: 'GmbH', replacement: 'Gesellschaft', language: 'de', matchCase: true };
  const nodeRed = useNodeRed([
    ...flows.filter(({ id }) => id !== 'account'),
    accountOf({ pronunciations: [word] }),
  ]);
  for (const locale of [...LOCALES, 'ja', 'ko']) {
    it(`do not overlap in a small window, and are whole in ${locale}`, async () => {
      const small = { width: 900, height: 700 };
      const editor = await openEditor(await sharedBrowser(), nodeRed().url, { locale, viewport: small });
      try {
        await editor.open('text-to-speech');
        assert.deepEqual(await editor.page.evaluate(COVERED), []);
        await editor.cancel();
        await editor.open('account');
        await openFolds(editor.page);
        assert.deepEqual(await editor.page.evaluate(CUT_HEADINGS), []);
        await editor.page.getByText(/^Aa: ..../u).waitFor();
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

  const words = ['tts', 'speak', 'say', 'voice', 'audio', 'sound', 'announce', 'play', 'text to speech'];
  for (const word of [...words, 'Durchsage', 'sprache', 'Sprachausgabe']) {
    it(`finds text to speech by "${word}"`, async () => {
      assert.ok((await found(word)).includes('herald-text-to-speech'));
    });
  }
  for (const word of ['play', 'audio', 'sound', 'voice', 'hören']) {
    it(`finds listen by "${word}"`, async () => {
      assert.ok((await found(word)).includes('herald-listen'));
    });
  }

  it('finds every node by "tts", "voice" and "sprache"', async () => {
    for (const word of ['tts', 'voice', 'sprache']) {
      const types = await found(word);
      assert.deepEqual(
        speakers.filter((name) => !types.includes(`herald-${name}`)),
        [],
      );
    }
  });

  it('names the category of the nodes in the language of the editor', async () => {
    await found('');
    await editor.page.locator('.red-ui-palette-header').getByText('Sprachausgabe', { exact: true }).waitFor();
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
    await openFolds(editor.page);
    // Without a key or a change of the focus, as text from the clipboard or by dictation.
    await editor.typedInput('#node-input-model').locator('input').first().fill('main_speech_2_flash');
    await editor.page.getByText('Similarity: main_speech_2_flash does not support this setting.').waitFor();
  });

  it('is disabled in the panel of the voice settings', async () => {
    await editor.open('local');
    await openFolds(editor.page);
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
