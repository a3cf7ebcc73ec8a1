import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { SampleCache } from '../../../service/voices/sample-cache.js';
import { usedHeap } from '../../support/heap.js';

const LIMIT = 1000;

describe('the cache of samples', () => {
  /** Hears a sample; tells whether it had to be made. */
  async function hear(cache: SampleCache, name: string, bytes = 100): Promise<boolean> {
    let isMade = false;
    const sample = await cache.get(name, async () => {
      isMade = true;
      return Buffer.alloc(bytes, name);
    });
    assert.equal(sample.length, bytes);
    return isMade;
  }

  it('makes a sample once, also for many who ask at the same time', async () => {
    const cache = new SampleCache();
    const asked = await Promise.all(Array.from({ length: 50 }, async () => hear(cache, 'a')));
    assert.equal(asked.filter((isMade) => isMade).length, 1);
    assert.equal(await hear(cache, 'a'), false);
  });

  it('keeps no failure', async () => {
    const cache = new SampleCache();
    await assert.rejects(
      cache.get('a', async () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await hear(cache, 'a'), true);
  });

  it('keeps those that were heard last', async () => {
    const cache = new SampleCache(LIMIT);
    for (const name of [...'abcdefghij'.split(''), 'a', 'k']) await hear(cache, name);
    assert.equal(await hear(cache, 'a'), false);
    assert.equal(await hear(cache, 'b'), true);
  });

  it('never keeps more than its bound, whatever is heard', async () => {
    const heard = fc.array(fc.record({ name: fc.nat(20), bytes: fc.integer({ min: 1, max: 1200 }) }));
    const property = fc.asyncProperty(heard, async (samples) => {
      const cache = new SampleCache(LIMIT);
      const sizes = new Map<string, number>();
      for (const { name, bytes } of samples) {
        const known = `${name}-${bytes}`;
        sizes.set(known, bytes);
        await hear(cache, known, bytes);
      }
      let kept = 0;
      for (const [name, bytes] of sizes) {
        const isMade = await cache
          .get(name, async () => Promise.reject(new Error('gone')))
          .then(
            () => false,
            () => true,
          );
        if (!isMade) kept += bytes;
      }
      assert.ok(kept <= LIMIT, `${kept} bytes`);
    });
    await fc.assert(property);
  });

  it('leaves the memory as it is over ten times its bound', async () => {
    const cache = new SampleCache();
    const bytes = 150_000;
    const round = async (name: string) => {
      for (let index = 0; index < 100; index++) await hear(cache, `${name}-${index}`, bytes);
      usedHeap();
      return process.memoryUsage().arrayBuffers;
    };
    const before = await round('first');
    for (let index = 0; index < 6; index++) await round(`more-${index}`);
    const after = await round('last');
    assert.ok(after - before < 10 * bytes, `${after - before} bytes more`);
  });
});
