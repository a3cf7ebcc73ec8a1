import assert from 'node:assert/strict';
import { toRuleSets } from '../../../../../service/voices/engines/normalize/spell-out.js';

describe('the number rules of CLDR', () => {
  const file = (rules: unknown) => ({ rbnf: { rbnf: { SpelloutRules: { '%spellout': rules } } } });

  it('are read with their base, divisor and text', () => {
    const expected = [{ base: 1100, divisor: 100, text: '←← hundred' }];
    assert.deepEqual(toRuleSets(file([['1100/100', '←← hundred;']])).get('%spellout')?.rules, expected);
    assert.deepEqual(toRuleSets(file('')).get('%spellout')?.rules, []);
  });

  it('are rejected in another form', () => {
    for (const other of [
      null,
      {},
      { rbnf: {} },
      file({}),
      file(['0']),
      file([['0', 7]]),
      file([[0, 'zero;']]),
    ])
      assert.throws(() => toRuleSets(other), { name: 'TypeError', message: /number rules of CLDR/ });
  });
});
