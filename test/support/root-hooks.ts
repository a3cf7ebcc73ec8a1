import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { endShared } from './shared.js';

/** `FC_SEED=n` gives every property test the seed `n`, to repeat a run. */
const seed = process.env['FC_SEED'];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });

/** Tests of repeated requests need no cache, and no test may write to the cache of the user. Tests of the cache set a folder. */
process.env['HERALD_CACHE'] = 'off';

const ROOT = path.join(__dirname, '../..');
const filesAtStart = readdirSync(ROOT);

/** Tests with the deadlines of Redis, which a busy computer can miss: they run once more (docs/decisions/0084). */
const WITH_DEADLINES = ['test/fleet/', 'test/nodes/fleet-instances.', 'test/nodes/prompts-fleet.'];

export const mochaHooks = {
  beforeEach(this: Mocha.Context): void {
    const { currentTest } = this;
    const file = path.relative(ROOT, currentTest?.file ?? '').replaceAll(path.sep, '/');
    if (currentTest === undefined || !WITH_DEADLINES.some((start) => file.startsWith(start))) return;
    currentTest.retries(1);
    if (Reflect.get(currentTest, '_currentRetry') > 0)
      console.log(`Repeated after a failure: ${currentTest.fullTitle()}`);
  },
  /** A parallel worker runs this hook after each file. Its parts serve the next file, and end with the worker. */
  async afterAll(): Promise<void> {
    if (process.env['MOCHA_WORKER_ID'] === undefined) await endShared();
    const stray = readdirSync(ROOT).filter((file) => !filesAtStart.includes(file));
    assert.deepEqual(stray, [], 'a test left files in the checkout');
  },
};
