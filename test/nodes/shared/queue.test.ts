import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { createQueue } from '../../../nodes/shared/queue.js';

/** Each work takes some turns of the event loop. */
const works = fc.array(fc.nat(4), { maxLength: 30 });

describe('the queue of a node', () => {
  it('does each work once, in order, one at a time', () =>
    fc.assert(
      fc.asyncProperty(works, async (turns) => {
        const queue = createQueue();
        const log: string[] = [];
        for (const [index, count] of turns.entries()) {
          queue.add(async () => {
            log.push(`${index} begins`);
            for (let turn = 0; turn < count; turn += 1) await nextTurn();
            log.push(`${index} ends`);
          });
        }
        await queue.idle();
        assert.deepEqual(
          log,
          turns.flatMap((_, index) => [`${index} begins`, `${index} ends`]),
        );
        assert.equal(queue.size, 0);
      }),
      { numRuns: 30 },
    ));

  it('refuses what is one too many, and takes more when some are done', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(5), fc.integer({ min: 1, max: 5 }), async (maxWaiting, more) => {
        const queue = createQueue(maxWaiting);
        let ran = 0;
        const work = async () => {
          await nextTurn();
          ran += 1;
        };
        const taken = Array.from({ length: maxWaiting + 1 + more }, () => queue.add(work));
        assert.equal(taken.filter(Boolean).length, maxWaiting + 1);
        await queue.idle();
        assert.equal(ran, maxWaiting + 1);
        assert.ok(queue.add(work));
        await queue.idle();
      }),
      { numRuns: 30 },
    ));

  it('is not idle before what was added meanwhile is done', async () => {
    const queue = createQueue();
    let later = false;
    queue.add(async () => {
      await nextTurn();
      queue.add(async () => {
        await nextTurn();
        later = true;
      });
    });
    await queue.idle();
    assert.ok(later);
  });
});
