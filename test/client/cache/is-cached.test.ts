import assert from 'node:assert/strict';
import { AudioStore } from '../../../client/cache/audio-store.js';
import type { CachedSpoken } from '../../../client/cache/entry.js';
import { Flights } from '../../../client/calls/flights.js';
import { createPieceCache } from '../../../client/cache/piece-cache.js';
import { rejection } from '../../support/rejection.js';
import { speechOf } from './support.js';
import { useFolder } from '../../support/folder.js';

const request = { voice_id: 'v1', text: 'Dinner is ready.', language: 'en' };

describe('isCached', () => {
  const folder = useFolder();
  const open = () => {
    const store = new AudioStore(folder(), 256_000_000);
    const opened = { store, flights: new Flights<CachedSpoken>(), release: () => store.close() };
    return createPieceCache(opened, 'http://service', 'kitchen');
  };

  it('is true while an equal request runs and after it, and false for another request', async () => {
    const cache = open();
    assert.equal(await cache.isCached(request), false);
    let finish = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const speaking = cache.speak(request, {}, async () => {
      await waiting;
      return speechOf(0.1);
    });
    assert.equal(await cache.isCached(request), true);
    finish();
    await speaking;
    assert.equal(await cache.isCached(request), true);
    assert.equal(await cache.isCached({ ...request, text: 'Breakfast is ready.' }), false);
    await cache.close();
    const reopened = open();
    assert.equal(await reopened.isCached(request), true);
    await reopened.close();
  });

  it('rejects with the reason of its signal', async () => {
    const cache = open();
    assert.equal((await rejection(cache.isCached(request, AbortSignal.abort()))).code, 'aborted');
    await cache.close();
  });
});

describe('a shared request', () => {
  const folder = useFolder();

  it('reports its progress to all callers', async () => {
    const store = new AudioStore(folder(), 256_000_000);
    const opened = { store, flights: new Flights<CachedSpoken>(), release: () => store.close() };
    const [one, other] = ['one', 'other'].map((name) => createPieceCache(opened, 'http://service', name));
    assert.ok(one && other);
    const seen: string[] = [];
    const call = (name: string, cache: typeof one) =>
      cache.speak(
        request,
        { onProgress: ({ state }) => seen.push(`${name} ${state}`) },
        async ({ onProgress }) => {
          onProgress({ state: 'sending' });
          return speechOf(0.1);
        },
      );
    await Promise.all([call('one', one), call('other', other)]);
    assert.deepEqual(seen, ['one sending', 'other sending']);
    await one.close();
  });
});
