import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { boundaries, createSegmenter } from '../../../client/text/boundaries.js';

const parts = [
  'Well, ',
  'e\u0301',
  '👩‍👩‍👧‍👦',
  'สวัสดีครับวันนี้',
  '漢字',
  'word ',
  'Dr. Smith ',
  'Yes. ',
  'ก็',
  '\r\n',
  '... ',
  '3.14',
];

describe('boundaries', () => {
  for (const granularity of ['grapheme', 'word', 'sentence'] as const) {
    it(`finds the same ${granularity} boundaries in windows as in the whole text`, () => {
      const segmenter = createSegmenter('en', granularity);
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom(...parts), { minLength: 400, maxLength: 700 }),
          fc.nat(50),
          (list, skip) => {
            const text = list.join('');
            const span = { start: 0, end: text.length - skip };
            const whole = Array.from(segmenter.segment(text.slice(0, span.end)), ({ index }) => index);
            assert.deepEqual([...boundaries(segmenter, text, span)], whole.slice(1));
          },
        ),
        { numRuns: 30 },
      );
    });
  }
});
