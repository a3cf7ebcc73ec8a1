import assert from 'node:assert/strict';
import { EdgeCutter, endedAt, placed } from '../../../../../service/voices/engines/neural/edges.js';

const RATE = 1000;
const EDGES = { before: 0.05, after: 0.35 };

/** Samples at 1,000 hertz: milliseconds of silence and of sound in turn. */
function audio(...lengths: number[]): Float32Array {
  return Float32Array.from(
    lengths.flatMap((length, index) => Array.from({ length }, () => (index % 2 === 0 ? 0.0005 : 0.5))),
  );
}

/** Returns the milliseconds of silence and of sound in turn. */
function lengthsOf(samples: Float32Array): number[] {
  const lengths = [0];
  samples.forEach((sample, place) => {
    const isSound = (value = 0) => Math.abs(value) > 0.1;
    if (isSound(sample) !== (lengths.length % 2 === 0)) lengths.push(0);
    lengths.splice(-1, 1, (lengths.at(-1) ?? 0) + 1);
    assert.ok(place >= 0);
  });
  return lengths;
}

/** Returns the audio of a cutter that gets parts of some milliseconds. */
function cut(samples: Float32Array, size = samples.length) {
  const cutter = new EdgeCutter(EDGES, RATE);
  const all: number[] = [];
  for (let start = 0; start < samples.length; start += size) {
    all.push(...cutter.add(samples.subarray(start, start + size), start + size >= samples.length));
  }
  return { samples: Float32Array.from(all), shift: cutter.shift };
}

describe('the silence around a natural sentence', () => {
  it('is the same, whatever the model adds', () => {
    for (const [before, after] of [
      [0, 0],
      [20, 130],
      [400, 900],
    ] as const) {
      const { samples, shift } = cut(audio(before, 200, 300, 100, after));
      assert.deepEqual(lengthsOf(samples), [50, 200, 300, 100, 350]);
      assert.equal(shift, 50 - before);
    }
  });

  it('does not depend on the parts in which the audio arrives', () => {
    const samples = audio(310, 200, 300, 100, 700);
    for (const size of [1, 7, 100, 350, 1000]) assert.deepEqual(cut(samples, size), cut(samples));
  });

  it('stays as it is in a sentence without sounds', () => {
    assert.equal(cut(audio(500), 100).samples.length, 500);
  });

  it('keeps a quiet sound, and waits for no sound that follows', () => {
    const quiet = Float32Array.from(audio(200, 100, 10), (sample) => (sample > 0.1 ? 0.02 : 0));
    assert.equal(cut(quiet).shift, -150);
    assert.equal(new EdgeCutter(EDGES, RATE).add(audio(10, 100), false).length, 150);
  });

  it('moves the phonemes with the sounds', () => {
    const phonemes = [
      { symbol: '', start: 0, duration: 0.4 },
      { symbol: 'a', start: 0.4, duration: 0.2 },
      { symbol: '', start: 0.6, duration: 0.9 },
    ];
    const rounded = (moved: typeof phonemes) =>
      moved.map(({ symbol, start, duration }) => [symbol, start.toFixed(3), duration.toFixed(3)]);
    assert.deepEqual(rounded(endedAt(placed(phonemes, -0.35, 1), 0.6)), [
      ['', '0.000', '0.050'],
      ['a', '0.050', '0.200'],
      ['', '0.250', '0.350'],
    ]);
    assert.deepEqual(rounded(endedAt(placed(phonemes.slice(1, 2), 0.05, 2), 1.5)), [
      ['', '0.000', '0.900'],
      ['a', '0.900', '0.400'],
      ['', '1.300', '0.200'],
    ]);
  });
});
