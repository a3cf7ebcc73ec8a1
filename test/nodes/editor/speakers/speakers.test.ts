import assert from 'node:assert/strict';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { type Mpd, withMpd } from '../../../support/programs/mpd.js';
import { useParts } from '../../../support/use-parts.js';
import { until } from '../../../support/waiting.js';
import { untilQuiet } from '../quiet.js';
import { nodeOf, speakerOf } from '../saved.js';

/** Returns the parts of the list that reach beyond the form. */
const WIDE = `{
  const edge = document.querySelector('.herald-form').getBoundingClientRect().right;
  [...document.querySelectorAll('.herald-speakers, .herald-speakers *')]
    .filter((one) => one.getBoundingClientRect().right > edge + 1)
    .map(({ outerHTML }) => outerHTML);
}`;
const onSpeakers = { output: 'speaker', outputType: 'str' };
const flows = [
  { id: 'tab', type: 'tab', label: 'Speech' },
  speakerOf({ id: 'Kitchen', name: 'Kitchen' }),
  speakerOf({ id: 'Bath', name: 'Bath', kind: 'computer', address: 'bath' }),
  { ...nodeOf('speech', 'text-to-speech', 0), account: '', ...onSpeakers },
  { ...nodeOf('plain', 'text-to-speech', 1), account: '' },
];
/** Speakers without a name. */
const nameless = [
  speakerOf({ id: 'a1b2c3d4e5f60718', name: '', address: '127.0.0.1:9' }),
  speakerOf({ id: 'b1b2c3d4e5f60718', name: '', kind: 'computer', address: '' }),
  speakerOf({ id: 'c1b2c3d4e5f60718', name: '', kind: 'dlna', address: 'http://10.0.0.5:1400/d.xml' }),
];
/** A found speaker, as the runtime lists it. A real search would ask other computers. */
const FOUND = {
  kind: 'dlna',
  name: 'Living room',
  model: 'R-N303',
  address: 'http://10.0.0.5:1400/d.xml',
  id: 'uuid:1',
};

