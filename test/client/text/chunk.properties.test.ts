import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, it } from 'mocha';
import { chunkText, cutText, isSpeakable } from '../../../client/text/chunk.js';
import { anyText } from '../../support/any-text.js';

const spaces = [
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\n\n',
  '\t',
  '\u00a0',
  '\u3000',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\v\f',
  '\u202f',
];
const graphemes = [
  '🇩🇪',
  '👩‍👩‍👧‍👦',
  '👍🏽',
  'e\u0301',
  'n\u0303\u0323',
  '각',
  '\u1112\u1161\u11ab',
  'क्षि',
  'நி',
  'ก็',
  '가',
  '漢',
  'ん',
  '한',
  'ß',
  '1️⃣',
  '\u200b',
  '\u200d',
  '\u200e',
  '\u202e',
  '\u00ad',
  '\0',
  '\u0600',
  '\u0301',
  '\ud83d',
  '\ude00',
  '\u0085',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
];
const tokens = [
  '3.14',
  '1,234.56',
  '12:30',
  '50 %',
  '5 km',
  '10–12',
  'Dr.',
  'e.g.',
  'U.S.',
  'J.',
  'z. B.',
  'No. 5',
  'https://example.com/a?b=c',
  'me@mail.example.com',
  '/usr/lib/x.Y',
  'word',
  'Longer',
  'a',
  'Extraordinarily',
  'don’t',
  'x—y',
  '«',
  '»',
  '"',
  '(',
  ')',
];
const marks = [
  '.',
  '!',
  '?',
  '...',
  '…',
  ',',
  ';',
  ':',
  ' – ',
  '—',
  '。',
  '、',
  '，',
  '！',
  '」',
  '「',
  '।',
  '؟',
  '،',
  '.”',
  '?!',
  '---',
];

const soup = fc
  .array(fc.oneof(...[spaces, graphemes, tokens, marks, tokens].map((list) => fc.constantFrom(...list))), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));
const text = fc.oneof(soup, soup, anyText({ maxLength: 80 }), fc.string({ unit: 'grapheme', maxLength: 60 }));
const maxLength = fc.oneof(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 2, max: 80 }));

const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

function check(property: fc.IProperty<[string, number]>): void {
  fc.assert(property, { numRuns: 400 });
}

describe('chunks of any text', () => {
  it('are never too long, never empty, and have no white space at their ends', () => {
    check(
      fc.property(text, maxLength, (text, maxLength) => {
        for (const chunk of chunkText(text, { maxLength })) {
          assert.ok(chunk.length <= maxLength && chunk.length > 0);
          assert.equal(chunk, chunk.trim());
        }
      }),
    );
  });

  it('omit only white space between them', () => {
    check(
      fc.property(text, maxLength, (text, maxLength) => {
        let from = 0;
        for (const chunk of cutText(text, { maxLength })) {
          assert.equal(text.slice(chunk.start, chunk.end), chunk.text);
          assert.equal(text.slice(from, chunk.start).trim(), '');
          from = chunk.end;
        }
        assert.equal(text.slice(from).trim(), '');
      }),
    );
  });

  it('never split a grapheme that fits, unless it begins with white space', () => {
    check(
      fc.property(text, maxLength, (text, maxLength) => {
        const chunks = cutText(text, { maxLength });
        for (const { index, segment } of graphemeSegmenter.segment(text)) {
          if (segment.length > maxLength || segment.trim() !== segment) continue;
          const [first, last] = [index, index + segment.length];
          for (const { start, end } of chunks) {
            assert.ok(
              !(start > first && start < last) && !(end > first && end < last),
              JSON.stringify(chunks),
            );
          }
        }
      }),
    );
  });

  it('never split a surrogate pair', () => {
    check(
      fc.property(text, maxLength, (text, maxLength) => {
        const points = chunkText(text, { maxLength }).flatMap((chunk) => Array.from(chunk));
        const expected = Array.from(text).filter((point) => point.trim() !== '');
        assert.deepEqual(
          points.filter((point) => point.trim() !== ''),
          expected,
        );
      }),
    );
  });

  it('stay unchanged if cut again, and are the same every time', () => {
    check(
      fc.property(text, maxLength, (text, maxLength) => {
        const chunks = chunkText(text, { maxLength });
        assert.deepEqual(chunkText(text, { maxLength }), chunks);
        for (const chunk of chunks) assert.deepEqual(chunkText(chunk, { maxLength }), [chunk]);
      }),
    );
  });

  it('never leave two neighbours that fit into one chunk', () => {
    check(
      fc.property(text, maxLength, (text, maxLength) => {
        const chunks = cutText(text, { maxLength });
        const pairs = chunks.slice(1).map((chunk, index) => chunk.end - (chunks[index]?.start ?? 0));
        for (const length of pairs) assert.ok(length > maxLength);
      }),
    );
  });
});

