import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Clips } from '../../../nodes/runtime/clips.js';

const clip = (bytes: number) => ({ audio: new Uint8Array(bytes), mime: 'audio/wav' });

describe('Clips', () => {
  it('holds at most `maxBytes` bytes, or one larger clip', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.array(fc.nat(150)), (maxBytes, sizes) => {
        const clips = new Clips(maxBytes);
        const names: string[] = [];
        for (const size of sizes) {
          names.push(clips.store(clip(size)));
          const held = names.flatMap((name) => clips.find(name) ?? []);
          const bytes = held.reduce((sum, { audio }) => sum + audio.length, 0);
          assert.ok(bytes <= maxBytes || held.length === 1);
          assert.equal(held.at(-1)?.audio.length, size);
        }
      }),
    ));

  it('drops the oldest clips first', () =>
    fc.assert(
      fc.property(fc.array(fc.nat(60), { minLength: 1 }), (sizes) => {
        const clips = new Clips(100);
        const names = sizes.map((size) => clips.store(clip(size)));
        const held = names.map((name) => clips.find(name) !== undefined);
        assert.ok(held.at(-1));
        assert.deepEqual(
          held,
          held.toSorted((one, other) => Number(one) - Number(other)),
        );
      }),
    ));

  it('gives each clip a different name of at least 32 characters', () => {
    const clips = new Clips();
    const names = new Set(Array.from({ length: 100 }, () => clips.store(clip(1))));
    assert.equal(names.size, 100);
    assert.ok([...names].every((name) => name.length >= 32));
  });

  it('frees the space of a removed clip, and ignores an unknown name', () => {
    const clips = new Clips(100);
    const [first, second] = [clips.store(clip(60)), clips.store(clip(40))];
    clips.remove(second);
    clips.remove(second);
    assert.equal(clips.find(second), undefined);
    clips.store(clip(40));
    assert.ok(clips.find(first));
  });
});