describeInBrowser('speakers of a node', () => {
  const { nodeRed, editor, show } = useSharedEditor(flows);
  let searches = 0;
  before(() =>
    editor().page.route('**/herald/speakers/search', (route) => {
      searches += 1;
      return route.fulfill({ json: { version: searches, isSearching: searches < 3, speakers: [FOUND] } });
    }),
  );
  beforeEach(() => {
    searches = 0;
  });
  afterEach(() => assert.deepEqual(editor().problems, []));

  const list = () => editor().page.getByRole('list', { name: 'Speakers' });
  const row = (name: string) => list().locator('li', { hasText: name });
  /** Opens the list, and waits for the end of the search and of other requests. */
  async function openList(): Promise<void> {
    await editor().open('speech');
    await row('Living room').last().waitFor();
    await editor().page.getByText('Searching for speakers …').waitFor({ state: 'hidden' });
    await untilQuiet(editor().page);
  }
  /** Checks the boxes of these speakers, and no others. */
  async function choose(...names: string[]): Promise<void> {
    for (const name of ['Bath', 'Kitchen'])
      await row(name).getByRole('checkbox').setChecked(names.includes(name));
  }
  const savedSpeakers = async () => {
    const saved = (await nodeRed().flows()).find(({ id }) => id === 'speech');
    return [saved?.['speakers'], saved?.['speakersType']];
  };
  const deploy = async () => {
    const started = nodeRed().nextStart();
    await editor().deploy();
    await started;
  };

  describe('in one dialog', () => {
    before(async () => {
      await show(flows);
      await openList();
    });

    it('lists the known speakers, then the found ones with room, model and kind', async () => {
      const texts = await list().locator('label').allInnerTexts();
      assert.deepEqual(
        texts.map((text) => text.trim()),
        ['Bath This computer', 'Kitchen MPD · 127.0.0.1', 'Living room DLNA · R-N303, 10.0.0.5'],
      );
    });

    it('shows the base URL only for a speaker that fetches the audio', async () => {
      const url = editor().page.locator('#node-input-base_url-value');
      await choose('Bath');
      assert.equal(await url.isVisible(), false);
      await choose('Bath', 'Kitchen');
      await url.waitFor();
    });

    it('offers the audio port in the row of a chosen network speaker, and not for a sound card', async () => {
      const offer = editor()
        .page.locator('.herald-speakers')
        .getByRole('button', { name: 'Let speakers in my network play this' });
      await choose('Bath');
      assert.equal(await offer.isVisible(), false);
      await choose('Bath', 'Kitchen');
      await offer.waitFor();
    });
  });

  it('changes nothing when a dialog with chosen speakers is confirmed', async () => {
    await show(flows);
    // Without a deploy: the dialog reads the node of the page.
    await editor().page.evaluate(
      `Object.assign(RED.nodes.node('speech'), { speakers: ['Kitchen'], speakersType: 'json' })`,
    );
    await editor().open('speech');
    assert.ok(await row('Kitchen').getByRole('checkbox').isChecked());
    await editor().done();
    assert.equal(await editor().page.evaluate(`Boolean(RED.nodes.node('speech').changed)`), false);
  });

  it('summarizes the chosen speakers by their names in the closed section, and follows a new name', async () => {
    await show([...flows, ...nameless]);
    await editor().page.evaluate(
      `Object.assign(RED.nodes.node('speech'), { speakers: ['Kitchen', 'b1b2c3d4e5f60718'], speakersType: 'json' })`,
    );
    await editor().open('speech');
    const { page } = editor();
    const section = page.locator('[data-fold=output]');
    const summary = section.locator('> summary > .herald-summary');
    assert.equal(await summary.textContent(), 'Output: Speaker, Speakers: Kitchen, This computer');
    await page.getByRole('button', { name: 'Edit: Kitchen' }).click();
    await page.locator('#node-config-input-name').fill('Cellar');
    await page.locator('#node-config-dialog-ok').click();
    await page.locator('.herald-node-list', { hasText: 'Cellar, This computer' }).waitFor();
    assert.equal(await summary.textContent(), 'Output: Speaker, Speakers: Cellar, This computer');
  });

  it('plays on a sound card with a malformed base URL, which only a speaker that fetches the audio needs', async () => {
    await show(flows);
    const { page } = editor();
    const asked: string[] = [];
    await page.route(/herald\/speakers\/(?:play|say)$/, (route) => {
      asked.push(route.request().postData() ?? '');
      return route.fulfill({ json: { played: [] } });
    });
    const values = { speakers: ['Bath'], speakersType: 'json', base_url: 'nonsense', base_urlType: 'str' };
    await page.evaluate(`Object.assign(RED.nodes.node('speech'), ${JSON.stringify(values)})`);
    await editor().open('speech');
    await page.getByRole('button', { name: 'Test sound: Bath' }).click();
    await until(() => asked.length === 1);
    await page.locator('.herald-try > button').click();
    await until(() => asked.length === 2);
    assert.doesNotMatch(asked.join(), /nonsense/);
    await row('Kitchen').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Test sound: Kitchen' }).click();
    await page.locator('.herald-speakers > .herald-problem', { hasText: 'Base URL' }).waitFor();
    await page.locator('.herald-try > button').click();
    await page.locator('.herald-try > .herald-problem', { hasText: 'Base URL' }).waitFor();
    assert.equal(asked.length, 2);
    await page.unroute(/herald\/speakers\/(?:play|say)$/);
  });

  it('searches only while the list of a node without a speaker is shown', async () => {
    await show(flows);
    await editor().open('speech');
    await editor().page.getByText('Searching for speakers …').waitFor();
    await editor().cancel();
    const { length } = await editor().page.evaluate<{ length: number }>(`({ length: ${searches} })`);
    const asked: string[] = [];
    editor().page.on('request', (request) => asked.push(request.url()));
    await editor().open('Kitchen');
    assert.ok(length > 0);
    assert.deepEqual(
      asked.filter((url) => url.includes('speakers/search')),
      [],
    );
  });

  it('keeps the identity of a found speaker, and gives it a separate name', async () => {
    await show(flows);
    const other = speakerOf({ id: 'other', name: 'Living room' });
    await editor().page.evaluate(`RED.nodes.import([${JSON.stringify(other)}])`);
    await openList();
    await row('Living room').nth(1).getByRole('checkbox').check();
    await editor().page.getByText('Living room 2', { exact: true }).first().waitFor({ state: 'attached' });
    const made = await editor().page.evaluate(`{
      let found;
      RED.nodes.eachConfig((node) => { if (node.name === 'Living room 2') found = node; });
      const { kind, address, identity } = found;
      ({ kind, address, identity });
    }`);
    assert.deepEqual(made, { kind: 'dlna', address: FOUND.address, identity: FOUND.id });
  });

  it('saves several speakers as references, which a copy of the flow keeps', async () => {
    await show(flows);
    await openList();
    await row('Kitchen').getByRole('checkbox').check();
    await row('Bath').getByRole('checkbox').check();
    await editor().page.getByText('Kitchen, Bath', { exact: true }).waitFor();
    await editor().done();
    await deploy();
    assert.deepEqual(await savedSpeakers(), [['Kitchen', 'Bath'], 'json']);
    const copied = await editor().page.evaluate<[string[], string[]]>(`{
      const nodes = RED.nodes.createExportableNodeSet([RED.nodes.node('speech')]);
      const { nodes: added } = RED.nodes.import(nodes, { generateIds: true, importMap: { Kitchen: 'copy', Bath: 'copy' } });
      const speakers = added.filter(({ type }) => type === 'herald-speaker');
      [added.find(({ type }) => type === 'herald-text-to-speech').speakers, speakers.map(({ id }) => id)];
    }`);
    assert.deepEqual([...copied[0]].sort(), [...copied[1]].sort());
    assert.ok(!copied[0].includes('Kitchen'));
  });
});

