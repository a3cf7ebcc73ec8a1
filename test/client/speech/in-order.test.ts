import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { inOrder, mapInOrder } from '../../../client/speech/in-order.js';
import { sleep } from '../../../client/base/abort.js';
import { rejection } from '../../support/rejection.js';

describe('inOrder', () => {
  it('returns results in the order of the items and runs at most `concurrency` at a time', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 5 }),
        async (items, concurrency) => {
          let running = 0;
          let most = 0;
          const results = await mapInOrder(items, { concurrency }, async (item, index) => {
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

  it('aborts the items after a failure, yields the results before it, and throws when all have ended', async () => {
    const ended: string[] = [];
    const items = inOrder([0, 1, 2, 3, 4, 5], { concurrency: 4 }, async (item, _index, signal) => {
      if (item === 1) throw new Error('item 1 failed');
      await (item === 0 ? delay(20) : sleep(1e6, signal)).catch(async (reason: unknown) => {
        await delay(5);
        ended.push(`${item} aborted`);
        throw reason;
      });
      ended.push(`${item} done`);
      return item;
    });
    assert.deepEqual(await items.next(), { done: false, value: 0 });
    await assert.rejects(items.next(), /item 1 failed/);
    assert.deepEqual(ended, ['2 aborted', '3 aborted', '0 done']);
  });

  it('starts no item while 2 x `concurrency` results wait for the caller', async () => {
    let started = 0;
    const numbers = inOrder(Array.from({ length: 20 }).fill(0), { concurrency: 2 }, async () => ++started);
    await numbers.next();
    await delay(10);
    assert.equal(started, 5);
    await numbers.next();
    await delay(10);
    assert.equal(started, 6);
    await numbers.return();
    assert.equal(started, 6);
  });

  it('aborts all items, and waits for their end, if the caller stops reading', async () => {
    const ended: number[] = [];
    const work = inOrder([0, 1, 2, 3], { concurrency: 3 }, async (item, _index, signal) => {
      if (item > 0) await sleep(1e6, signal).finally(() => ended.push(item));
      return item;
    });
    for await (const _first of work) break;
    assert.deepEqual(ended, [1, 2, 3]);
  });

  it('rejects with aborted when the signal of the caller fires', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const work = mapInOrder([1, 2, 3], { concurrency: 2, signal }, (_item, _index, own) => sleep(1e6, own));
    controller.abort();
    assert.equal((await rejection(work)).code, 'aborted');
  });
});
