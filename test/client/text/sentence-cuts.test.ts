import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { cutSentences } from '../../../client/text/sentence-cuts.js';

const sentences = (text: string, language = 'en') =>
  cutSentences(text, { language }).map((chunk) => chunk.text);

describe('cutSentences', () => {
  it('go on after the end of a line, unless a list or a paragraph begins', () => {
    assert.deepEqual(sentences('The talk was given by\nJohn Smith. Es geht um\r\nTüren.'), [
      'The talk was given by\nJohn Smith.',
      'Es geht um\r\nTüren.',
    ]);
    assert.deepEqual(sentences('To buy:\n- milk\n- eggs\n\nSoon'), ['To buy:', '- milk', '- eggs', 'Soon']);
    assert.deepEqual(sentences('He said "no."\nShe left.'), ['He said "no."', 'She left.']);
  });

  it('makes each sentence and each paragraph a chunk', () => {
    assert.deepEqual(sentences('One. Two? Dr. Three, e.g. four!\n\nA title\n\nFive.'), [
      'One.',
      'Two?',
      'Dr. Three, e.g. four!',
      'A title',
      'Five.',
    ]);
    assert.deepEqual(sentences('今日は。明日は？', 'ja'), ['今日は。', '明日は？']);
  });

  it('cuts a sentence that is longer than one request', () => {
    const long = `Long ${'goes on and on, '.repeat(30)}to its end.`;
    const chunks = sentences(`One. ${long} Two.`);
    assert.ok(chunks.length > 3 && chunks.every(({ length }) => length <= 300));
    assert.deepEqual([chunks[0], chunks.at(-1)], ['One.', 'Two.']);
  });

  it('joins a sentence without a letter or digit to the one before it', () =>
    assert.deepEqual(sentences('One.\n\n…\n\nTwo.'), ['One.\n\n…', 'Two.']));

  it('keeps the offsets in the text', () => {
    const tokens = fc.constantFrom('word', 'end.', 'yes,', 'no!', '\n\n', ' ', '日本。', '…');
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 100 }), (list) => {
        const text = list.join(' ');
        const chunks = cutSentences(text, { language: 'en' });
        assert.ok(chunks.every((chunk) => chunk.text === text.slice(chunk.start, chunk.end)));
        assert.equal(
          chunks
            .map((chunk) => chunk.text)
            .join('')
            .replace(/\s/g, ''),
          text.replace(/\s/g, ''),
        );
      }),
    );
  });
});
