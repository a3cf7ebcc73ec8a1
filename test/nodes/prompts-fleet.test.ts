import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describeWith } from '../support/programs/describe-with.js';
import { KEY } from '../support/node-red/flow.js';
import type { NodeRed } from '../support/node-red/node-red.js';
import { useParts } from '../support/use-parts.js';
import { until } from '../support/waiting.js';
import {
  assertFiles,
  PARALLEL,
  runTable,
  tableOf,
  withParts,
  workers,
} from '../support/node-red/fleet-prompts.js';

describeWith(['redis-server'], 'a run of prompts over three instances', () => {
  const parts = useParts(withParts);
  const instances: NodeRed[] = [];
  const working = (count: number) => until(async () => (await workers(parts().redis)) >= count);
  const instance = (index: number): NodeRed => instances[index] ?? assert.fail(`instance ${index}`);

  before(async () => {
    instances.push(...(await Promise.all([0, 1, 2].map((index) => parts().start(index)))));
    await working(3);
  });

  it('continues after the instance with the table was killed, and pays at most its rows in work again', async () => {
    const { folderOf, texts } = parts();
    const rows = tableOf('first', 45);
    const interrupted = assert.rejects(runTable(instance(0), rows));
    await until(() => texts('first').length >= 15);
    await instance(0).kill();
    await interrupted;
    instances[0] = await parts().start(0);
    const report = await runTable(instance(0), rows);
    assert.deepEqual([report.rows, report.failed], [45, []]);
    assertFiles(folderOf(0), 'first', rows);
    assert.equal(new Set(texts('first')).size, 45);
    assert(texts('first').length <= 45 + PARALLEL, `${texts('first').length} calls`);
  });

  it('makes the remaining files alone, some at a time, after Redis has ended', async () => {
    const { folderOf, texts, most, redis } = parts();
    await working(3);
    const rows = tableOf('second', 30);
    most();
    const running = runTable(instance(0), rows);
    await until(() => texts('second').length >= 10);
    await redis.stop();
    const report = await running;
    assert.deepEqual([report.rows, report.made, report.failed], [30, 30, []]);
    assertFiles(folderOf(0), 'second', rows);
    assert.equal(new Set(texts('second')).size, 30);
    // The results of the calls that were running could not be stored.
    assert(texts('second').length <= 30 + 3 * PARALLEL, `${texts('second').length} calls`);
    // The calls of the run, and those that each instance was making for the fleet.
    const calls = most();
    assert(calls <= PARALLEL + 3 * PARALLEL, `${calls} at a time`);
    await redis.start();
    await working(3);
  });

  it('makes each file, as many at a time on each instance as the node makes, and pays only the rows in work of a killed instance again', async () => {
    const { folderOf, texts, most, redis, dump } = parts();
    const rows = tableOf('third', 90);
    most();
    const running = runTable(instance(0), rows);
    let calls = 0;
    await until(
      () => texts('third').length >= 30 && (calls = Math.max(calls, most())) >= 3 * PARALLEL,
      () => `${calls} calls at a time`,
    );
    assert.equal(calls, 3 * PARALLEL, 'each instance makes some prompts at a time');
    await redis.cli('SAVE');
    const stored = readFileSync(dump, 'latin1');
    assert(stored.includes('Prompt number') && !stored.includes(KEY), 'Redis has tasks, but no key');
    await instance(1).kill();
    const report = await running;
    assert.deepEqual([report.rows, report.made, report.failed], [90, 90, []]);
    assertFiles(folderOf(0), 'third', rows);
    assert.equal(new Set(texts('third')).size, 90);
    assert(texts('third').length <= 90 + PARALLEL, `${texts('third').length} calls`);
    assert(!existsSync(folderOf(2)), 'only the instance with the table writes files');
  });
});
