import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../store/database.js';
import type { Account, Accounts } from './accounts.js';
import { AccountsError } from './accounts-error.js';

/** Active keys of an account (docs/interface.md#limits). */
export const MAX_ACTIVE_KEYS = 3;

const KEY_BYTES = 32;

/** The one key that lies in the data folder, of whichever account; a new file replaces it. */
const FILE_KEY = 'key-file';

const time = z.int().transform((at) => new Date(at).toISOString());

const keyRow = z.object({
  id: z.string(),
  /** The last characters of the key, to tell it by. */
  hint: z.string(),
  created: time,
  revoked: time.nullable(),
});

/** A key as it may be shown: nothing of it opens anything. */
export type KeyInfo = Readonly<z.output<typeof keyRow>>;

const SELECT = 'SELECT id, hint, created, revoked FROM keys';

/** Who sent a request. */
export interface Caller {
  account: Account;
  keyId: string;
}

/** The keys of a database: their hashes, that is. */
export class Keys {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Makes a key. It is shown here and never again.
   * @throws AccountsError `conflict` when the account has its three
   */
  create(account: string): KeyInfo & { key: string } {
    const key = randomBytes(KEY_BYTES).toString('base64url');
    const id = `key-${randomBytes(8).toString('hex')}`;
    this.#add(account, id, key);
    return { ...this.#get(account, id), key };
  }

  /** All that there were, in the order of their making. */
  list(account: string): KeyInfo[] {
    return this.database.all(keyRow, `${SELECT} WHERE account = ? ORDER BY created, rowid`, [account]);
  }

  /**
   * From now on the key opens nothing. Revoking it again changes nothing.
   * @throws AccountsError `not-found` for a key that the account never had
   */
  revoke(account: string, id: string): KeyInfo {
    const sql = 'UPDATE keys SET revoked = ? WHERE account = ? AND id = ? AND revoked IS NULL';
    this.database.run(sql, [this.now(), account, id]);
    return this.#get(account, id);
  }

  /**
   * Lets the key of the data folder open an account. A key that is known stays as it is, revoked or not.
   * @throws AccountsError `conflict` when the account has three others
   */
  adopt(account: string, key: string): void {
    const known = this.database.get(keyRow, `${SELECT} WHERE hash = ?`, [hashOf(key)]);
    if (known !== undefined) return;
    this.database.transaction(() => {
      this.database.run('DELETE FROM keys WHERE id = ?', [FILE_KEY]);
      this.#add(account, FILE_KEY, key);
    });
  }

  /**
   * Whose key it is; undefined for one that is unknown or revoked. The search goes by hash, so the time it takes tells at
   * most about a hash, and nobody gets from there to the key.
   */
  authenticate(key: string): Caller | undefined {
    const row = z.object({ id: z.string(), account: z.string() });
    const sql = 'SELECT id, account FROM keys WHERE hash = ? AND revoked IS NULL';
    const found = this.database.get(row, sql, [hashOf(key)]);
    return found && { account: this.accounts.get(found.account), keyId: found.id };
  }

  #add(account: string, id: string, key: string): void {
    const active = this.list(account).filter(({ revoked }) => revoked === null).length;
    if (active >= MAX_ACTIVE_KEYS) {
      const words = `the account has ${active} active keys, and ${MAX_ACTIVE_KEYS} are allowed: revoke one first`;
      throw new AccountsError('conflict', words);
    }
    const sql = 'INSERT INTO keys (id, account, hash, hint, created) VALUES (?, ?, ?, ?, ?)';
    this.database.run(sql, [id, account, hashOf(key), key.slice(-4), this.now()]);
  }

  #get(account: string, id: string): KeyInfo {
    const found = this.database.get(keyRow, `${SELECT} WHERE account = ? AND id = ?`, [account, id]);
    if (found) return found;
    throw new AccountsError('not-found', `the account has no key ${JSON.stringify(id)}`);
  }
}

/** A fast hash will do: a key is 32 random bytes, and no guess comes near, unlike with a password. */
function hashOf(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}
