import { AccessGate } from '../http/gate.js';
import type { WyomingDependencies, WyomingOptions } from './options.js';
import { serveWyoming, type WyomingServer } from './serve-wyoming.js';

/** The account of a Wyoming request counts like a key with this identifier in usage reports. */
const KEY_ID = 'wyoming';

/**
 * Serves the Wyoming protocol for an account. Its tier limits the rate.
 * @param grace milliseconds for texts in work to finish when the server closes
 * @throws AccountsError `not-found` for an unknown account; the errors of `serveWyoming`
 */
export async function startWyoming(
  { account: name, ...options }: WyomingOptions,
  dependencies: Omit<WyomingDependencies, 'callerOf' | 'account'>,
  grace: number,
): Promise<WyomingServer> {
  const { accounts, keys } = dependencies.ledger;
  const account = accounts.named(name).id;
  const gate = new AccessGate({ keys, localCaller: () => undefined });
  const callerOf = () => gate.admitCaller({ account: accounts.get(account), keyId: KEY_ID });
  return serveWyoming({ ...options, grace }, { ...dependencies, callerOf, account });
}
