/** The program of the thread that checks a file for `verifyApart`. */
import { parentPort } from 'node:worker_threads';
import { answerCalls } from '../base/calls.js';
import { AudioError, type AudioErrorKind } from '../base/audio-error.js';
import { type Verification, verifyAudio } from './verify.js';

/** The work of the thread. */
export interface VerifyTask {
  kind: 'verify';
  bytes: Uint8Array;
  keys: readonly string[];
}

/** The reply of the thread: the result, or the reason why the file is not readable. */
export type Outcome =
  | { kind: 'done'; result: Verification }
  | { kind: 'failed'; reason: AudioErrorKind | undefined; message: string };

if (parentPort !== null)
  answerCalls<VerifyTask>(parentPort, {
    kinds: ['verify'],
    answer: ({ bytes, keys }) => ({ result: verifyAudio(bytes, keys) }),
    failure: (error) => ({
      reason: error instanceof AudioError ? error.kind : undefined,
      message: error instanceof Error ? error.message : String(error),
    }),
  });
