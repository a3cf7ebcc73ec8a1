import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isAccountsError, newAccount, useLedger } from './support.js';

describe('the keys of an account', () => {
  const { ledger, folder, reopen } = useLedger();

  it('identifies the account of a key, also after a restart', () => {
    const account = newAccount(ledger());
    const { key, id } = ledger().keys.create(account.id);
    assert.deepEqual(reopen().keys.authenticate(key), { account, keyId: id });
  });

  it('rejects an unknown key', () => {
    const { key } = ledger().keys.create(newAccount(ledger()).id);
    for (const wrong of ['', ` ${key}`, `${key} `, key.toLowerCase(), key.slice(1), 'x'.repeat(10_000)]) {
      assert.equal(ledger().keys.authenticate(wrong), undefined);
    }
  });

  it('rejects a revoked key, and lists it as revoked', () => {
    const { id: account } = newAccount(ledger());
    const { key, id } = ledger().keys.create(account);
    assert.equal(ledger().keys.revoke(account, id).revoked, '2026-01-15T12:00:00.000Z');
    assert.equal(reopen().keys.authenticate(key), undefined);
    assert.equal(ledger().keys.list(account)[0]?.revoked, '2026-01-15T12:00:00.000Z');
  });

  it('accepts three active keys, and one more for each revoked key', () => {
    const { keys } = ledger();
    const { id: account } = newAccount(ledger());
    const [first] = [1, 2, 3].map(() => keys.create(account));
    assert.throws(() => keys.create(account), isAccountsError('conflict', /3 active keys/));
    keys.revoke(account, first?.id ?? '');
    keys.create(account);
    assert.throws(() => keys.create(account), isAccountsError('conflict'));
    assert.equal(keys.list(account).length, 4);
  });

  it('does not revoke the key of another account', () => {
    const { keys } = ledger();
    const { key, id } = keys.create(newAccount(ledger()).id);
    assert.throws(() => keys.revoke(newAccount(ledger()).id, id), isAccountsError('not-found'));
    assert.ok(keys.authenticate(key));
  });

  it('keeps a key neither in the list nor in a file', async () => {
    const { id: account } = newAccount(ledger());
    const { key } = ledger().keys.create(account);
    assert.ok(!JSON.stringify(ledger().keys.list(account)).includes(key));
    const files = (await readdir(folder())).filter((name) => name.startsWith('herald.sqlite'));
    for (const name of files.filter((file) => !file.endsWith('.lock'))) {
      assert.ok(!(await readFile(path.join(folder(), name))).includes(key), name);
    }
    assert.equal(ledger().keys.list(account)[0]?.hint, key.slice(-4));
  });

  describe('the key of the data folder', () => {
    it('is valid after each start', () => {
      const { id: account } = ledger().accounts.unlimited('local');
      ledger().keys.adopt(account, 'the file');
      reopen().keys.adopt(account, 'the file');
      assert.equal(ledger().keys.authenticate('the file')?.account.id, account);
      assert.equal(ledger().keys.list(account).length, 1);
    });

    it('is replaced when the file changes', () => {
      const { keys, accounts } = ledger();
      const { id: account } = accounts.unlimited('local');
      for (const file of ['one', 'two', 'three', 'four', 'five']) keys.adopt(account, file);
      assert.equal(keys.authenticate('four'), undefined);
      assert.equal(keys.authenticate('five')?.account.id, account);
    });

    it('stays revoked after a restart', () => {
      const { keys, accounts } = ledger();
      const { id: account } = accounts.unlimited('local');
      keys.adopt(account, 'leaked');
      keys.revoke(account, keys.list(account)[0]?.id ?? '');
      keys.adopt(account, 'leaked');
      assert.equal(keys.authenticate('leaked'), undefined);
    });
  });
});
