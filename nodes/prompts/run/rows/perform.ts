import { checkRequest } from '@herald-speech/client';
import type { Account } from '../../../account/account-node.js';
import { makeWith } from './make-row.js';
import { rowTask } from './task.js';

/** The audio of a prompt that another member of the fleet asked for. */
interface Performed {
  /** The fields of `MadeRow` without `data`. */
  result: unknown;
  data: Uint8Array;
}

/**
 * Returns a function that makes prompts for other members of the fleet with an account.
 * @returns a function that takes a `RowTask`, and throws SpeechError
 */
export const performerOf =
  (account: Account) =>
  async (task: unknown, signal: AbortSignal): Promise<Performed> => {
    const make = makeWith(account, 0);
    const { data, ...result } = await make(checkRequest(rowTask(), task), signal, () => undefined);
    return { result, data };
  };
