import assert from 'node:assert/strict';
import { z } from '@herald-speech/client';
import { budgetLimitsOf, patienceOf } from '../../../../nodes/account/settings.js';
import { isLimit, isLimitName } from '../../../../nodes/editor/account/account-values.js';
import { describeInBrowser } from '../../../support/browser.js';
import { useEditor } from '../../../support/editor-session.js';
import { accountOf, nodeOf } from '../saved.js';

describe('a limit of the account', () => {
  it('is blank, an environment variable or a number above 0', () => {
    for (const value of ['', ' 4 ', '1', '${ATTEMPTS}', undefined]) assert.ok(isLimit('attempts', value));
    for (const value of ['0', '-1', '1.5', 'many', 'NaN']) assert.ok(!isLimit('attempts', value), value);
    for (const value of ['0.5', '120']) assert.ok(isLimit('totalTimeout', value));
    for (const value of ['0', 'soon', '9999999']) assert.ok(!isLimit('totalTimeout', value), value);
  });

  it('is valid in the dialog if it is valid in the runtime, and not otherwise', () => {
    const isAccepted = (check: () => unknown) => {
      try {
        check();
        return true;
      } catch {
        return false;
      }
    };
    const rules = {
      fallbackAfter: (value: string) => patienceOf({ fallbackAfter: value }),
      budgetPerDay: (value: string) => budgetLimitsOf({ budgetPerDay: value }),
      creditsPerSecond: (value: string) =>
        budgetLimitsOf({ budgetPerDay: '1', budgetUnit: 'credits', creditsPerSecond: value }),
    };
    for (const [limit, rule] of Object.entries(rules)) {
      for (const value of ['-1', '0', '0.0000001', '0.01', '1', '7200', '2147483', 'x']) {
        assert.ok(isLimitName(limit));
        assert.equal(
          isAccepted(() => rule(value)),
          isLimit(limit, value),
          `${limit} ${value}`,
        );
      }
    }
  });
});

describeInBrowser('the limits in the dialog of an account', () => {
  const {
    attempts: _attempts,
    replaceHash: _hash,
    ...older
  } = accountOf({ service: 'hosted', url: 'http://127.0.0.1:9' });
  const { editor } = useEditor([
    { id: 'tab', type: 'tab', label: 'Speech' },
    older,
    nodeOf('speaker', 'text-to-speech', 0),
  ]);
  const saved = async () =>
    z
      .looseObject({ attempts: z.string().optional(), replaceHash: z.boolean().optional() })
      .parse(await editor().page.evaluate(`RED.nodes.convertNode(RED.nodes.node('${older.id}'), false)`));
  const at = (selector: string) => editor().page.locator(selector);

  it('name a wrong value with its label, and are saved', async () => {
    await editor().open(older.id);
    await at('[data-fold=limits] > summary').click();
    assert.ok(await at('#node-config-input-replaceHash').isChecked());
    await at('#node-config-input-attempts').fill('0');
    await at('#herald-attempts-problem')
      .filter({ hasText: 'Attempts: enter a whole number above 0.' })
      .waitFor();
    await at('#node-config-input-attempts').fill('2');
    await at('#node-config-input-replaceHash').uncheck();
    await editor().done();
    const { attempts, replaceHash } = await saved();
    assert.deepEqual([attempts, replaceHash], ['2', false]);
    await editor().open(older.id);
    // The fold is still open.
    assert.ok(await at('#node-config-input-attempts').isVisible());
    await at('[data-fold=limits] > summary').click();
    assert.equal(await at('[data-fold=limits] .herald-summary').textContent(), 'Attempts: 2, Replace #: no');
    await at('#node-config-input-service').selectOption('local');
    assert.ok(!(await at('[data-fold=limits]').isVisible()));
    await editor().cancel();
    assert.deepEqual(editor().problems, []);
  });
});
