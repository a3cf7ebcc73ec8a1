import { isSameKey } from '../accounts/key.js';
import { ServiceError } from '../service-error.js';
import type { ConsoleAccount } from './console-account.js';
import type { ConsoleOptions } from './routes.js';

/** The account of a service that has one key, which can neither be revoked nor joined by another. */
export function singleKey(key: string): Pick<ConsoleOptions, 'local' | 'accountOf'> {
  const created = new Date().toISOString();
  const local: ConsoleAccount = {
    listKeys: () => [{ id: 'key-file', tail: key.slice(-4), created, revoked: null }],
    createKey: () => onlyOne(),
    revokeKey: (id) => id === 'key-file' && onlyOne(),
  };
  return { local, accountOf: (given) => (isSameKey(given, key) ? local : undefined) };
}

function onlyOne(): never {
  throw new ServiceError(403, 'this service has the one key of its data folder');
}
