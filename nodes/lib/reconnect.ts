import { type Client, SpeechError } from '@herald-speech/client';
import type { Account } from '../account/account-node.js';

/**
 * Runs `work` with the client of an account. If no connection was possible and the local service has restarted at another
 * address or with another key, runs `work` once more with the new client. The failed request was not sent, so this costs nothing.
 * @throws the error of `work`, or the SpeechError of `connect`
 */
export async function withClient<Result>(
  account: Pick<Account, 'connect'>,
  signal: AbortSignal,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await account.connect(signal);
  try {
    return await work(client);
  } catch (error) {
    if (!(error instanceof SpeechError) || error.code !== 'no-connection') throw error;
    const next = await account.connect(signal);
    if (next === client) throw error;
    return work(next);
  }
}