describeInBrowser('the values of a speaker', () => {
  const { editor } = useSharedEditor([
    ...flows,
    ...nameless,
    speakerOf({ id: 'too loud', name: 'Cellar', max_volume: '300' }),
    speakerOf({ id: 'blank', name: 'Hall', address: '' }),
    speakerOf({ id: 'comma', name: 'Shed', max_volume: '1,5' }),
    speakerOf({ id: 'variable', name: 'Attic', max_volume: '${VOLUME}', wake_up: '${WAKE_UP}' }),
  ]);
  before(() =>
    editor().page.route('**/herald/speakers/search', (route) =>
      route.fulfill({ json: { version: 1, isSearching: false, speakers: [] } }),
    ),
  );
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const field = (name: string) => editor().page.locator(`#node-config-input-${name}`);
  const note = (name: string) => editor().page.locator(`#herald-speaker-${name}-problem`);
  const test = () => editor().page.getByRole('button', { name: 'Test sound', exact: true });
  const result = () => editor().page.locator('#herald-speaker-result');
  const RULE = 'Maximum volume (%): enter a number from 0 to 100.';
  const MISSING = 'Address: enter the address of the speaker, such as 192.168.1.7:6600.';

  it('have a note with the allowed numbers as long as a volume or a wake-up is wrong', async () => {
    await editor().open('too loud');
    assert.equal(await note('max_volume').textContent(), RULE);
    await field('max_volume').fill('50');
    assert.equal(await note('max_volume').textContent(), '');
    await field('max_volume').fill('-1');
    assert.equal(await note('max_volume').textContent(), RULE);
    await field('max_volume').fill('');
    await field('max_volume').pressSequentially('1,5');
    assert.equal(await note('max_volume').textContent(), RULE);
    await field('wake_up').fill('7');
    assert.equal(await note('wake_up').textContent(), 'Wake-up (s): enter a number from 0 to 3.');
  });

  it('keep and show a wrong number of an imported speaker', async () => {
    await editor().open('comma');
    assert.equal(await field('max_volume').inputValue(), '1,5');
    assert.equal(await note('max_volume').textContent(), RULE);
    await field('wake_up').fill('1');
    await editor().page.locator('#node-config-dialog-ok').click();
    assert.equal(await editor().page.evaluate(`RED.nodes.node('comma').max_volume`), '1,5');
  });

  it('keep and show the environment variables of a volume and a wake-up, which may become numbers', async () => {
    await editor().open('variable');
    const shown = [await field('max_volume').inputValue(), await field('wake_up').inputValue()];
    assert.deepEqual(shown, ['${VOLUME}', '${WAKE_UP}']);
    assert.equal(await note('max_volume').textContent(), '');
    await field('max_volume').fill('loud');
    assert.equal(await note('max_volume').textContent(), RULE);
    await field('max_volume').fill('50');
    assert.equal(await note('max_volume').textContent(), '');
    await editor().page.locator('#node-config-dialog-ok').click();
    const saved = `(({ max_volume, wake_up }) => [max_volume, wake_up])(RED.nodes.node('variable'))`;
    assert.deepEqual(await editor().page.evaluate(saved), ['50', '${WAKE_UP}']);
  });

  it('mark a blank address at first sight, and name the fix when the user has left it', async () => {
    await editor().open('blank');
    await editor().page.locator('#node-config-input-address.input-error').waitFor();
    assert.equal(await note('address').textContent(), '');
    // The browser sends this event for each check of a form.
    await field('address').dispatchEvent('invalid');
    assert.equal(await note('address').textContent(), '');
    await field('address').focus();
    await field('address').blur();
    assert.equal(await note('address').textContent(), MISSING);
    await field('kind').selectOption('computer');
    assert.equal(await note('address').textContent(), '');
    await editor().page.locator('#node-config-input-address:not(.input-error)').waitFor();
  });

  it('have an example of an address as long as the type has no such address, which Test sound names too', async () => {
    await editor().open('too loud');
    const example = (address: string) => `Address: a speaker of this type has an address such as ${address}.`;
    await field('address').fill('http://10.0.0.5/d.xml');
    assert.equal(await note('address').textContent(), example('192.168.1.7:6600'));
    await test().click();
    assert.equal(await result().textContent(), example('192.168.1.7:6600'));
    await field('kind').selectOption('dlna');
    assert.equal(await note('address').textContent(), '');
    await field('kind').selectOption('home-assistant');
    assert.equal(
      await note('address').textContent(),
      example('http://homeassistant.local:8123/media_player.kitchen'),
    );
    await editor().page.locator('#node-config-input-address.input-error').waitFor();
  });

  it('name the fix of a blank address also if the press that leaves it becomes a scroll or a drag', async () => {
    const { page } = editor();
    for (const end of ['pointercancel', 'dragend']) {
      await editor().open('blank');
      await field('address').focus();
      await test().hover();
      await page.mouse.down();
      assert.equal(await note('address').textContent(), '');
      await page.evaluate(`document.body.dispatchEvent(new Event('${end}', { bubbles: true }))`);
      await note('address').getByText(MISSING).waitFor();
      await page.mouse.move(0, 0);
      await page.mouse.up();
      await editor().cancel();
    }
  });

  it('are named by the first press of Test sound, which plays nothing, also if the press leaves the address', async () => {
    const asked: string[] = [];
    editor().page.on('request', (request) => asked.push(request.url()));
    await editor().open('blank');
    await field('max_volume').fill('300');
    await field('address').focus();
    await test().click();
    await note('address').getByText(MISSING).waitFor();
    await editor().page.locator('#node-config-input-address:focus').waitFor();
    assert.equal(await result().textContent(), MISSING);
    assert.deepEqual(
      asked.filter((url) => url.includes('speakers/play')),
      [],
    );
  });

  it('have the problem of a wrong number at Test sound too, whose press moves the focus to the number', async () => {
    await editor().open('too loud');
    await field('name').focus();
    await test().click();
    await editor().page.locator('#node-config-input-max_volume:focus').waitFor();
    const problem = editor().page.locator('#herald-speaker-result.herald-problem');
    assert.equal(await problem.textContent(), RULE);
    await field('max_volume').fill('50');
    assert.equal(await result().textContent(), '');
    await field('wake_up').fill('7');
    await test().click();
    await editor().page.locator('#node-config-input-wake_up:focus').waitFor();
    assert.equal(await problem.textContent(), 'Wake-up (s): enter a number from 0 to 3.');
  });

  it('name a speaker without a name in Test sound: its type and its host', async () => {
    await editor().open('a1b2c3d4e5f60718');
    await test().click();
    await result()
      .getByText(/^MPD 127\.0\.0\.1 does not answer/)
      .waitFor();
  });

  it('forget the result of Test sound as soon as one of them changes', async () => {
    const changes: [name: string, change: () => Promise<unknown>][] = [
      ['name', () => field('name').fill('Attic')],
      ['address', () => field('address').fill('127.0.0.1:10')],
      ['secret', () => field('secret').fill('secret')],
      ['max_volume', () => field('max_volume').fill('60')],
      ['wake_up', () => field('wake_up').fill('1')],
      ['kind', () => field('kind').selectOption('mopidy')],
    ];
    await editor().open('Kitchen');
    for (const [name, change] of changes) {
      await test().click();
      await result().getByText('does not answer').waitFor();
      await change();
      assert.equal(await result().textContent(), '', name);
    }
  });

  it('end a test sound as soon as one of them changes, so that the next press plays with the new ones', async () => {
    const { page } = editor();
    const asked: string[] = [];
    const over = page.waitForEvent('requestfailed', (request) => request.url().endsWith('speakers/play'));
    // The sound does not end.
    await page.route('**/herald/speakers/play', (route) => asked.push(route.request().postData() ?? ''));
    await editor().open('Kitchen');
    await test().click();
    await until(() => asked.length === 1);
    await field('max_volume').fill('50');
    await over;
    assert.equal(await result().textContent(), '');
    await test().click();
    await until(() => asked.length === 2);
    assert.match(asked[1] ?? '', /"max_volume":"50"/);
    await page.unroute('**/herald/speakers/play');
  });

  it('are in the list of speakers: the name of a nameless one, and the problem of a wrong one', async () => {
    await editor().open('speech');
    const texts = await editor().page.locator('.herald-speakers li > label').allInnerTexts();
    assert.deepEqual(
      texts.map((text) => text.trim()),
      [
        'Attic MPD · 127.0.0.1',
        'Bath This computer',
        `Cellar ${RULE}`,
        'DLNA 10.0.0.5',
        `Hall ${MISSING}`,
        'Kitchen MPD · 127.0.0.1',
        'MPD 127.0.0.1',
        `Shed ${RULE}`,
        'This computer',
      ],
    );
    assert.equal(await editor().page.locator('.herald-speakers li .herald-problem').count(), 3);
  });
});

