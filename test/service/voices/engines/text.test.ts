import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { toIpa } from '../../../../service/voices/engines/flite/arpabet.js';
import { fliteSentences, toFliteText } from '../../../../service/voices/engines/flite/text.js';
import { anyText } from '../../../support/any-text.js';

describe('toFliteText', () => {
  const cases = [
    ['Café Zoë', 'Cafe Zoe'],
    ['Straße Łódź smørrebrød', 'Strasse Lodz smorrebrod'],
    ['“It’s” …', '"It\'s" ...'],
    ['one – two', 'one, two'],
    ['½', '1/2'],
    ['€5.50', '5.50 euros '],
    ['20 °C', '20  degrees Celsius '],
    ['１２３', '123'],
  ] as const;
  for (const [text, readable] of cases) {
    it(`converts ${text} to ${readable}`, () => assert.equal(toFliteText(text), readable));
  }

  it('leaves only printable ASCII and line breaks', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        assert.match(toFliteText(text), /^[\x20-\x7e\n]*$/);
      }),
    );
  });
});

describe('fliteSentences', () => {
  const cases: Array<[string, string[]]> = [
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. Who met Mrs. X. They left.', ['Dr. Who met Mrs. X. They left.']],
    ['He said "no." Then he left.', ['He said "no."', 'Then he left.']],
    ['line one\nline two', ['line one', 'line two']],
    ['Version 3.5 is out', ['Version 3.5 is out']],
    ['... ! ?', []],
  ];
  for (const [text, sentences] of cases) {
    it(`finds ${sentences.length} in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(fliteSentences(text), sentences));
  }

  it('cuts a sentence of many digits, because each digit is a word', () => {
    const parts = fliteSentences('9'.repeat(300));
    assert.ok(parts.length > 3);
    assert.equal(parts.join(''), '9'.repeat(300));
  });

  it('does not cut a sentence of 240 letters and spaces', () => {
    assert.equal(fliteSentences('plain words '.repeat(20)).length, 1);
  });

  it('keeps every letter and digit', () => {
    const letters = (text: string) => text.replace(/[^A-Za-z0-9]/g, '');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        assert.equal(letters(fliteSentences(text).join('')), letters(text));
      }),
    );
  });
});

describe('toIpa', () => {
  it('converts vowels, consonants and stress', () => {
    assert.deepEqual(['hh', 'ax', 'l', 'ow1', 'ah2', 'ih0'].map(toIpa), ['h', 'ə', 'l', 'ˈoʊ', 'ˌʌ', 'ɪ']);
  });

  it('converts a pause to the empty symbol', () => assert.equal(toIpa('pau'), ''));
});
