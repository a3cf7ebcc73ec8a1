import { AccountsError } from '../errors.js';
import type { Keys } from '../accounts/keys.js';

/** A key as the list shows it: nothing of it opens anything. */
export interface ConsoleKey {
  id: string;
  /** The last characters of the key, to tell it by. */
  tail: string;
  /** ISO time. */
  created: string;
  /** ISO time, null while it opens the account. */
  revoked: string | null;
}

/** What the console does with the keys of an account (docs/interface.md#authentication). */
export interface ConsoleAccount {
  listKeys(): ConsoleKey[];
  /** Makes a key, which is shown here and never again. @throws when the account can have no more */
  createKey(): { id: string; key: string };
  /** @returns whether the account has that key */
  revokeKey(id: string): boolean;
}

/** The keys of one account of the ledger. What they throw is an AccountsError. */
export function ledgerAccount(keys: Keys, account: string): ConsoleAccount {
  return {
    listKeys: () => keys.list(account).map(({ hint: tail, ...key }) => ({ ...key, tail })),
    createKey: () => {
      const { id, key } = keys.create(account);
      return { id, key };
    },
    revokeKey: (id) => hasRevoked(keys, account, id),
  };
}

function hasRevoked(keys: Keys, account: string, id: string): boolean {
  try {
    keys.revoke(account, id);
    return true;
  } catch (error) {
    if (error instanceof AccountsError && error.kind === 'not-found') return false;
    throw error;
  }
}