const word = fc.string({
  unit: fc.constantFrom(...'abdefghklmnorstuvw'.split('')),
  minLength: 2,
  maxLength: 9,
});
const sentence = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom('.', '!', '?', '.”', '...'))
  .map(([words, end]) => `Q${words.join(' ')}qq${end}`);
const sentences = fc.array(sentence, { minLength: 1, maxLength: 9 });

/** Returns all ways to group whole sentences into chunks of at most the maximum length, by brute force. */
function* packings(sentences: readonly string[], space: string, maxLength: number): Generator<number[]> {
  for (let cuts = 0; cuts < 2 ** (sentences.length - 1); cuts++) {
    const chunks = [[sentences[0]]];
    for (const [index, sentence] of sentences.slice(1).entries()) {
      if ((cuts >> index) & 1) chunks.push([sentence]);
      else chunks.at(-1)?.push(sentence);
    }
    const lengths = chunks.map((chunk) => chunk.join(space).length);
    if (Math.max(...lengths) <= maxLength) yield lengths;
  }
}

const unevenness = (lengths: readonly number[]): number =>
  lengths.reduce((sum, length) => sum + length * length, 0);

describe('whole sentences', () => {
  const check = (
    space: string,
    test: (chunks: string[], all: number[][], sentences: string[]) => void,
  ): void =>
    fc.assert(
      fc.property(sentences, fc.integer({ min: 0, max: 60 }), (sentences, extra) => {
        const maxLength = Math.max(...sentences.map(({ length }) => length)) + extra;
        const chunks = chunkText(sentences.join(space), { maxLength });
        test(chunks, [...packings(sentences, space, maxLength)], sentences);
      }),
      { numRuns: 150 },
    );

  for (const space of [' ', '\n', '\n\n', ' \r\n']) {
    it(`are never cut, and fill the fewest chunks, if separated by ${JSON.stringify(space)}`, () => {
      check(space, (chunks, all, sentences) => {
        assert.equal(chunks.length, Math.min(...all.map(({ length }) => length)));
        assert.deepEqual(
          chunks.flatMap((chunk) => chunk.split(space)),
          sentences.flatMap((sentence) => sentence.split(space)),
        );
        assert.ok(sentences.every((sentence) => chunks.some((chunk) => chunk.includes(sentence))));
      });
    });
  }

  it('are distributed as evenly as the fewest chunks allow', () => {
    check(' ', (chunks, all) => {
      const fewest = all.filter(({ length }) => length === chunks.length);
      assert.equal(unevenness(chunks.map(({ length }) => length)), Math.min(...fewest.map(unevenness)));
    });
  });
});

describe('a long sentence', () => {
  const words = fc.array(word, { minLength: 20, maxLength: 60 });

  it('is cut only between words, into the fewest chunks', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 10, max: 60 }), (words, maxLength) => {
        const chunks = chunkText(words.join(' '), { maxLength });
        assert.equal(chunks.join(' '), words.join(' '));
        let [pieces, length] = [1, -1];
        for (const word of words) {
          length += 1 + word.length;
          if (length > maxLength) [pieces, length] = [pieces + 1, word.length];
        }
        assert.equal(chunks.length, pieces);
      }),
    );
  });
});

describe('a text with letters', () => {
  const noise = fc.constantFrom('...', '!!!', '— — —', '🎉🎉', '?', '***', '\n\n---\n\n');

  it('has no chunk without a letter if no run of marks is longer than half a chunk', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(sentence, noise), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 30, max: 70 }),
        (parts, maxLength) => {
          const chunks = chunkText(parts.flat().join(' '), { maxLength });
          assert.ok(chunks.every(isSpeakable), JSON.stringify(chunks));
        },
      ),
    );
  });
});
