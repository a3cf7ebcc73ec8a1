import { z } from 'zod';
import { workerFailures } from './worker-error.js';

/** A message to a worker: run a job, abort the running job, or end. */
export const toWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), job: z.unknown() }),
  z.object({ kind: z.literal('cancel') }),
  z.object({ kind: z.literal('leave') }),
]);

/** A message from a worker: any number of outputs, then `done` or `failed`. */
export const fromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('output'), value: z.unknown() }),
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('failed'), code: z.enum(workerFailures), message: z.string() }),
]);

/** A message to the speech process, which runs several jobs at a time. It ends when its channel closes. */
export const toProcess = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), id: z.number(), job: z.unknown() }),
  z.object({ kind: z.literal('cancel'), id: z.number() }),
]);

/** A message from the speech process: a worker's message, with the id of its job. */
export const fromProcess = z.object({ id: z.number(), message: fromWorker });

export type ToWorker = z.output<typeof toWorker>;
export type FromWorker = z.output<typeof fromWorker>;
export type ToProcess = z.output<typeof toProcess>;
export type FromProcess = z.output<typeof fromProcess>;
