import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { mapInOrder } from '../../../client/speech/in-order.js';
import { sleep } from '../../../client/abort.js';
import { rejection } from '../../support/rejection.js';

describe('mapInOrder', () => {
  it('returns results in the order of the items and runs at most `concurrency` at a time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (items, concurrency) => {
          let running = 0;
          let most = 0;
          const results = await mapInOrder(items, concurrency, undefined, async (item, index) => {
            running += 1;
            most = Math.max(most, running);
            await delay(item);
            running -= 1;
            return `${index}:${item}`;
          });
          assert.deepEqual(
            results,
            items.map((item, index) => `${index}:${item}`),
          );
          assert.equal(most, Math.min(concurrency, items.length));
        },
      ),
      { numRuns: 30 },
    ));

  it('aborts the other items on the first failure, and throws it after all have ended', async () => {
    const stopped: number[] = [];
    const started: number[] = [];
    const work = mapInOrder([0, 1, 2, 3, 4, 5], 3, undefined, async (item, _index, signal) => {
      started.push(item);
      if (item === 1) throw new Error('item 1 failed');
      await sleep(1e6, signal).catch(async (reason: unknown) => {
        await delay(5);
        stopped.push(item);
        throw reason;
      });
    });
    await assert.rejects(work, /item 1 failed/);
    assert.deepEqual(started, [0, 1, 2]);
    assert.deepEqual(stopped, [0, 2]);
  });

  it('rejects with aborted when the signal of the caller fires', async () => {
    const controller = new AbortController();
    const work = mapInOrder([1, 2, 3], 2, controller.signal, (_item, _index, signal) => sleep(1e6, signal));
    controller.abort();
    assert.equal((await rejection(work)).code, 'aborted');
  });
});
