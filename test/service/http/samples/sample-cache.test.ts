import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { SampleCache } from '../../../../service/http/samples/sample-cache.js';
import { usedHeap } from '../../../support/heap.js';

const LIMIT = 1000;

describe('SampleCache', () => {
  /** Gets a sample. Returns whether the cache created it. */
  async function isCreatedFor(cache: SampleCache, name: string, bytes = 100): Promise<boolean> {
    let created = false;
    const sample = await cache.get(name, async () => {
      created = true;
      return Buffer.alloc(bytes);
    });
    assert.equal(sample.length, bytes);
    return created;
  }

  it('creates a sample once for 50 concurrent requests', async () => {
    const cache = new SampleCache();
    const results = await Promise.all(Array.from({ length: 50 }, async () => isCreatedFor(cache, 'a')));
    assert.equal(results.filter((created) => created).length, 1);
    assert.equal(await isCreatedFor(cache, 'a'), false);
  });

  it('does not cache a failure', async () => {
    const cache = new SampleCache();
    await assert.rejects(
      cache.get('a', async () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(await isCreatedFor(cache, 'a'), true);
  });

  it('keeps the most recently used samples', async () => {
    const cache = new SampleCache(LIMIT);
    for (const name of [...'abcdefghij'.split(''), 'a', 'k']) await isCreatedFor(cache, name);
    assert.equal(await isCreatedFor(cache, 'a'), false);
    assert.equal(await isCreatedFor(cache, 'b'), true);
  });

  it('never exceeds its limit', async () => {
    const requests = fc.array(fc.record({ name: fc.nat(20), bytes: fc.integer({ min: 1, max: 1200 }) }));
    const property = fc.asyncProperty(requests, async (samples) => {
      const cache = new SampleCache(LIMIT);
      const sizes = new Map<string, number>();
      for (const { name, bytes } of samples) {
        const known = `${name}-${bytes}`;
        sizes.set(known, bytes);
        await isCreatedFor(cache, known, bytes);
      }
      let kept = 0;
      for (const [name, bytes] of sizes) {
        const created = await cache
          .get(name, async () => Promise.reject(new Error('not cached')))
          .then(
            () => false,
            () => true,
          );
        if (!created) kept += bytes;
      }
      assert.ok(kept <= LIMIT, `${kept} bytes`);
    });
    await fc.assert(property);
  });

  it('uses constant memory for ten times its limit', async () => {
    const cache = new SampleCache();
    const bytes = 150_000;
    const round = async (name: string) => {
      for (let index = 0; index < 100; index++) await isCreatedFor(cache, `${name}-${index}`, bytes);
    };
    const usedBytes = () => {
      usedHeap();
      return process.memoryUsage().arrayBuffers;
    };
    await round('first');
    const before = usedBytes();
    for (let index = 0; index < 7; index++) await round(`more-${index}`);
    const after = usedBytes();
    assert.ok(after - before < 10 * bytes, `${after - before} bytes more`);
  });
});
