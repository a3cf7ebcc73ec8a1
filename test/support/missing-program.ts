import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { spawned } from './spawned.js';

/** A test that fails: `spawned.test.ts` runs it. It waits for the output of a missing program without `fromProgram`. */
it('waits for a missing program', async () => {
  const child = spawned(spawn('missing-program'));
  await once(child.stdout, 'data');
});
