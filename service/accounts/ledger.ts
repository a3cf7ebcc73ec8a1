import type { DataLock } from '../kit/data-lock.js';
import { migrations } from './store/migrations.js';
import { openDatabase } from './store/open-database.js';
import { AccountStore } from './accounts.js';
import { Credits } from './credits.js';
import { CustomVoices } from './custom-voices.js';
import { Keys } from './keys.js';
import { UsageReports } from './usage.js';

/** The data of all accounts, in one database. */
export type AccountLedger = ReturnType<typeof openLedger>;

/**
 * Opens the ledger of a data folder. Close it before you release the lock.
 * @param now returns the time in milliseconds since 1970
 * @throws StoreError
 */
export function openLedger(lock: DataLock, now: () => number = Date.now) {
  const database = openDatabase(lock, migrations);
  const accounts = new AccountStore(database, now);
  return {
    accounts,
    keys: new Keys(database, accounts, now),
    credits: new Credits(database, accounts, now),
    usage: new UsageReports(database),
    customVoices: new CustomVoices(database, now),
    transaction: <Result>(work: () => Result): Result => database.transaction(work),
    freeing: <Result>(work: () => Result): Result => database.freeing(work),
    close: () => database.close(),
  };
}
