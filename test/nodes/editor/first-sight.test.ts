import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../support/browser/browser.js';
import { useSharedEditor } from '../../support/browser/editor-session.js';
import { flowNames, names } from './built.js';
import { accountOf, nodeOf, speakerOf } from './saved.js';

/** The number of rows that a new node may show. The account counts with the local service. */
const LIMITS: Readonly<Record<string, number>> = {
  account: 4,
  speaker: 6,
  'text-to-speech': 7,
  prompts: 8,
  'predict-duration': 5,
  'voice-search': 4,
  'clone-voice': 5,
  'custom-voices': 3,
  credits: 3,
  usage: 3,
  listen: 3,
};

/** The rows in the fold "Expert" of a new node. */
const EXPERT: Readonly<Record<string, readonly string[]>> = {
  'text-to-speech': ['model', 'normalized_text', 'progress_messages', 'include_phonemes', 'parallel'],
  prompts: ['model', 'parallel', 'spread'],
  'predict-duration': ['model'],
  'voice-search': ['style_match', 'model', 'page_size', 'next_page_token', 'pages', 'voice_id'],
  'custom-voices': ['page_size', 'next_page_token', 'pages'],
};

const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  accountOf(),
  speakerOf(),
  ...flowNames.map((name, index) => nodeOf(name, name, index)),
  { ...nodeOf('without account', 'credits', 20), account: '' },
  { ...nodeOf('blank chime', 'text-to-speech', 21), chime: '' },
  { ...nodeOf('report of January', 'usage', 22), start_time: '2026-01-01' },
  {
    ...nodeOf('styled', 'text-to-speech', 23),
    style: 'happy',
    voice_settings: '{"speed":1.5,"pitch_shift":2}',
    silence_before: '0.5',
    silence_after: '1.5',
    loudness: '-16',
    audio_volume: '50',
  },
];

/** The labels of the rows that a user sees in the open dialog, in their order. */
const ROWS = `[...document.querySelectorAll('.herald-form .form-row > label')]
  .filter((label) => label.checkVisibility())
  .map((label) => label.innerText.replaceAll('\\u00AD', '').trim())`;

/** The summaries of the folds that a user sees, and whether each is complete. */
const SUMMARIES = `[...document.querySelectorAll('.herald-form .herald-summary')]
  .filter((summary) => summary.checkVisibility() && summary.innerText !== '')
  .map(({ innerText, parentElement: line }) => [innerText, line.scrollWidth <= line.clientWidth])`;

/** The fields in the closed fold for experts. */
const EXPERT_ROWS = `[...document.querySelectorAll('[data-fold=expert]:not([open]) [data-field]')]
  .map(({ dataset }) => dataset.field)`;

const texts = z.array(z.string());

/** The parts of a dialog at first sight. */
interface Sight {
  rows: string[];
  expert: string[];
  summaries: unknown;
}

describeInBrowser('a dialog at first sight', () => {
  const { editor, show } = useSharedEditor(flows);
  afterEach(() => editor().cancel());
  const seen = async (script: string): Promise<unknown> => editor().page.evaluate(script);

  const found = new Map<string, Sight>();
  before(async () => {
    for (const name of names) {
      await editor().open(name);
      const [rows, expert, summaries] = [await seen(ROWS), await seen(EXPERT_ROWS), await seen(SUMMARIES)];
      found.set(name, { rows: texts.parse(rows), expert: texts.parse(expert), summaries });
      await editor().cancel();
    }
  });

  for (const name of names)
    it(`shows at most ${LIMITS[name]} fields of a new ${name} node`, () => {
      const { rows = [] } = found.get(name) ?? {};
      assert.ok(rows.length > 0 && rows.length <= (LIMITS[name] ?? 0), rows.join(', '));
    });

  for (const [name, fields] of Object.entries(EXPERT))
    it(`has the fields for experts of ${name} in one closed fold`, () =>
      assert.deepEqual(found.get(name)?.expert.sort(), [...fields].sort()));

  it('has no summary in a fold that differs in nothing from a new node', () => {
    for (const name of ['text-to-speech', 'prompts', 'voice-search', 'usage'])
      assert.deepEqual(found.get(name)?.summaries, [], name);
  });

  it('shows each summary completely at 900 x 700', async () => {
    await editor().page.setViewportSize({ width: 900, height: 700 });
    await editor().open('styled');
    assert.deepEqual(await seen(SUMMARIES), [
      ['Style: happy, Speed: 1.5, Pitch (semitones): 2', true],
      ['0.5 s silence before, 1.5 s silence after, 50 % volume, -16 LUFS', true],
    ]);
  });

  it('shows start and end of a report for custom times, and if the node has one of them', async () => {
    await editor().open('usage');
    await editor().chooseOption('#node-input-period', 'Custom');
    assert.deepEqual(await seen(ROWS), ['Name', 'Account', 'Period', 'Start', 'End']);
    await editor().cancel();
    await editor().open('report of January');
    assert.deepEqual(await seen(ROWS), ['Name', 'Account', 'Period', 'Start']);
  });

  /** Returns the entries in the list of a property. */
  async function entriesOf(property: string): Promise<string[]> {
    const list = editor().typedInput(`#node-input-${property}`);
    await list.locator('.red-ui-typedInput-option-trigger').click();
    const entries = await editor().page.locator('.red-ui-typedInput-options:visible a').allTextContents();
    await editor().page.keyboard.press('Escape');
    return entries;
  }

  it('offers to play no chime once, also if the node was saved with a blank chime', async () => {
    const others = ['Ding dong', 'Gong', 'Three tones', 'Soft bell', 'File'];
    await editor().open('text-to-speech');
    await editor().page.locator('[data-fold=announcement] > summary').click();
    assert.deepEqual(await entriesOf('chime'), ['None', ...others]);
    await editor().cancel();
    await editor().open('blank chime');
    await editor().page.locator('[data-fold=announcement] > summary').click();
    assert.deepEqual(await entriesOf('chime'), ['msg.chime or none', ...others]);
  });

  it('names the message field of the queue mode, and its values', async () => {
    await editor().open('text-to-speech');
    await editor().page.locator('[data-fold=queue] > summary').click();
    assert.deepEqual(await entriesOf('order'), [
      'msg.order or wait',
      'Replace queued messages',
      'Interrupt and replace',
    ]);
    const label = editor().page.locator('label', { hasText: 'Queue mode' });
    assert.equal(await label.getAttribute('title'), 'msg.order: wait, replace, interrupt');
  });

  it('says that a node without an account uses the local service, also beside other accounts', async () => {
    const accounts = () => editor().page.locator('#node-input-account option').allTextContents();
    await editor().open('without account');
    assert.deepEqual((await accounts()).sort(), ['Local service', 'None (local service)']);
    await show(flows.filter(({ id }) => id !== 'account'));
    await editor().open('without account');
    assert.deepEqual(await accounts(), ['None (local service)']);
  });
});
