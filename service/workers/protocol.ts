import { z } from 'zod';

/** What goes to a worker: a job, the wish to end the one that runs, or to end altogether. */
export const toWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), job: z.unknown() }),
  z.object({ kind: z.literal('cancel') }),
  z.object({ kind: z.literal('leave') }),
]);

/** What a worker answers: any number of outputs, then one end. */
export const fromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('output'), value: z.unknown() }),
  z.object({ kind: z.literal('done') }),
  z.object({ kind: z.literal('failed'), code: z.enum(['refused', 'failed']), message: z.string() }),
]);

export type ToWorker = z.output<typeof toWorker>;
export type FromWorker = z.output<typeof fromWorker>;
