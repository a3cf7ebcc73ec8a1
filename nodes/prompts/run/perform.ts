import { SpeechError } from '@herald-speech/client';
import type { Account } from '../../account/account-node.js';

/** The audio of a prompt that another member of the fleet asked for. */
export interface Performed {
  /** The fields of `MadeRow` without `data`. */
  result: unknown;
  data: Uint8Array;
}

/**
 * Returns a function that makes prompts for other members of the fleet with an account.
 * @returns a function that takes a `RowTask`, and throws SpeechError
 */
export const performerOf =
  (_account: Account) =>
  async (_task: unknown, signal: AbortSignal): Promise<Performed> => {
    signal.throwIfAborted();
    throw new SpeechError('internal', 'not yet implemented');
  };
