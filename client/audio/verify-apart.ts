import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { onAbort } from '../base/abort.js';
import { isErrno } from '../base/errno.js';
import { Program } from '../base/program.js';
import { AudioError } from '../base/audio-error.js';
import type { Outcome, VerifyTask } from './verify-program.js';
import type { Verification } from './verify.js';

const PROGRAM = path.join(__dirname, `verify-program${path.extname(__filename)}`);
/** Megabytes for the objects of a check. A file of millions of empty parts needs more, and is not checked. */
const MEMORY_MB = 256;

/**
 * Checks a file as `verifyAudio` does, in a thread: a large file takes seconds.
 * @param bytes the thread takes their memory: the caller cannot read them any more
 * @param signal ends the thread
 * @param memoryMb megabytes for the objects of the check
 * @throws AudioError as `verifyAudio`, and `unsupported` for a file that needs too much memory; the reason of the signal
 */
export async function verifyApart(
  bytes: Uint8Array<ArrayBuffer>,
  keys: readonly string[],
  signal: AbortSignal,
  memoryMb = MEMORY_MB,
): Promise<Verification> {
  signal.throwIfAborted();
  // Small Buffers share their memory with others.
  const owned = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
  const thread = new Program<Outcome>(new Worker(PROGRAM, { resourceLimits }), {
    kinds: ['done', 'failed'],
    ended: (how, cause) =>
      isErrno(cause, 'ERR_WORKER_OUT_OF_MEMORY')
        ? new AudioError('unsupported', 'audio of too many parts', { cause })
        : new Error(`the check ended with ${how}`, { cause }),
  });
  const unlink = onAbort(signal, () => void thread.end());
  try {
    const task: VerifyTask = { kind: 'verify', bytes: owned, keys };
    return resultOf(await thread.ask(task, { transfer: [owned.buffer] }));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    unlink();
    await thread.end();
  }
}

/** @throws AudioError */
function resultOf(outcome: Outcome): Verification {
  if (outcome.kind === 'done') return outcome.result;
  const { reason, message } = outcome;
  throw reason === undefined ? new Error(message) : new AudioError(reason, message);
}