/** The size of the page matters for the view, the texts for the width: so one language has two sizes. */
const SIZES = {
  'en-US': [
    [1280, 800],
    [900, 700],
  ],
  'de-DE': [[900, 700]],
  es: [[900, 700]],
  ja: [[900, 700]],
  ko: [[900, 700]],
} as const;

for (const [locale, sizes] of Object.entries(SIZES))
  describeInBrowser(`the list of speakers in ${locale}`, () => {
    const { editor } = useSharedEditor(flows, { locale });
    afterEach(() => editor().cancel());

    for (const [width, height] of sizes)
      it(`is in view after one click, and within its width, at ${width}x${height}`, async () => {
        const { page } = editor();
        await page.setViewportSize({ width, height });
        await page.route('**/herald/speakers/search', (route) =>
          route.fulfill({ json: { version: 1, isSearching: false, speakers: [FOUND] } }),
        );
        await editor().open('plain');
        const shortcut = page.locator('.form-row:has(#node-input-output) > button');
        await shortcut.click();
        await shortcut.waitFor({ state: 'hidden' });
        const found = page.locator('.herald-speakers li', { hasText: 'Living room' });
        await found.waitFor();
        const body = page.locator('.red-ui-tray-body-wrapper, .red-ui-tray-body').first();
        await until(async () => {
          const [inner, outer] = [await found.boundingBox(), await body.boundingBox()];
          return inner !== null && outer !== null && inner.y + inner.height <= outer.y + outer.height + 1;
        });
        await page.evaluate(`document.querySelector('.herald-form').style.width = '320px'`);
        assert.deepEqual(await page.evaluate(WIDE), []);
      });
  });

