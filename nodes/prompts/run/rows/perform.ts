import { checkRequest } from '@herald-speech/client';
import type { Fleet } from '@herald-speech/fleet';
import type { Account } from '../../../account/account-node.js';
import { propertyOf } from '../../../runtime/objects.js';
import { DEFAULT_PARALLEL, MAX_PARALLEL } from '../fields.js';
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

/** Makes prompts for all members of a fleet with an account: as many at a time as their run states. */
export function servePrompts(account: Account, fleet: Pick<Fleet, 'work'>, signal: AbortSignal): void {
  const options = { concurrency: DEFAULT_PARALLEL, concurrencyOf: parallelOf, signal };
  fleet.work.serve(performerOf(account), options);
}

/** Returns the number of prompts at a time in a `RowTask`, which is not yet checked. */
function parallelOf(task: unknown): number | undefined {
  const parallel = propertyOf(task, 'parallel');
  const isValid = typeof parallel === 'number' && parallel >= 1 && parallel <= MAX_PARALLEL;
  return isValid ? parallel : undefined;
}
