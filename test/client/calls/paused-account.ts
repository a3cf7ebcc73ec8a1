import type { Progress } from '../../../client/calls/account.js';
import type { Client } from '../../../client/client.js';
import { listVoices } from '../../../client/interface/operations.js';
import { rejection } from '../../support/rejection.js';

/** Makes a call that the service refuses with 429, and gives it up once the account waits because of it. */
export async function pausedAccount(client: Client): Promise<void> {
  const stop = new AbortController();
  const onProgress = ({ state }: Progress) => state === 'waiting' && stop.abort();
  await rejection(client.call(listVoices, {}, { signal: stop.signal, onProgress }));
}