describeInBrowser(
  'a speaker that is entered by its address',
  () => {
    const mpd = useParts<Mpd>(withMpd);
    const { editor } = useSharedEditor(flows);
    afterEach(() => editor().cancel());

    /** Returns a function that lists the texts of a note since this call, each once. */
    async function textsIn(selector: string): Promise<() => Promise<string[]>> {
      const { page } = editor();
      await page.evaluate(`{
        const note = document.querySelector('${selector}');
        const texts = window.texts = new Set();
        new MutationObserver(() => texts.add(note.textContent)).observe(note, { childList: true });
      }`);
      return () => page.evaluate<string[]>('[...window.texts]');
    }

    it('plays the test sound before it is saved, and is then chosen', async () => {
      const { page } = editor();
      await editor().open('speech');
      await page.getByRole('button', { name: 'Enter an address' }).click();
      await page.locator('#node-config-input-kind').selectOption('mpd');
      await page.locator('#node-config-input-name').fill('Attic');
      await page.locator('#node-config-input-address').fill(mpd().address);
      const texts = await textsIn('#herald-speaker-result');
      const proof = 'Attic has played the sound to its end.';
      await page.getByRole('button', { name: 'Test sound' }).click();
      await page.getByText(proof).waitFor();
      assert.deepEqual(await texts(), ['Waiting for Attic …', 'Playing on Attic …', proof]);
      await page.locator('#node-config-dialog-ok').click();
      await page.locator('.herald-node-list', { hasText: 'Attic' }).waitFor();
    });

    it('names the cause if the address does not answer, and does not say before that it plays', async () => {
      const { page } = editor();
      await editor().open('Kitchen');
      const texts = await textsIn('#herald-speaker-result');
      await page.getByRole('button', { name: 'Test sound' }).click();
      await page
        .locator('#herald-speaker-result.herald-problem', { hasText: 'Kitchen does not answer' })
        .waitFor();
      const [waiting, problem, ...others] = await texts();
      assert.equal(waiting, 'Waiting for Kitchen …');
      assert.match(problem ?? '', /^Kitchen does not answer/);
      assert.deepEqual(others, []);
    });

    it('plays the text of Try it, which says so only while the speakers play', async () => {
      const { page } = editor();
      await page.evaluate(
        `Object.assign(RED.nodes.node('Kitchen'), { address: '${mpd().address}' });
        Object.assign(RED.nodes.node('speech'), { speakers: ['Kitchen'], speakersType: 'json' })`,
      );
      await editor().open('speech');
      const texts = await textsIn('.herald-try > .herald-note[role=status]');
      const proof = 'Kitchen has played the sound to its end.';
      await page.getByRole('button', { name: 'Speak this text' }).click();
      await page.getByText(proof).waitFor();
      assert.deepEqual(await texts(), ['Waiting for the service …', 'The speakers play the text …', proof]);
    });
  },
  ['mpd'],
);
