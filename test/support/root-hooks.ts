import * as fc from 'fast-check';
import { endShared } from './shared.js';

/** `FC_SEED=n` gives every property test the seed `n`, to repeat a run. */
const seed = process.env['FC_SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

export const mochaHooks = {
  /** A parallel worker runs this hook after each file. Its parts serve the next file, and end with the worker. */
  async afterAll(): Promise<void> {
    if (process.env['MOCHA_WORKER_ID'] === undefined) await endShared();
  },
};
