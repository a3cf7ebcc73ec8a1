import { askControl, type ControlReply } from '../store/control.js';
import { type DataLock, lockDataFolder } from '../store/data-lock.js';
import { StoreError } from '../store/store-error.js';
import { answerCommand } from './commands.js';
import { openLedger } from './ledger.js';

/** Milliseconds for a service that starts or stops, or another command, to be done with the folder. */
const PATIENCE = 5000;
const TURN = 250;

/**
 * Carries out an administration command on a data folder, whether a service runs there or not: through it where one
 * answers, or else on the folder itself.
 * @returns the result, or why the command was refused
 * @throws StoreError `locked` when somebody holds the folder and answers no commands; its other kinds
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
    return await lockDataFolder(folder, { patience: TURN, ...(signal && { signal }) });
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
