import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { AudioError } from './audio-error.js';
import type { Outcome, VerifyTask } from './verify-program.js';
import type { Verification } from './verify.js';

const PROGRAM = path.join(__dirname, `verify-program${path.extname(__filename)}`);
/** Megabytes for the objects of a check. A file of millions of empty parts needs more, and is not checked. */
const resourceLimits = { maxOldGenerationSizeMb: 256 };

/**
 * Checks a file as `verifyAudio` does, in a thread: a large file takes seconds.
 * @param bytes the thread takes their memory: the caller cannot read them any more
 * @param signal ends the thread
 * @throws AudioError as `verifyAudio`, and `unsupported` for a file that needs too much memory; the reason of the signal
 */
export async function verifyApart(
  bytes: Uint8Array<ArrayBuffer>,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Verification> {
  signal.throwIfAborted();
  // Small Buffers share their memory with others.
  const owned = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
  const workerData: VerifyTask = { bytes: owned, keys };
  const thread = new Worker(PROGRAM, { workerData, transferList: [owned.buffer], resourceLimits });
  const stop = () => void thread.terminate();
  signal.addEventListener('abort', stop);
  try {
    return resultOf(await outcomeOf(thread));
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
}

/** @throws AudioError */
function resultOf(outcome: Outcome): Verification {
  if ('result' in outcome) return outcome.result;
  throw new AudioError(outcome.kind, outcome.message);
}

/** @throws AudioError `unsupported` if the thread has no memory left */
const outcomeOf = (thread: Worker): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new AudioError('unsupported', 'audio of too many parts', { cause })
          : cause,
      ),
    );
    thread.once('exit', () => reject(new Error('the check ended early')));
  });
