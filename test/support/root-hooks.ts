import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { endShared } from './shared.js';
import { explainFailure } from './spawned.js';

/** `FC_SEED=n` gives every property test the seed `n`, to repeat a run. */
const seed = process.env['FC_SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

/** Tests of repeated requests need no cache, and no test may write to the cache of the user. Tests of the cache set a folder. */
process.env['HERALD_CACHE'] = 'off';

const ROOT = path.join(__dirname, '../..');
const filesAtStart = readdirSync(ROOT);

export const mochaHooks = {
  /** A failure that comes and goes has a cause in the test or in Herald: no repetition may hide it. */
  afterEach(this: Mocha.Context): void {
    explainFailure(this.currentTest?.err);
    assert.ok(
      !(this.currentTest && Number(Reflect.get(this.currentTest, '_retries')) > 0),
      'no test may use retries',
    );
  },
  /** A parallel worker runs this hook after each file. Its parts serve the next file, and end with the worker. */
  async afterAll(): Promise<void> {
    if (process.env['MOCHA_WORKER_ID'] === undefined) await endShared();
    const stray = readdirSync(ROOT).filter((file) => !filesAtStart.includes(file));
    assert.deepEqual(stray, [], 'a test left files in the checkout');
  },
};
