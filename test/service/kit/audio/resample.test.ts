import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { PieceResampler, resample, resampledLength } from '../../../../service/kit/audio/resample.js';

const rates = fc.constantFrom(8000, 16_000, 22_050, 24_000, 44_100, 48_000);
const sine = (hertz: number, rate: number, seconds: number) =>
  Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(16_000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );

describe('resample', () => {
  it('keeps a sine wave, apart from its ends', () => {
    fc.assert(
      fc.property(rates, rates, fc.integer({ min: 100, max: 3000 }), (from, to, hertz) => {
        const output = resample(sine(hertz, from, 0.1), from, to);
        const expected = sine(hertz, to, 0.1);
        const edge = Math.round(to / 100);
        for (let index = edge; index < expected.length - edge; index += 1) {
          const error = Math.abs((output[index] ?? 0) - (expected[index] ?? 0));
          assert.ok(error < 300, `${from} to ${to} Hz, ${hertz} Hz: ${error} at ${index}`);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('gives the samples of a whole sentence if the sentence arrives in pieces', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rates, rates, lengths, (from, to, all) => {
        const total = all.reduce((sum, length) => sum + length, 0);
        const sentence = sine(440, from, 1).subarray(0, total);
        const resampler = new PieceResampler(to);
        // The second sentence starts anew.
        for (let turn = 0; turn < 2; turn++) {
          let place = 0;
          const pieces = all.map((length, index) =>
            resampler.add(sentence.subarray(place, (place += length)), from, index < all.length - 1),
          );
          assert.deepEqual(
            pieces.flatMap((piece) => [...piece]),
            [...resample(sentence, from, to)],
          );
        }
      }),
    );
  });

  it('gives the same samples in parts', () => {
    fc.assert(
      fc.property(rates, rates, fc.array(fc.integer({ min: -32_768, max: 32_767 })), (from, to, list) => {
        const samples = Int16Array.from(list);
        const length = resampledLength(samples.length, from, to);
        const middle = Math.floor(length / 3);
        const parts = [resample(samples, from, to, 0, middle), resample(samples, from, to, middle, length)];
        assert.deepEqual(
          parts.flatMap((part) => [...part]),
          [...resample(samples, from, to)],
        );
      }),
    );
  });
});
