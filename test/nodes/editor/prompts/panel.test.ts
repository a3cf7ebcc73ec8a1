import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useEditor } from '../../../support/browser/editor-session.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { accountOf, nodeOf } from '../saved.js';

const axe = createRequire(__filename).resolve('axe-core/axe.min.js');
const axeReport = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});
const tab = { id: 'tab', type: 'tab', label: 'Speech' };
const prompts = (more: object = {}) => ({ ...nodeOf('prompts', 'prompts', 0), ...more });

describeInBrowser('panel of the prompts node', () => {
  const { editor, show } = useEditor([tab, accountOf(), prompts()]);
  let home = '';
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'herald-panel-'));
    await editor().page.addScriptTag({ path: axe });
    await watchSound(editor().page);
  });
  after(() => rm(home, { recursive: true, force: true }));
  afterEach(() => editor().cancel());

  const page = () => editor().page;
  const field = (property: string) => page().locator(`#node-input-${property}-value`);
  const press = (name: string) => page().getByRole('button', { name, exact: true }).click();
  const text = (content: string | RegExp) => page().locator('.herald-prompts').getByText(content).waitFor();
  const rows = () => page().locator('.herald-prompts-scroll tbody tr');
  const rowOf = (content: string) => rows().filter({ hasText: content });
  const filter = () => page().getByRole('combobox', { name: 'Show' });

  /** Writes a table, and returns the paths of the table and of a folder for its files. */
  async function tableOf(name: string, ...lines: string[]) {
    const csv_file = path.join(home, `${name}.csv`);
    await writeFile(csv_file, ['text,filename', ...lines].join('\n'));
    return { csv_file, folder: path.join(home, name) };
  }

  /** Opens the dialog, and types values that are not deployed. */
  async function type(values: Record<string, string>): Promise<void> {
    await editor().open('prompts');
    for (const [property, value] of Object.entries(values)) await field(property).fill(value);
  }

  const deployed = async (values: Record<string, string>) => {
    await show([tab, accountOf(), prompts(values)]);
    await editor().open('prompts');
  };

  const three = ['Welcome.,welcome.wav', 'Please hold.,menu/hold.wav', ',empty.wav'];

  it('shows the plan of a typed CSV file before the deploy, with the reason of a wrong row', async () => {
    await type(await tableOf('typed', ...three));
    await press('Plan');
    await text(/^Rows: 3\. Audio to make: about \d+ seconds?\./);
    assert.match((await rowOf('menu/hold.wav').textContent()) ?? '', /Please hold\..*New/);
    assert.match((await rowOf('empty.wav').textContent()) ?? '', /Wrong/);
    assert.notEqual(await rowOf('empty.wav').locator('li').textContent(), '');
    assert.deepEqual(await filter().locator('option').allTextContents(), ['All (3)', 'New (2)', 'Wrong (1)']);
    await filter().selectOption('wrong');
    assert.equal(await rows().count(), 1);
    assert.deepEqual(await readdir(home).then((names) => names.includes('typed')), false);
  });

  it('shows no time of audio if the table has only wrong rows', async () => {
    await type(await tableOf('wrong', ',empty.wav'));
    await press('Plan');
    await text(/^Rows: 1\.$/);
  });

  it('speaks a row that has no file yet', async () => {
    await type(await tableOf('spoken', ...three));
    await press('Plan');
    await press('Speak the text of welcome.wav');
    await untilPlayed(page(), 1);
    await text(/s of audio, free of charge\./);
  });

  it('names the field of an invalid value by its label', async () => {
    await type({ csv_file: path.join(home, 'missing.csv') });
    await press('Plan');
    await text(/Folder \(folder\)/);
  });

  it('asks for a new plan after a change of the values', async () => {
    await type(await tableOf('again', ...three));
    await press('Plan');
    await text('Rows: 3.');
    await field('folder').fill(path.join(home, 'other'));
    await text('The values have changed. Press Plan again.');
  });

  it('starts no run with values that are not deployed, and names the fix', async () => {
    await type(await tableOf('undeployed', ...three));
    await press('Run');
    await text(/Run uses the deployed node\./);
  });

  it('runs the deployed node, shows the result and the new plan, and plays a made file', async () => {
    const table = await tableOf('made', ...three);
    await deployed(table);
    await press('Run');
    await text('Run ended. Made: 2, from the cache: 0. Unchanged: 0. Failed: 0. Wrong: 1.');
    assert.deepEqual((await readdir(table.folder)).sort(), ['.herald-prompts.jsonl', 'menu', 'welcome.wav']);
    await text('Rows: 3.');
    assert.match((await rowOf('welcome.wav').textContent()) ?? '', /Unchanged/);
    await watchSound(page());
    await press('Play welcome.wav');
    await untilPlayed(page(), 1);
  });

  it('lists files whose rows are gone, and plays them', async () => {
    const table = await tableOf('gone', ...three);
    await deployed(table);
    await press('Run');
    await text(/^Run ended\./);
    await tableOf('gone', 'Please hold.,menu/hold.wav');
    await press('Plan');
    await text(/Files without a row: 1\./);
    await filter().selectOption('gone');
    await watchSound(page());
    await press('Play welcome.wav');
    await untilPlayed(page(), 1);
  });

  it('shows one page of a long table at a time, and at most 1,000 rows', async () => {
    const lines = Array.from({ length: 1200 }, (_, index) => `Prompt ${index}.,p${index}.wav`);
    await type(await tableOf('long', ...lines));
    await press('Plan');
    await text(/The list shows the first 1,000 of 1,200 rows\./);
    assert.equal(await rows().count(), 50);
    await text('1 to 50 of 1,000');
    await press('Next page');
    await text('51 to 100 of 1,000');
    await rowOf('p99.wav').waitFor();
  });

  it('has no accessibility violations with a plan', async () => {
    await type(await tableOf('axe', ...three));
    await press('Plan');
    await rowOf('welcome.wav').waitFor();
    const found = await page().evaluate(`axe.run('.herald-form', { resultTypes: ['violations'] })`);
    const { violations } = axeReport.parse(found);
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
      [],
    );
  });

  it('pauses, resumes and stops a run with live progress', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `This is prompt number ${index}.,p${index}.wav`);
    await deployed({ ...(await tableOf('paused', ...lines)), parallel: '1' });
    await press('Run');
    await text(/\d+ of 300 prompts/);
    await press('Pause');
    await text(/^Paused: \d+ of 300 prompts/);
    await press('Resume');
    await text(/^\d+ of 300 prompts/);
    await press('Stop');
    await text('Run stopped.');
    await page().getByRole('button', { name: 'Run', exact: true }).waitFor();
  });
});

describeInBrowser('panel of the prompts node in Japanese', () => {
  const { editor } = useEditor([tab, accountOf(), prompts()], { locale: 'ja' });
  afterEach(() => editor().cancel());

  it('shows each state on one line beside a long text', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'herald-panel-'));
    try {
      const csv_file = path.join(home, 'table.csv');
      await writeFile(csv_file, `text,filename\n${'長い文章です。'.repeat(20)},a.wav\n,b.wav`);
      await editor().open('prompts');
      const { page } = editor();
      await page.locator('#node-input-csv_file-value').fill(csv_file);
      await page.locator('#node-input-folder-value').fill(path.join(home, 'files'));
      await page.getByRole('button', { name: '計画', exact: true }).click();
      const badges = page.locator('.herald-prompts-scroll .herald-badge');
      await badges.nth(1).waitFor();
      const lines = await badges.evaluateAll((all) => all.map((badge) => badge.getClientRects().length));
      assert.deepEqual(lines, [1, 1]);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});
