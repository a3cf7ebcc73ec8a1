import type { Progress } from '../../../client/calls/progress.js';
import type { Client } from '../../../client/api/client.js';
import { listVoices } from '../../../client/interface/operations.js';
import { rejection } from '../../support/rejection.js';

/** Sends a call that the service must refuse with 429. Resolves when the account is paused. */
export async function pausedAccount(client: Client): Promise<void> {
  const stop = new AbortController();
  const onProgress = ({ state }: Progress) => state === 'waiting' && stop.abort();
  await rejection(client.call(listVoices, {}, { signal: stop.signal, onProgress }));
}
