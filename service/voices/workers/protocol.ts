import { hasKind } from '../../kit/objects.js';
import type { NaturalFolders } from '../installed/folders.js';
import type { WorkerPoolLimits } from './limits.js';
import type { WorkerFailure } from '../../kit/worker-error.js';

/*
 * Messages between the service, the speech process and its workers. All of them run this package, so a check of the kind
 * is sufficient. A schema library would add 50 ms to each start of a process and of a worker.
 */

/** A message to a worker: run a job, abort the running job, or end. */
export type ToWorker = { kind: 'run'; job: unknown } | { kind: 'cancel' } | { kind: 'leave' };

/** A message from a worker: any number of outputs, then `done` or `failed`. */
export type FromWorker =
  | { kind: 'output'; value: unknown }
  | { kind: 'done' }
  | { kind: 'failed'; code: WorkerFailure; message: string };

/** A message to the speech process, which runs several jobs at a time. `start` is the first message. */
export type ToProcess =
  | {
      kind: 'start';
      modules: readonly string[];
      natural: NaturalFolders | undefined;
      pool: WorkerPoolLimits;
      /** Milliseconds that a model stays without use, and whether a prediction loads a model. */
      neural: { keepMs: number; warmUp: boolean };
    }
  | { kind: 'run'; id: number; job: unknown }
  | { kind: 'cancel'; id: number }
  | { kind: 'stop' };

/** A message from the speech process: a worker's message, with the id of its job. */
export type FromProcess = FromWorker & { id: number };

export function isToWorker(value: unknown): value is ToWorker {
  return hasKind(value, 'run', 'cancel', 'leave');
}

export function isFromWorker(value: unknown): value is FromWorker {
  return hasKind(value, 'output', 'done', 'failed');
}

export function isToProcess(value: unknown): value is ToProcess {
  return hasKind(value, 'start', 'run', 'cancel', 'stop');
}

export function isFromProcess(value: unknown): value is FromProcess {
  return isFromWorker(value) && 'id' in value;
}
