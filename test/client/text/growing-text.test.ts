import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cutGrowingText } from '../../../client/text/growing-text.js';
import { cutSentences } from '../../../client/text/sentence-cuts.js';

/** Returns the sentences that are complete before the text ends. */
const complete = (text: string, language = 'en') => cutGrowingText(text, { language }).sentences;

describe('cutGrowingText', () => {
  it('cuts a sentence off as soon as white space follows its full stop', () => {
    assert.deepEqual(cutGrowingText('It is late. '), { sentences: ['It is late.'], rest: '' });
    assert.deepEqual(complete('"Go!" Wow? Now it'), ['"Go!"', 'Wow?']);
  });

  it('cuts a sentence off at its full stop in a script without spaces', () => {
    assert.deepEqual(complete('今日は晴れです。', 'ja'), ['今日は晴れです。']);
  });

  it('waits at a place that may be inside a sentence', () => {
    for (const text of ['It is 21.', 'Dr. ', 'The U.S. ', 'One line\n', 'No end', '... ', '   ', '']) {
      assert.deepEqual(cutGrowingText(text), { sentences: [], rest: text });
    }
    assert.deepEqual(complete('Am 3. ', 'de'), []);
  });

  it('ends a sentence at the end of a paragraph', () =>
    assert.deepEqual(complete('A title\n\n'), ['A title']));

  it('cuts a sentence that is too long before its end', () => {
    const { sentences, rest } = cutGrowingText('word '.repeat(70));
    assert(sentences.length > 0 && sentences.every(({ length }) => length <= 300) && rest.length <= 300);
  });

  it('ends a sentence at the same places as one expression for all ends', () => {
    // Defines the ends. Its backtracking takes cubic time.
    const openEnd = /(?:\n\s*\n|[.!?…؟।॥][\p{Pe}\p{Pf}"']*\s|[。．！？｡][\p{Pe}\p{Pf}"']*)\s*$/u;
    const text = fc.string({
      unit: fc.constantFrom('\n', '\r', ' ', '\u00a0', '.', '。', '"', '»', ')', 'x', 'A'),
      maxLength: 8,
    });
    const property = fc.property(text, (end) => {
      const text = `It is late. Go home${end}`;
      const expected = cutSentences(openEnd.test(text) ? `${text}A` : text).slice(0, -1);
      assert.deepEqual(
        complete(text),
        expected.map((sentence) => sentence.text),
      );
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('keeps paragraphs and words apart in long white space', () => {
    assert.deepEqual(complete(`A title${' '.repeat(50)}\n${'\t'.repeat(50)}\n\n`), ['A title']);
    assert.deepEqual(cutGrowingText(`One${' '.repeat(50)}line\n`).rest, 'One line\n');
  });

  it('returns a short rest, however much white space arrives', () => {
    for (const space of [' ', '\n', '\r\n', '\u00a0', '\u2029', ' \n']) {
      let text = 'One';
      for (let part = 0; part < 50; part += 1) text = cutGrowingText(text + space.repeat(20)).rest;
      assert.ok(text.length < 20, `${JSON.stringify(space)} leaves ${text.length} code units`);
    }
  });

  it('loses and adds no word, however the text arrives', () => {
    const words = fc.array(fc.constantFrom('Hello', 'Dr.', '21.', 'end.', '好。', 'Oh!', '\n\n', '…'), {
      maxLength: 40,
    });
    const property = fc.property(words, fc.integer({ min: 1, max: 9 }), (list, size) => {
      const text = list.join(' ');
      const spoken: string[] = [];
      let pending = '';
      for (let start = 0; start < text.length; start += size) {
        const { sentences, rest } = cutGrowingText(pending + text.slice(start, start + size));
        spoken.push(...sentences);
        pending = rest;
      }
      const letters = (all: string) => all.replace(/\s/g, '');
      assert.equal(letters([...spoken, pending].join('')), letters(text));
    });
    fc.assert(property, { numRuns: 300 });
  });
});
