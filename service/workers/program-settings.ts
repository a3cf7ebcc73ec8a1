import { z } from 'zod';

/** The settings of the speech process, passed as JSON in its first argument. */
export const programSettings = z.object({
  /** Modules of additional engines; relative paths start at the working directory. */
  modules: z.array(z.string()),
  /** See `WorkerPoolOptions`. */
  pool: z.object({
    size: z.number(),
    maxQueued: z.number(),
    timeLimit: z.number(),
    grace: z.number(),
  }),
});

export type ProgramSettings = z.output<typeof programSettings>;
