import { AccountsError } from '../kit/errors.js';
import { FILE_KEY, type Keys } from '../accounts/keys.js';

const FILE_KEY_STAYS =
  `key "${FILE_KEY}": the console cannot revoke the key in the data folder. ` +
  'To replace it, delete the file "key" and restart the service';

/** The public data of a key. */
interface ConsoleKey {
  id: string;
  /** The last four characters of the key, so that users can recognize it. */
  tail: string;
  /** ISO 8601 time. */
  created: string;
  /** ISO 8601 time, or null if the key is active. */
  revoked: string | null;
  /** Whether this is the key in the data folder, which the console cannot revoke. */
  isFile: boolean;
}

/** The keys of an account, for the console (docs/interface.md#authentication). */
export interface ConsoleAccount {
  /** Identifier of the account. */
  readonly id: string;
  /** Returns all keys, with the revoked keys. */
  listKeys(): ConsoleKey[];
  /**
   * Creates a key. Only this method returns the key.
   * @throws AccountsError `conflict` if the account has the maximum number of active keys
   */
  createKey(): { id: string; key: string };
  /**
   * Revokes a key. Returns false if the account does not have the key.
   * @throws AccountsError `forbidden` for the key in the data folder: Node-RED and other programs of the owner need it
   */
  revokeKey(id: string): boolean;
}

/** Returns the keys of one account of the ledger. */
export function ledgerAccount(keys: Keys, account: string): ConsoleAccount {
  return {
    id: account,
    listKeys: () =>
      keys.list(account).map(({ hint: tail, ...key }) => ({ ...key, tail, isFile: key.id === FILE_KEY })),
    createKey: () => {
      const { id, key } = keys.create(account);
      return { id, key };
    },
    revokeKey: (id) => revokeIfKnown(keys, account, id),
  };
}

function revokeIfKnown(keys: Keys, account: string, id: string): boolean {
  if (id === FILE_KEY) throw new AccountsError('forbidden', FILE_KEY_STAYS);
  try {
    keys.revoke(account, id);
    return true;
  } catch (error) {
    if (error instanceof AccountsError && error.kind === 'not-found') return false;
    throw error;
  }
}
