import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type BudgetOptions, createBudget, SpeechError } from '../../../client/index.js';

let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'herald-budget-'));
});
after(() => rm(folder, { recursive: true, force: true }));

let files = 0;
const newFile = () => path.join(folder, `${(files += 1)}`, 'budget.json');

interface Warning {
  problem: string;
  file: string;
}

function open(options: Partial<BudgetOptions> = {}) {
  const warnings: Warning[] = [];
  const file = options.file ?? newFile();
  const warn = (problem: string, damaged: string) => void warnings.push({ problem, file: damaged });
  return { budget: createBudget({ file, warn, ...options }), file, warnings };
}

/** Returns the figures of the rejected reservation. */
async function refusal(work: Promise<unknown>): Promise<SpeechError> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof SpeechError);
    assert.equal(error.code, 'over-budget');
    assert.equal(error.route, 'out-of-credits');
    return error;
  }
  throw new Error('the reservation was granted');
}

describe('a budget', () => {
  it('refuses a text above the limit per message, with the figures', async () => {
    const { budget } = open({ perMessage: 10 });
    await budget.reserve(10);
    const error = await refusal(budget.reserve(10.5));
    assert.deepEqual(error.budget, {
      per: 'message',
      unit: 'seconds',
      limit: 10,
      used: 10,
      needed: 10.5,
      resets: undefined,
    });
    assert.equal(
      error.message,
      'budget per message: this text needs 10.5 seconds, the limit is 10: shorten it, or raise the budget',
    );
  });

  it('refuses a text above the rest of the day until the next local midnight', async () => {
    const now = () => new Date(2026, 10, 22, 23, 59, 30);
    const { budget } = open({ perDay: 60, now });
    await budget.reserve(45);
    const error = await refusal(budget.reserve(20));
    assert.deepEqual(error.budget, {
      per: 'day',
      unit: 'seconds',
      limit: 60,
      used: 45,
      needed: 20,
      resets: new Date(2026, 10, 23).toISOString(),
    });
    assert.equal(error.retryAfter, 30);
  });

  it('reports a period as over after a text above its rest, until a text fits', async () => {
    const { budget } = open({ perDay: 8, perMonth: 50 });
    const over = async () => (await budget.used()).limits.map(({ isOver }) => isOver);
    await budget.reserve(6.1);
    assert.deepEqual(await over(), [false, false]);
    await refusal(budget.reserve(3));
    assert.deepEqual(await over(), [true, false]);
    await budget.reserve(1);
    assert.deepEqual(await over(), [false, false]);
    await refusal(budget.reserve(9));
    assert.deepEqual(await over(), [false, false], 'a text that no day can hold');
    await budget.reserve(0.9);
    assert.deepEqual(await over(), [true, false], 'nothing left');
  });

  it('refuses a text above the rest of the local month until the first of the next one', async () => {
    let time = new Date(2026, 10, 29, 23, 59, 30);
    const { budget, file } = open({ perMonth: 60, perDay: 50, now: () => time });
    await budget.reserve(45);
    time = new Date(2026, 10, 30, 12);
    const error = await refusal(budget.reserve(20));
    const month = { per: 'month', limit: 60, used: 45, resets: new Date(2026, 11, 1).toISOString() };
    assert.deepEqual(error.budget, { ...month, unit: 'seconds', needed: 20 });
    assert.equal(error.retryAfter, 12 * 3600);
    assert.match(error.message, /^budget per month: 45 of 60 seconds are used this month/);
    const today = { per: 'day', limit: 50, used: 0, resets: month.resets };
    const reopened = open({ file, perMonth: 60, perDay: 50, now: () => time }).budget;
    assert.deepEqual(await reopened.used(), {
      used: 0,
      unit: 'seconds',
      limits: [
        { ...today, isOver: false },
        { ...month, isOver: false },
      ],
    });
    time = new Date(2026, 11, 1);
    await budget.reserve(50);
  });

  it('names the month if a text exceeds the day and the month', async () => {
    const { budget } = open({ perDay: 10, perMonth: 10 });
    await budget.reserve(10);
    assert.equal((await refusal(budget.reserve(1))).budget?.per, 'month');
  });

  it('gives no time for a retry if the text alone exceeds the limit of a day, also if the month is used', async () => {
    const { budget } = open({ perDay: 10, perMonth: 15 });
    await budget.reserve(8);
    assert.equal((await refusal(budget.reserve(11))).retryAfter, undefined);
  });

  it('counts an actual length that is known after midnight for the month', async () => {
    let time = new Date(2026, 10, 22, 23, 59);
    const { budget } = open({ perMonth: 30, now: () => time });
    const { correct } = await budget.reserve(30);
    time = new Date(2026, 10, 23, 0, 1);
    correct(-10);
    await budget.reserve(10);
    await refusal(budget.reserve(1));
  });

  it('has the use of the month after the clock was wrong for a moment', async () => {
    let time = new Date(2026, 10, 22);
    const { budget } = open({ perMonth: 30, now: () => time });
    await budget.reserve(30);
    time = new Date(1970, 0, 1);
    await budget.reserve(1);
    time = new Date(2026, 10, 22);
    await refusal(budget.reserve(1));
  });

  it('grants a text without predicted seconds although more than the limit is used', async () => {
    const { budget } = open({ perDay: 60 });
    (await budget.reserve(50)).correct(20);
    await budget.reserve(0);
    await refusal(budget.reserve(1));
  });

  it('gives no time for a retry if the text alone exceeds the limit of a day', async () => {
    const error = await refusal(open({ perDay: 60 }).budget.reserve(61));
    assert.equal(error.retryAfter, undefined);
  });

  it('counts credits by the price of a second', async () => {
    const { budget } = open({ perDay: 100, creditsPerSecond: 2.5 });
    await budget.reserve(30);
    const { budget: figures } = await refusal(budget.reserve(11));
    assert.deepEqual([figures?.unit, figures?.used, figures?.needed], ['credits', 75, 27.5]);
  });

  it('forbids all speech with a limit of 0, except pieces from the cache', async () => {
    const { budget } = open({ perDay: 0 });
    await budget.reserve(0);
    await refusal(budget.reserve(0.001));
  });

  it('never grants more than the limit to ten texts at once', async () => {
    const { budget } = open({ perDay: 30 });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => budget.reserve(10)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.equal((await budget.used()).used, 30);
  });

  it('replaces the prediction by the actual seconds', async () => {
    const { budget } = open({ perDay: 30 });
    const { correct } = await budget.reserve(25);
    correct(4 - 25);
    assert.equal((await budget.used()).used, 4);
    await budget.reserve(26);
  });

  it('is exact for sums of fractions', async () => {
    const { budget } = open({ perDay: 0.3 });
    await budget.reserve(0.1);
    await budget.reserve(0.2);
  });

  it('has the use of the day after a restart, also of running texts', async () => {
    const { budget, file } = open({ perDay: 30 });
    const { correct } = await budget.reserve(20);
    assert.equal((await open({ file, perDay: 30 }).budget.used()).used, 20);
    correct(-8);
    await budget.saved();
    assert.equal((await open({ file, perDay: 30 }).budget.used()).used, 12);
  });

  it('keeps the use of the day if it closes without a reservation', async () => {
    const { budget, file } = open({ perDay: 30 });
    await budget.reserve(20);
    await open({ file, perDay: 30 }).budget.saved();
    assert.equal((await open({ file, perDay: 30 }).budget.used()).used, 20);
  });

  it('starts at 0 on the next local day, and ignores corrections of the day before', async () => {
    let time = new Date(2026, 10, 22, 23, 59);
    const { budget } = open({ perDay: 30, now: () => time });
    const { correct } = await budget.reserve(30);
    time = new Date(2026, 10, 23, 0, 1);
    await budget.reserve(5);
    correct(-10);
    assert.equal((await budget.used()).used, 5);
  });

  it('leaves one complete file and no other after many changes at once', async () => {
    const { budget, file } = open({ perDay: 1000, now: () => new Date(2026, 10, 22) });
    const reservations = await Promise.all(Array.from({ length: 20 }, () => budget.reserve(10)));
    for (const { correct } of reservations) correct(-1);
    await budget.saved();
    const saved: unknown = JSON.parse(await readFile(file, 'utf8'));
    assert.deepEqual(saved, { '2026-11-22': 180 });
  });

  it('counts the seconds of today in a file of an earlier version', async () => {
    const file = path.join(folder, `former-${files++}.json`);
    await writeFile(file, '{"day":"2026-11-22","seconds":95}');
    const { budget, warnings } = open({ file, perDay: 100, now: () => new Date(2026, 10, 22) });
    await refusal(budget.reserve(50));
    assert.equal((await budget.used()).used, 95);
    assert.deepEqual(warnings, []);
  });

  for (const content of ['', '{"2026', '[]', '{"day":1}', '{"2026-11-22":"x"}', '{"2026-11-22":-5}']) {
    it(`counts a damaged file as an unused budget and warns once: ${JSON.stringify(content)}`, async () => {
      const file = path.join(folder, `damaged-${files++}.json`);
      await writeFile(file, content);
      const { budget, warnings } = open({ file, perDay: 10 });
      await budget.reserve(10);
      await refusal(budget.reserve(1));
      assert.deepEqual(warnings, [{ problem: 'damaged', file }]);
      assert.equal((await open({ file, perDay: 10 }).budget.used()).used, 10);
    });
  }

  it('warns once and goes on if the file cannot be written', async () => {
    const blocked = path.join(folder, 'blocked');
    await writeFile(blocked, '');
    const { budget, warnings } = open({ file: path.join(blocked, 'budget.json'), perDay: 10 });
    await budget.reserve(4);
    await budget.reserve(6);
    await refusal(budget.reserve(1));
    assert.deepEqual(
      warnings.map(({ problem }) => problem),
      ['damaged', 'not-written'],
    );
  });
});
