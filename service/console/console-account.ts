import { AccountsError } from '../errors.js';
import type { Keys } from '../accounts/keys.js';

/** The public data of a key. */
export interface ConsoleKey {
  id: string;
  /** The last four characters of the key, so that users can recognize it. */
  tail: string;
  /** ISO 8601 time. */
  created: string;
  /** ISO 8601 time, or null if the key is active. */
  revoked: string | null;
}

/** The keys of an account, for the console (docs/interface.md#authentication). */
export interface ConsoleAccount {
  /** Returns all keys, with the revoked keys. */
  listKeys(): ConsoleKey[];
  /**
   * Creates a key. Only this method returns the key.
   * @throws AccountsError `conflict` if the account has the maximum number of active keys
   */
  createKey(): { id: string; key: string };
  /** Revokes a key. Returns false if the account does not have the key. */
  revokeKey(id: string): boolean;
}

/** Returns the keys of one account of the ledger. */
export function ledgerAccount(keys: Keys, account: string): ConsoleAccount {
  return {
    listKeys: () => keys.list(account).map(({ hint: tail, ...key }) => ({ ...key, tail })),
    createKey: () => {
      const { id, key } = keys.create(account);
      return { id, key };
    },
    revokeKey: (id) => revokeIfKnown(keys, account, id),
  };
}

function revokeIfKnown(keys: Keys, account: string, id: string): boolean {
  try {
    keys.revoke(account, id);
    return true;
  } catch (error) {
    if (error instanceof AccountsError && error.kind === 'not-found') return false;
    throw error;
  }
}
