import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { serveJobs } from '../../../../service/voices/workers/serve-jobs.js';
import { WorkerError } from '../../../../service/kit/worker-error.js';

const wish = z.object({
  do: z.enum(['count', 'crash', 'hang', 'throw', 'refuse', 'wait']),
  times: z.number().optional(),
});

/** A worker that counts, crashes, hangs, throws, refuses or waits, as its job requests. */
serveJobs(async function* (job, signal) {
  const { do: what, times = 0 } = wish.parse(job);
  if (what === 'crash') process.exit(1);
  if (what === 'throw') throw new Error('it broke');
  if (what === 'refuse') throw new WorkerError('refused', 'not that');
  if (what === 'wait') await delay(60_000, undefined, { signal });
  if (what === 'hang') for (;;);
  for (let count = 1; count <= times; count++) yield count;
});
