import assert from 'node:assert/strict';
import { describeWith } from '../../../support/programs/describe-with.js';
import type { NodeRed } from '../../../support/node-red/node-red.js';
import { useParts } from '../../../support/use-parts.js';
import { until } from '../../../support/waiting.js';
import {
  assertFiles,
  runTable,
  tableOf,
  withParts,
  workers,
} from '../../../support/node-red/fleet-prompts.js';

describeWith(['redis-server'], 'a run of prompts over two instances with one cache folder', () => {
  const parts = useParts(withParts);
  const instances: NodeRed[] = [];
  const instance = (index: number): NodeRed => instances[index] ?? assert.fail(`instance ${index}`);

  before(async () => {
    const { start, redis } = parts();
    instances.push(...(await Promise.all([0, 1].map((index) => start(index, 0)))));
    await until(async () => (await workers(redis)) === 2);
  });

  it('pays no row twice if one of them is killed', async () => {
    const { texts, folderOf } = parts();
    const rows = tableOf('shared', 90);
    const running = runTable(instance(0), rows);
    await until(() => texts('shared').length >= 30);
    await instance(1).kill();
    const report = await running;
    assert.deepEqual([report.rows, report.made, report.failed], [90, 90, []]);
    assertFiles(folderOf(0), 'shared', rows);
    assert.equal(texts('shared').length, 90);
  });
});
