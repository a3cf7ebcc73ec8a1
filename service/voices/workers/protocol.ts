import type { NaturalFolders } from '../installed/folders.js';
import type { WorkerPoolLimits } from './limits.js';
import type { WorkerFailure } from '../../kit/worker-error.js';

/*
 * Messages between the service, the speech process and its workers. All of them run this package, so a check of the kind
 * is sufficient. A schema library would add 50 ms to each start of a process and of a worker.
 */

/** The first argument of the speech process, as JSON. */
export interface SpeechSettings {
  modules: readonly string[];
  natural?: NaturalFolders | undefined;
  pool: WorkerPoolLimits;
  /** Milliseconds that a model stays without use, and whether a prediction loads a model. */
  neural: { keepMs: number; warmUp: boolean };
}

/** A request to a worker, which runs one job at a time, or to the speech process, which runs several. `leave` ends both. */
export type ToWorker = { kind: 'run'; job: unknown } | { kind: 'leave' };

/** A reply to a job: any number of outputs, then `done` or `failed`. */
export type FromWorker =
  | { kind: 'part'; value: unknown }
  | { kind: 'done' }
  | { kind: 'failed'; code: WorkerFailure; message: string };
