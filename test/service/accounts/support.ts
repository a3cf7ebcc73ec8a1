import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AccountsError, type AccountFailure } from '../../../service/kit/errors.js';
import { type AccountLedger, openLedger } from '../../../service/accounts/ledger.js';
import { type DataLock, lockDataFolder } from '../../../service/kit/data-lock.js';

/** Creates a ledger with a separate clock for each test of a suite. `reopen` reads the ledger from disk again. */
export function useLedger() {
  let lock: DataLock;
  let current: AccountLedger;
  const clock = { now: Date.UTC(2026, 0, 15, 12) };
  beforeEach(async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-ledger-'));
    lock = await lockDataFolder(folder);
    current = openLedger(lock, () => clock.now);
  });
  afterEach(async () => {
    current.close();
    await lock.release();
    await rm(lock.folder, { recursive: true });
    clock.now = Date.UTC(2026, 0, 15, 12);
  });
  const reopen = () => {
    current.close();
    current = openLedger(lock, () => clock.now);
    return current;
  };
  return { ledger: () => current, folder: () => lock.folder, clock, reopen };
}

let count = 0;

/** Creates a metered account with a unique name. */
export function newAccount({ accounts }: AccountLedger, credits = 100) {
  return accounts.create({ name: `account ${++count}`, tier: 'pro', credits });
}

export const someUse = {
  api_key: 'key-1',
  voice_id: 'rms',
  voice_name: 'Rms',
  style: 'neutral',
  language: 'en',
  model: 'main_speech_1',
};

/** Returns a validator that asserts an AccountsError of a kind with a message that matches `words`. */
export function isAccountsError(kind: AccountFailure, words: RegExp = /./) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof AccountsError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, words);
    return true;
  };
}
