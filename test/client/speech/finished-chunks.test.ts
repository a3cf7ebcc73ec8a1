import assert from 'node:assert/strict';
import { type FinishedChunks, finishedPieces } from '../../../client/speech/finished-chunks.js';
import type { CachedSpoken } from '../../../client/cache/entry.js';

const request = (text: string) => ({ voice_id: 'v1', language: 'en', text, output_format: 'wav' as const });
const piece = (bytes: number): CachedSpoken => ({
  value: { audio: new Uint8Array(bytes), format: 'wav', mime: 'audio/wav', duration: 1 },
  bytes,
  cached: false,
});

describe('finishedPieces', () => {
  it('returns the reply of an equal request only', () => {
    const memory = finishedPieces(new Map());
    const spoken = piece(10);
    memory.set(2, request('a'), spoken);
    assert.equal(memory.get(2, request('a')), spoken);
    assert.equal(memory.get(2, request('b')), undefined);
    assert.equal(memory.get(1, request('a')), undefined);
  });

  it('keeps the earliest pieces up to the limit, also in a repeated call', () => {
    const finished: FinishedChunks = new Map();
    const memory = finishedPieces(finished, 25);
    for (const index of [0, 1, 2]) memory.set(index, request('a'), piece(10));
    memory.set(3, request('a'), piece(5));
    assert.deepEqual([...finished.keys()], [0, 1, 3]);
    finishedPieces(finished, 25).set(4, request('a'), piece(1));
    assert.deepEqual([...finished.keys()], [0, 1, 3]);
  });

  it('replaces the piece of a changed request', () => {
    const memory = finishedPieces(new Map(), 10);
    memory.set(0, request('a'), piece(10));
    const changed = piece(9);
    memory.set(0, request('b'), changed);
    assert.equal(memory.get(0, request('b')), changed);
    memory.set(1, request('c'), piece(1));
    assert.ok(memory.get(1, request('c')));
  });
});
