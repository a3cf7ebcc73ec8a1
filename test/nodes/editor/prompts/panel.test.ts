import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useSharedEditor } from '../../../support/browser/editor-session.js';
import { type Script, spoken, withServer } from '../../../support/net/scripted-server.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { goodService } from '../../admin/asking.js';
import { openFolds } from '../folds.js';
import { accountOf, nodeOf } from '../saved.js';

const axe = createRequire(__filename).resolve('axe-core/axe.min.js');
const axeReport = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});
const tab = { id: 'tab', type: 'tab', label: 'Speech' };
const prompts = (more: object = {}) => ({ ...nodeOf('prompts', 'prompts', 0), ...more });

/** A hosted service that speaks the first text, and lets all others wait until their requests end. */
const firstOnly = (): Script => {
  let texts = 0;
  return async (request, index) => {
    if (!request.path.startsWith('/v1/text-to-speech/')) return goodService(request, index);
    texts += 1;
    if (texts > 1) await once(request.gone, 'abort');
    return spoken();
  };
};

describeInBrowser('panel of the prompts node', () => {
  const { editor, show } = useSharedEditor([tab, accountOf(), prompts()]);
  let home = '';
  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'herald-panel-'));
    await editor().page.addScriptTag({ path: axe });
  });
  beforeEach(() => watchSound(editor().page));
  after(() => rm(home, { recursive: true, force: true }));

  const page = () => editor().page;
  const field = (property: string) => page().locator(`#node-input-${property}-value`);
  const press = (name: string) => page().getByRole('button', { name, exact: true }).click();
  const text = (content: string | RegExp) => page().locator('.herald-prompts').getByText(content).waitFor();
  const rows = () => page().locator('.herald-prompts-scroll tbody tr');
  const rowOf = (content: string) => rows().filter({ hasText: content });
  /** Whether the first element is completely in the visible part of the dialog. */
  const isInView = (selector: string): Promise<unknown> =>
    page().evaluate(`(() => {
      const part = document.querySelector('${selector}').getBoundingClientRect();
      const body = document.querySelector('.red-ui-tray-body-wrapper, .red-ui-tray-body').getBoundingClientRect();
      return part.height > 0 && part.top >= body.top - 1 && part.bottom <= body.bottom + 1;
    })()`);
  const filter = () => page().getByRole('combobox', { name: 'Show' });

  /** Writes a table, and returns the paths of the table and of a folder for its files. */
  async function tableOf(name: string, ...lines: string[]) {
    const csv_file = path.join(home, `${name}.csv`);
    await writeFile(csv_file, ['text,filename', ...lines].join('\n'));
    return { csv_file, folder: path.join(home, name) };
  }

  /** Types values that are not deployed, and requests their plan. */
  async function plan(values: Record<string, string>): Promise<void> {
    for (const [property, value] of Object.entries(values)) {
      if (property === 'csv_file') await editor().chooseType('#node-input-rows', 'path');
      await field(property === 'csv_file' ? 'rows' : property).fill(value);
    }
    await press('Plan');
  }

  const three = ['Welcome.,welcome.wav', 'Please hold.,menu/hold.wav', ',empty.wav'];

  describe('with values that are not deployed', () => {
    before(() => editor().open('prompts'));
    after(() => editor().cancel());

    it('names the needed columns before the first plan', () =>
      text(/^The table needs the columns text and filename\./));

    it('drops the message field when the table gets another source, and restores it with the message', async () => {
      assert.equal(await field('rows').inputValue(), 'payload');
      await editor().chooseType('#node-input-rows', 'path');
      assert.equal(await field('rows').inputValue(), '');
      await editor().chooseType('#node-input-rows', 'msg');
      assert.equal(await field('rows').inputValue(), 'payload');
    });

    it('names the field of an invalid value by its label', async () => {
      await plan({ csv_file: path.join(home, 'missing.csv') });
      await text(/Folder \(folder\)/);
    });

    it('shows the plan of a typed CSV file, with the reason of a wrong row', async () => {
      await plan(await tableOf('typed', ...three));
      await text(/^Rows: 3\. Audio to make: about \d+ seconds?\./);
      assert.match((await rowOf('menu/hold.wav').textContent()) ?? '', /Please hold\..*New/);
      assert.match((await rowOf('empty.wav').textContent()) ?? '', /Wrong/);
      assert.notEqual(await rowOf('empty.wav').locator('li').textContent(), '');
      const options = await filter().locator('option').allTextContents();
      assert.deepEqual(options, ['All (3)', 'New (2)', 'Wrong (1)']);
      await filter().selectOption('wrong');
      assert.equal(await rows().count(), 1);
      await filter().selectOption('New (2)');
      assert.equal(await rows().count(), 2);
      assert.deepEqual(await readdir(home).then((names) => names.includes('typed')), false);
    });

    it('has no accessibility violations with a plan', async () => {
      await rowOf('welcome.wav').waitFor();
      const found = await page().evaluate(`axe.run('.herald-form', { resultTypes: ['violations'] })`);
      const { violations } = axeReport.parse(found);
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
        [],
      );
    });

    it('speaks a row that has no file yet', async () => {
      await press('Speak the text of welcome.wav');
      await untilPlayed(page(), 1);
      await text(/s of audio, free of charge\./);
    });

    it('starts no run, and names the fix', async () => {
      await press('Run');
      await text(/Run uses the deployed node\./);
    });

    it('drops the hint to deploy when a value changes', async () => {
      await press('Run');
      await text(/Run uses the deployed node\./);
      await field('folder').press('End');
      await text(/Run uses the deployed node\./);
      await field('folder').fill(path.join(home, 'typed2'));
      await page()
        .getByText(/Run uses the deployed node\./)
        .waitFor({ state: 'detached' });
    });

    it('drops the problem of a plan when a value changes, and when the user presses Run', async () => {
      const problem = page().locator('.herald-prompts .herald-problem');
      await field('folder').fill('');
      for (const act of [() => field('folder').fill(home), () => press('Run')]) {
        await press('Plan');
        await problem.filter({ hasText: 'folder' }).waitFor();
        await act();
        await problem.filter({ hasText: 'folder' }).waitFor({ state: 'detached' });
        await field('folder').fill('');
      }
      await plan({ folder: path.join(home, 'typed') });
      await text(/^Rows: 3\./);
    });

    it('asks for a new plan after a change of the values', async () => {
      await field('folder').fill(path.join(home, 'other'));
      await text('The values have changed. Press Plan again.');
    });

    it('shows no time of audio if the table has only wrong rows', async () => {
      await plan(await tableOf('wrong', ',empty.wav'));
      await text(/^Rows: 1\.$/);
    });

    it('shows one page of a long table at a time, and at most 1,000 rows', async () => {
      const lines = Array.from({ length: 1200 }, (_, index) => `Prompt ${index}.,p${index}.wav`);
      await plan(await tableOf('long', ...lines));
      await text(/The list shows the first 1,000 of 1,200 rows\./);
      assert.equal(await rows().count(), 50);
      await text('1 to 50 of 1,000');
      await press('Next page');
      await text('51 to 100 of 1,000');
      await rowOf('p99.wav').waitFor();
    });
  });

  describe('with a deployed node', () => {
    afterEach(() => editor().cancel());

    it('shows the result of a run and the new plan, and plays made files, also without a row', async () => {
      const table = await tableOf('made', ...three);
      await show([tab, accountOf(), prompts(table)]);
      await editor().open('prompts');
      await press('Run');
      await text('Run ended. Made: 2, from the cache: 0. Unchanged: 0. Failed: 0. Wrong rows: 1.');
      assert.deepEqual((await readdir(table.folder)).sort(), [
        '.herald-prompts.jsonl',
        'menu',
        'welcome.wav',
      ]);
      await text('Rows: 3.');
      assert.match((await rowOf('welcome.wav').textContent()) ?? '', /Unchanged/);
      await press('Play welcome.wav');
      await untilPlayed(page(), 1);
      await tableOf('made', 'Please hold.,menu/hold.wav');
      await press('Plan');
      await text(/Files without a row: 1\./);
      await filter().selectOption('gone');
      await press('Play welcome.wav');
      await untilPlayed(page(), 2);
    });

    it('pauses, resumes and stops a run with live progress', () =>
      withServer(firstOnly(), async ({ url }) => {
        const table = await tableOf('paused', 'One.,1.wav', 'Two.,2.wav', 'Three.,3.wav');
        const account = accountOf({ service: 'hosted', url, voice_id: 'anna', credentials: { apiKey: 'k' } });
        await show([tab, account, prompts({ ...table, parallel: '1' })]);
        await page().setViewportSize({ width: 900, height: 700 });
        await editor().open('prompts');
        await openFolds(page());
        // The button is at the lower edge of the visible part, and a click of the mouse could scroll.
        await page().evaluate(`{
          const run = document.querySelector('.herald-prompts [data-action=run]');
          run.scrollIntoView({ block: 'end' });
          run.click();
        }`);
        await text(/^1 of 3 prompts/);
        assert.ok(await isInView('.herald-prompts-progress'), 'the progress is in view');
        await press('Pause');
        await text(/^Paused: 1 of 3 prompts/);
        await press('Resume');
        await text(/^1 of 3 prompts/);
        await press('Stop');
        await text('Run stopped.');
        assert.ok(await isInView('.herald-prompts-progress ~ .herald-note'), 'the result is in view');
        await page().getByRole('button', { name: 'Run', exact: true }).waitFor();
      }));
  });
});

describeInBrowser('panel of the prompts node in Japanese', () => {
  const { editor } = useSharedEditor([tab, accountOf(), prompts()], { locale: 'ja' });
  afterEach(() => editor().cancel());

  it('shows each state on one line beside a long text', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'herald-panel-'));
    try {
      const csv_file = path.join(home, 'table.csv');
      await writeFile(csv_file, `text,filename\n${'長い文章です。'.repeat(20)},a.wav\n,b.wav`);
      await editor().open('prompts');
      const { page } = editor();
      await editor().chooseType('#node-input-rows', 'path');
      await page.locator('#node-input-rows-value').fill(csv_file);
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
