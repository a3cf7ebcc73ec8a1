import { askControl, type ControlReply } from './store/control.js';
import { type DataLock, lockDataFolder } from '../kit/data-lock.js';
import { StoreError } from '../kit/store-error.js';
import { answerCommand } from './commands.js';
import { openLedger } from './ledger.js';

/** Milliseconds to wait for another process that holds the lock but does not reply: it may be starting or stopping. */
const PATIENCE = 5000;
/** Milliseconds of one attempt to lock the folder. */
const ATTEMPT = 250;

/**
 * Runs an administration command on a data folder. If a service runs there, the service runs the command. Otherwise this
 * process locks the folder and runs it.
 * @returns the result, or the reason of the refusal
 * @throws StoreError `locked` if another process holds the lock and accepts no commands; `full`, `read-only`, `corrupt`,
 *   `too-new` or `failed`
 */
export async function administer(
  folder: string,
  command: unknown,
  signal?: AbortSignal,
): Promise<ControlReply> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const reply = await askControl(folder, command, signal);
    if (reply !== undefined) return reply;
    const lock = await lockUnlessHeld(folder, performance.now() > deadline, signal);
    if (lock !== undefined) return onFolder(lock, command);
  }
}

async function lockUnlessHeld(folder: string, isLast: boolean, signal?: AbortSignal) {
  try {
    return await lockDataFolder(folder, { patience: ATTEMPT, ...(signal && { signal }) });
  } catch (error) {
    if (!isLast && error instanceof StoreError && error.kind === 'locked') return undefined;
    throw error;
  }
}

async function onFolder(lock: DataLock, command: unknown): Promise<ControlReply> {
  try {
    const ledger = openLedger(lock);
    try {
      return answerCommand(ledger, command);
    } finally {
      ledger.close();
    }
  } finally {
    await lock.release();
  }
}
