import { createHash, randomBytes } from 'node:crypto';
import { abridged } from '@herald-speech/client/interface';
import { z } from 'zod';
import type { Database } from './store/database.js';
import type { StoredAccount, AccountStore } from './accounts.js';
import { AccountsError } from '../kit/errors.js';

/** Maximum number of active keys per account (docs/interface.md#limits). */
export const MAX_ACTIVE_KEYS = 3;

const KEY_BYTES = 32;

/** Identifier of the key in the data folder. A new key file replaces this key. */
export const FILE_KEY = 'key-file';

const time = z.int().transform((at) => new Date(at).toISOString());

const keyRow = z.object({
  id: z.string(),
  /** The last four characters of the key, so that users can recognize it. */
  hint: z.string(),
  created: time,
  revoked: time.nullable(),
});

/** The public data of a key, without the key. */
export type KeyInfo = Readonly<z.output<typeof keyRow>>;

const SELECT = 'SELECT id, hint, created, revoked FROM keys';

/** The account and the key of a request. */
export interface Caller {
  account: StoredAccount;
  keyId: string;
}

/** The keys of all accounts. The database contains their hashes only. */
export class Keys {
  readonly #database: Database;
  readonly #accounts: AccountStore;
  readonly #now: () => number;

  constructor(database: Database, accounts: AccountStore, now: () => number = Date.now) {
    this.#database = database;
    this.#accounts = accounts;
    this.#now = now;
  }

  /**
   * Creates a key. Only this method returns the key.
   * @throws AccountsError `conflict` if the account has the maximum number of active keys
   */
  create(account: string): KeyInfo & { key: string } {
    const key = randomBytes(KEY_BYTES).toString('base64url');
    const id = `key-${randomBytes(8).toString('hex')}`;
    this.#add(account, id, key);
    return { ...this.#get(account, id), key };
  }

  /** Returns all keys of an account, with the revoked keys, in the order of creation. */
  list(account: string): KeyInfo[] {
    return this.#database.all(keyRow, `${SELECT} WHERE account = ? ORDER BY created, rowid`, [account]);
  }

  /**
   * Revokes a key. Has no effect on a revoked key.
   * @throws AccountsError `not-found` if the account never had the key, `invalid` for a text that cannot be stored
   */
  revoke(account: string, id: string): KeyInfo {
    if (id.includes('\0')) {
      throw new AccountsError('invalid', `key is ${abridged(id)}: expected a text without NUL characters`);
    }
    const sql = 'UPDATE keys SET revoked = ? WHERE account = ? AND id = ? AND revoked IS NULL';
    this.#database.freeing(() => this.#database.run(sql, [this.#now(), account, id]));
    return this.#get(account, id);
  }

  /** Returns whether this key was revoked. Returns false for an unknown key. */
  isRevoked(key: string): boolean {
    const known = this.#database.get(keyRow, `${SELECT} WHERE hash = ?`, [hashOf(key)]);
    return known !== undefined && known.revoked !== null;
  }

  /**
   * Adds the key of the data folder to an account, in place of the previous one. Has no effect on a known key, even a
   * revoked one. The maximum number of active keys does not apply, so that the service can always start.
   */
  adopt(account: string, key: string): void {
    const known = this.#database.get(keyRow, `${SELECT} WHERE hash = ?`, [hashOf(key)]);
    if (known !== undefined) return;
    this.#database.transaction(() => {
      this.#database.run('DELETE FROM keys WHERE id = ?', [FILE_KEY]);
      this.#insert(account, FILE_KEY, key);
    });
  }

  /**
   * Returns the caller with this key, or undefined for an unknown or revoked key. The lookup uses the hash: its duration
   * can reveal bytes of a hash at most, and a hash does not lead to the key.
   */
  authenticate(key: string): Caller | undefined {
    const row = z.object({ id: z.string(), account: z.string() });
    const sql = 'SELECT id, account FROM keys WHERE hash = ? AND revoked IS NULL';
    const found = this.#database.get(row, sql, [hashOf(key)]);
    return found && { account: this.#accounts.get(found.account), keyId: found.id };
  }

  #add(account: string, id: string, key: string): void {
    const active = this.list(account).filter(({ revoked }) => revoked === null).length;
    if (active >= MAX_ACTIVE_KEYS) {
      const message = `the account has ${active} active keys, the maximum is ${MAX_ACTIVE_KEYS}: revoke one first`;
      throw new AccountsError('conflict', message);
    }
    this.#insert(account, id, key);
  }

  #insert(account: string, id: string, key: string): void {
    const sql = 'INSERT INTO keys (id, account, hash, hint, created) VALUES (?, ?, ?, ?, ?)';
    this.#database.run(sql, [id, account, hashOf(key), key.slice(-4), this.#now()]);
  }

  #get(account: string, id: string): KeyInfo {
    const found = this.#database.get(keyRow, `${SELECT} WHERE account = ? AND id = ?`, [account, id]);
    if (found) return found;
    throw new AccountsError('not-found', unknownKey(id));
  }
}

/** Returns the message for an unknown identifier of a key. */
export function unknownKey(id: string): string {
  return `key ${abridged(id)}: unknown key. Use an identifier from the list of keys`;
}

/** Returns the SHA-256 hash of a key. A key is 32 random bytes, so it needs no slow hash, unlike a password. */
function hashOf(key: string): Uint8Array {
  return createHash('sha256').update(key).digest();
}
