import assert from 'node:assert/strict';
import { isAccountsError, newAccount, useLedger } from './support.js';

describe('the accounts in the database', () => {
  const { ledger, reopen } = useLedger();

  it('keeps name, tier and credits after a restart', () => {
    const made = ledger().accounts.create({ name: 'radio', tier: 'creator', credits: 12.5 });
    assert.deepEqual(reopen().accounts.named('radio'), made);
    assert.deepEqual([made.tier, made.credits, made.created], ['creator', 12.5, '2026-01-15T12:00:00.000Z']);
  });

  it('rejects a name that is in use', () => {
    const { accounts } = ledger();
    accounts.create({ name: 'radio', tier: 'free', credits: 0 });
    const again = () => accounts.create({ name: 'radio', tier: 'pro', credits: 1 });
    assert.throws(again, isAccountsError('conflict', /"radio".*not in use/));
    assert.equal(accounts.list().length, 1);
  });

  it('reports no credits for an unlimited account, until its tier changes', () => {
    const { accounts } = ledger();
    const { id } = accounts.unlimited('local');
    assert.equal(accounts.addCredits(id, 5).credits, null);
    assert.equal(accounts.setTier(id, 'starter').credits, 5);
    assert.equal(accounts.unlimited('local').id, id);
  });

  it('lists accounts in the order of their names', () => {
    const { accounts } = ledger();
    for (const name of ['b', 'c', 'a']) accounts.create({ name, tier: 'free', credits: 0 });
    assert.deepEqual(
      accounts.list().map(({ name }) => name),
      ['a', 'b', 'c'],
    );
  });

  it('rejects credits above the maximum', () => {
    const { accounts } = ledger();
    const { id } = newAccount(ledger(), 5e8);
    assert.throws(() => accounts.addCredits(id, 6e8), isAccountsError('invalid', /credits is 600000000/));
    assert.equal(accounts.addCredits(id, 5e8).credits, 1e9);
  });

  it('rejects an unknown account', () => {
    assert.throws(() => ledger().accounts.named('nobody'), isAccountsError('not-found', /"nobody"/));
    assert.throws(() => ledger().accounts.setTier('x', 'pro'), isAccountsError('not-found'));
  });
});
