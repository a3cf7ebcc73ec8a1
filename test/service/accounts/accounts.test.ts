import assert from 'node:assert/strict';
import { isAccountsError, newAccount, useLedger } from './support.js';

describe('accounts', () => {
  const { ledger, reopen } = useLedger();

  it('keep name, tier and credits over a restart', () => {
    const made = ledger().accounts.create({ name: 'radio', tier: 'creator', credits: 12.5 });
    assert.deepEqual(reopen().accounts.named('radio'), made);
    assert.deepEqual([made.tier, made.credits, made.created], ['creator', 12.5, '2026-01-15T12:00:00.000Z']);
  });

  it('have a name each', () => {
    const { accounts } = ledger();
    accounts.create({ name: 'radio', tier: 'free', credits: 0 });
    const again = () => accounts.create({ name: 'radio', tier: 'pro', credits: 1 });
    assert.throws(again, isAccountsError('conflict', /"radio".*taken/));
    assert.equal(accounts.list().length, 1);
  });

  it('that are unlimited count no credits, until they are no longer', () => {
    const { accounts } = ledger();
    const { id } = accounts.unlimited('local');
    assert.equal(accounts.addCredits(id, 5).credits, null);
    assert.equal(accounts.setTier(id, 'starter').credits, 5);
    assert.equal(accounts.unlimited('local').id, id);
  });

  it('are listed in the order of their names', () => {
    const { accounts } = ledger();
    for (const name of ['b', 'c', 'a']) accounts.create({ name, tier: 'free', credits: 0 });
    assert.deepEqual(
      accounts.list().map(({ name }) => name),
      ['a', 'b', 'c'],
    );
  });

  it('hold no more credits than can be counted', () => {
    const { accounts } = ledger();
    const { id } = newAccount(ledger(), 5e8);
    assert.throws(() => accounts.addCredits(id, 6e8), isAccountsError('invalid', /credits is 600000000/));
    assert.equal(accounts.addCredits(id, 5e8).credits, 1e9);
  });

  it('that are unknown are said to be', () => {
    assert.throws(() => ledger().accounts.named('nobody'), isAccountsError('not-found', /"nobody"/));
    assert.throws(() => ledger().accounts.setTier('x', 'pro'), isAccountsError('not-found'));
  });
});
