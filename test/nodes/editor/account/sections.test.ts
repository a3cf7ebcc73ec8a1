import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { describeInBrowser } from '../../../support/browser/browser.js';
import { useEditor } from '../../../support/browser/editor-session.js';
import { untilPlayed, watchSound } from '../../../support/browser/sound-watch.js';
import { accountOf, nodeOf } from '../saved.js';

const account = accountOf({
  pronunciations: [{ word: 'GmbH', replacement: 'Gesellschaft', language: 'de', matchCase: true }],
});
/** An account of a version without fallback and limits. */
const {
  fallback: _fallback,
  attempts: _attempts,
  replaceHash: _hash,
  ...older
} = accountOf({ service: 'hosted', url: 'http://127.0.0.1:9' });

describeInBrowser('the sections of an account', () => {
  // A page of its own: a page remembers the folds that earlier tests have opened.
  const { editor } = useEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    account,
    { ...older, id: 'older', name: 'the office' },
    { ...nodeOf('speaker', 'text-to-speech', 0) },
    { ...nodeOf('other', 'text-to-speech', 1), account: 'older' },
  ]);
  afterEach(async () => {
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });

  const at = (selector: string) => editor().page.locator(selector);
  const fold = (name: string) => at(`[data-fold=${name}]`);
  const summary = (name: string) => fold(name).locator('> summary > .herald-summary');
  const setting = (name: string) => at(`#node-config-input-${name}`);
  const show = async (name: string) => {
    await editor().page.evaluate(`document.querySelector('[data-fold=${name}]').open = true`);
  };
  const labelled = (label: string) => fold('pronunciations').getByRole('textbox', { name: label });
  const press = (name: string) => fold('pronunciations').getByRole('button', { name, exact: true });
  const savedOf = async (id: string) =>
    z
      .looseObject({})
      .parse(await editor().page.evaluate(`RED.nodes.convertNode(RED.nodes.node('${id}'), false)`));

  it('are closed, show in one line the settings that differ from a new account, and leave four fields at first sight, for the local service and for a hosted one', async () => {
    const seen = () =>
      at('.herald-form .form-row:visible > label').evaluateAll((labels) =>
        labels.map(({ textContent }) => textContent.trim()),
      );
    await editor().open('account');
    await assertClosed();
    assert.deepEqual(await seen(), ['Name', 'Service', 'Voice', 'Language']);
    await setting('service').selectOption('hosted');
    assert.deepEqual(await seen(), ['Name', 'Service', 'Base URL', 'API key']);
    assert.equal(await summary('voice').textContent(), 'English');
    await show('connection');
    for (const name of ['rate', 'proxy', 'tls']) assert.ok(await setting(name).isVisible(), name);
    await setting('rate').selectOption('30');
    assert.equal(await summary('connection').textContent(), 'Rate limit: 30');
  });

  it('offer Redis only with its optional package, or to an account that uses it', async () => {
    await editor().open('older');
    assert.ok(await fold('fleet').isVisible());
    await editor().cancel();
    await editor().page.evaluate(`RED.settings.heraldAccountFleet = false`);
    await editor().open('older');
    assert.equal(await fold('fleet').isVisible(), false);
    await setting('service').selectOption('local');
    await setting('service').selectOption('hosted');
    assert.equal(await fold('fleet').isVisible(), false);
    await editor().cancel();
    await editor().page.evaluate(`RED.nodes.node('older').fleetUrl = 'redis://127.0.0.1'`);
    await editor().open('older');
    assert.ok(await fold('fleet').isVisible());
    await editor().cancel();
    await editor().page.evaluate(
      `RED.nodes.node('older').fleetUrl = ''; RED.settings.heraldAccountFleet = true`,
    );
  });

  async function assertClosed(): Promise<void> {
    const shown = await Promise.all(
      ['pronunciations', 'fallback', 'cache'].map((name) => summary(name).textContent()),
    );
    assert.deepEqual(shown, ['GmbH', '', '']);
    assert.equal(await setting('fallback').isVisible(), false);
    assert.equal(await fold('budget').isVisible(), false);
  }

  it('save words that the user adds, changes and removes with the keyboard, and speak one', async () => {
    await watchSound(editor().page);
    await editor().open('account');
    await show('pronunciations');
    await press('Add word').press('Enter');
    await editor().page.keyboard.type('Dr.');
    await fold('pronunciations').getByText('Enter a word and its pronunciation.').waitFor();
    await editor().page.keyboard.press('Tab');
    await editor().page.keyboard.type('Doctor');
    await fold('pronunciations')
      .getByText('Enter a word and its pronunciation.')
      .waitFor({ state: 'detached' });
    assert.equal(await summary('pronunciations').textContent(), 'GmbH, Dr.');
    await press('Play').nth(1).press('Enter');
    await untilPlayed(editor().page, 1);
    // A blank row is not saved.
    await labelled('Word').nth(1).press('Enter');
    assert.equal(await labelled('Word').count(), 3);
    await press('Remove').first().press('Enter');
    assert.equal(await editor().page.evaluate(`document.activeElement.title`), 'Remove');
    await editor().done();
    assert.deepEqual((await savedOf('account'))['pronunciations'], [{ word: 'Dr.', replacement: 'Doctor' }]);
  });

  it('offer the other accounts as fallback, the local service only to a hosted account, and no fallback to older accounts', async () => {
    const labels = () => setting('fallback').locator('option').allTextContents();
    await editor().open('account');
    assert.deepEqual(await labels(), ['None', 'the office']);
    await setting('service').selectOption('hosted');
    assert.deepEqual(await labels(), ['None', 'Local service', 'the office']);
    await show('fallback');
    await setting('fallback').selectOption('the office');
    await setting('fallbackAfter').fill('5');
    assert.equal(await summary('fallback').textContent(), 'the office after 5 s');
    await setting('service').selectOption('local');
    await editor().done();
    const { fallback, fallbackAfter } = await savedOf('account');
    assert.deepEqual([fallback, fallbackAfter], ['account:older', '5']);
    await editor().open('older');
    assert.equal(await setting('fallback').inputValue(), 'none');
  });

  it('distinguish the local service from an account with its name, and show the budget with its unit, and ask for the price of credits', async () => {
    await editor().open('older');
    assert.deepEqual(await setting('fallback').locator('option').allTextContents(), [
      'None',
      'Local service (no account)',
      'Local service',
    ]);
    assert.equal(await summary('budget').textContent(), '');
    await show('budget');
    await setting('budgetPerDay').fill('100');
    assert.equal(await setting('creditsPerSecond').isVisible(), false);
    await setting('budgetUnit').selectOption('credits');
    assert.equal(await summary('budget').textContent(), '100 credits per day');
    const problem = at('#herald-creditsPerSecond-problem');
    assert.equal(
      await problem.textContent(),
      'Credits per second: enter the price, because the budget counts credits.',
    );
    await fold('budget').getByRole('img', { name: 'This section has an invalid value.' }).waitFor();
    await setting('creditsPerSecond').fill('0.5');
    assert.equal(await problem.textContent(), '');
    await setting('budgetPerMonth').fill('2000');
    assert.equal(await summary('budget').textContent(), '100 credits per day, 2000 credits per month');
    await setting('budgetPerMessage').fill('-1');
    assert.equal(
      await at('#herald-budgetPerMessage-problem').textContent(),
      'Per message: enter a number of at least 0.',
    );
  });

  it('show whether the fallback speaks over budget', async () => {
    await editor().open('older');
    for (const name of ['budget', 'fallback']) await show(name);
    const note = at('#herald-budget-state');
    assert.equal(await note.textContent(), 'Over budget, messages leave on “out of credits”.');
    await setting('fallback').selectOption('local');
    assert.equal(await note.textContent(), 'Over budget, the fallback speaks.');
    assert.match((await at('#herald-fallback-note').textContent()) ?? '', /is over its budget/);
  });

  it('name a wrong limit with its label, and save the limits', async () => {
    await editor().open('older');
    await at('[data-fold=limits] > summary').click();
    assert.ok(await setting('replaceHash').isChecked());
    await setting('attempts').fill('0');
    await at('#herald-attempts-problem')
      .filter({ hasText: 'Attempts: enter a whole number above 0.' })
      .waitFor();
    await setting('attempts').fill('2');
    await setting('replaceHash').uncheck();
    await editor().done();
    const { attempts, replaceHash } = await savedOf('older');
    assert.deepEqual([attempts, replaceHash], ['2', false]);
    await editor().open('older');
    // The fold is still open.
    assert.ok(await setting('attempts').isVisible());
    await at('[data-fold=limits] > summary').click();
    assert.equal(await summary('limits').textContent(), 'Attempts: 2, Replace #: no');
    await setting('service').selectOption('local');
    assert.ok(!(await fold('limits').isVisible()));
  });

  it('show the figures of the cache, and clear it at the second click only', async () => {
    const cleared: string[] = [];
    const state = { folder: '/data/cache', bytes: 12_300_000, entries: 7, savedSeconds: 61.25 };
    await editor().page.route('**/herald/cache?*', (route) => route.fulfill({ json: state }));
    await editor().page.route('**/herald/cache/clear?*', (route) => {
      cleared.push(route.request().url().split('?')[1] ?? '');
      return route.fulfill({ json: { ...state, bytes: 0, entries: 0 } });
    });
    await editor().open('account');
    await show('cache');
    const figures = at('#herald-cache-state');
    await figures
      .filter({ hasText: '7 entries with 12.3 MB of all accounts. This account saved 61.3 s' })
      .waitFor();
    const clear = at('#herald-cache-clear');
    await clear.click();
    assert.equal((await clear.textContent())?.trim(), 'Delete all audio');
    await setting('cacheSize').focus();
    assert.equal((await clear.textContent())?.trim(), 'Clear cache');
    await clear.click();
    assert.deepEqual(cleared, []);
    await clear.click();
    await figures.filter({ hasText: '0 entries with 0 MB' }).waitFor();
    assert.deepEqual(cleared, ['account=account']);
    assert.equal(await clear.isDisabled(), true);
    await setting('cache').uncheck();
    assert.equal(await summary('cache').textContent(), 'Off');
    await editor().page.unrouteAll();
  });
});
