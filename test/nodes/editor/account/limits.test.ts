import assert from 'node:assert/strict';
import { featuresOf } from '@herald-speech/client';
import { services } from '../../../../nodes/account/services.js';
import { budgetLimitsOf, patienceOf } from '../../../../nodes/account/settings.js';
import { isLimit, isLimitName } from '../../../../nodes/editor/account/account-values.js';

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
      budgetPerMonth: (value: string) => budgetLimitsOf({ budgetPerMonth: value }),
      creditsPerSecond: (value: string) =>
        budgetLimitsOf({ budgetPerDay: '1', budgetUnit: 'credits', creditsPerSecond: value }),
      maxTextLength: (value: string) =>
        featuresOf({
          url: 'http://host',
          apiKey: '',
          upstream: services.openai.upstream({ maxTextLength: value }),
        }),
    };
    for (const [limit, rule] of Object.entries(rules)) {
      for (const value of ['-1', '0', '0.0000001', '0.01', '1', '7200', '20000', '20001', '2147483', 'x']) {
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
