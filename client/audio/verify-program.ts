/** The program of the thread that checks a file for `verifyApart`. */
import { parentPort, workerData } from 'node:worker_threads';
import { AudioError, type AudioErrorKind } from './audio-error.js';
import { type Verification, verifyAudio } from './verify.js';

/** The work of the thread. */
export interface VerifyTask {
  bytes: Uint8Array;
  keys: readonly string[];
}

/** The message of the thread: the result, or the reason why the file is not readable. */
export type Outcome = { result: Verification } | { kind: AudioErrorKind; message: string };

function outcomeOf({ bytes, keys }: VerifyTask): Outcome {
  try {
    return { result: verifyAudio(bytes, keys) };
  } catch (error) {
    if (!(error instanceof AudioError)) throw error;
    return { kind: error.kind, message: error.message };
  }
}

const task: VerifyTask = workerData;
parentPort?.postMessage(outcomeOf(task), []);
