import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { captions } from '../../../nodes/output/captions.js';

/** Any text with at least one word, often with the markup and line breaks of WebVTT. */
const words = fc
  .tuple(pieces(), fc.constantFrom('x', 'seven'), pieces())
  .map(([before, word, after]) => before + word + after);

function pieces(): fc.Arbitrary<string> {
  const sign = fc.constantFrom('\n', '\r', '\r\n', '-->', '<b>', '&amp;', ' ');
  return fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), sign)).map((parts) => parts.join(''));
}

const spoken = fc
  .array(fc.record({ text: words, duration: fc.double({ min: 0.01, max: 4000, noNaN: true }) }), {
    maxLength: 8,
  })
  .map((pieces) => {
    let end = 0;
    return pieces.map(({ text, duration }) => {
      const start = end;
      end += duration;
      return { text, start, duration };
    });
  });

const TIMES = /^(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3}) --> (\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})$/;

/** Parses the cues of a WebVTT file: blocks separated by blank lines, with any of its three line endings. */
function parse(vtt: string): { start: number; end: number; lines: string[] }[] {
  const [header, ...blocks] = vtt
    .replaceAll(/\r\n|\r/g, '\n')
    .trimEnd()
    .split(/\n{2,}/);
  assert.equal(header, 'WEBVTT');
  return blocks.map((block) => {
    const [times = '', ...lines] = block.split('\n');
    const found = TIMES.exec(times);
    assert.ok(found, `no times of a cue: ${times}`);
    const [h = 0, m = 0, s = 0, ms = 0, ...rest] = found.slice(1).map(Number);
    const [h2 = 0, m2 = 0, s2 = 0, ms2 = 0] = rest;
    return {
      start: ((h * 60 + m) * 60 + s) * 1000 + ms,
      end: ((h2 * 60 + m2) * 60 + s2) * 1000 + ms2,
      lines,
    };
  });
}

describe('captions', () => {
  it('returns valid WebVTT with one cue per chunk for any text', () =>
    fc.assert(
      fc.property(spoken, (chunks) => {
        const cues = parse(captions(chunks));
        assert.equal(cues.length, chunks.length);
        for (const { lines } of cues) {
          assert.ok(lines.length > 0);
          assert.ok(lines.every((line) => !line.includes('-->') && !/[<>]/.test(line)));
        }
      }),
    ));

  it('starts no cue before the end of the previous cue', () =>
    fc.assert(
      fc.property(spoken, (chunks) => {
        let before = 0;
        for (const { start, end } of parse(captions(chunks))) {
          assert.ok(start >= before && end > start);
          before = end;
        }
      }),
    ));

  it('escapes the special characters of WebVTT and removes blank lines', () => {
    assert.equal(
      captions([{ text: 'a < b & c\r\r-->\nd', start: 3599.9996, duration: 1 }]),
      'WEBVTT\n\n01:00:00.000 --> 01:00:01.000\na &lt; b &amp; c\n--&gt;\nd\n',
    );
  });
});
