import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { pronounced, type Pronunciation } from '../../../client/text/pronunciation.js';
import { anyText } from '../../support/any-text.js';

const entry = (word: string, replacement: string, rest: Partial<Pronunciation> = {}): Pronunciation => ({
  word,
  replacement,
  ...rest,
});
const cases = (language: string, entries: Pronunciation[], expected: Record<string, string>) => {
  for (const [text, result] of Object.entries(expected))
    assert.equal(pronounced(text, language, entries), result);
};

describe('pronounced', () => {
  it('replaces whole words only', () => {
    cases('en', [entry('worb', 'wobb')], {
      'The worb.': 'The wobb.',
      'worb, "worb" (worb)-worb': 'wobb, "wobb" (wobb)-wobb',
      "a worb's lid": "a wobb's lid",
      'worbs, aworb, worb2, wórb, worb\u0301': 'worbs, aworb, worb2, wórb, worb\u0301',
    });
    cases('tr', [entry('Ankara', 'X')], { "Ankara'da": "X'da" });
    cases('fr', [entry('Herald', 'Hérold')], { "l'Herald": "l'Hérold" });
    cases('ru', [entry('кот', 'X')], { 'кот и котик': 'X и котик' });
  });

  it('finds words that begin or end with a mark', () => {
    const entries = [entry('C++', 'see plus plus'), entry('.NET', 'dot net'), entry('°C', 'degrees')];
    cases('en', entries, { 'C++, .NET and 5 °C': 'see plus plus, dot net and 5 degrees' });
  });

  it('finds words between the borders of the segmenter in Japanese and Thai', () => {
    cases('ja', [entry('初音ミク', 'はつねみく'), entry('Herald', 'ヘラルド')], {
      初音ミクはHeraldを使う: 'はつねみくはヘラルドを使う',
    });
    cases('ja', [entry('今', 'X')], { 今日は: '今日は', 今すぐ: 'Xすぐ' });
    cases('th', [entry('ไทย', 'X')], { ภาษาไทย: 'ภาษาX' });
  });

  it('finds Korean words with particles, but not inside longer words', () => {
    cases('ko', [entry('서울', 'X'), entry('Herald', '헤럴드')], {
      '서울에서 서울은 서울까지': 'X에서 X은 X까지',
      '서울대학교 나서울': '서울대학교 나서울',
      Herald는: '헤럴드는',
    });
  });

  it('ignores case unless the entry matches it', () => {
    cases('en', [entry('us', 'U S', { matchCase: true })], { 'us US Us': 'U S US Us' });
    cases('en', [entry('US', 'U S')], { 'us US Us': 'U S U S U S' });
    cases('de', [entry('ÄRZTE', 'X')], { 'Ärzte ärzte': 'X X' });
  });

  it('finds the Turkish capital İ in any case', () => {
    const entries = [{ word: 'İstanbul', replacement: 'X' }];
    for (const form of ['NFC', 'NFD'])
      assert.equal(pronounced('İstanbul ve İSTANBUL.'.normalize(form), 'tr', entries), 'X ve X.');
  });

  it('compares composed and decomposed letters as equal', () => {
    cases('fr', [entry('caf\u00e9', 'X')], { 'caf\u00e9 cafe\u0301': 'X X' });
    cases('fr', [entry('cafe\u0301', 'X')], { 'caf\u00e9 cafe\u0301': 'X X' });
  });

  it('applies an entry to its language only, before an entry for all languages', () => {
    const entries = [
      entry('chat', 'any'),
      entry('chat', 'french', { language: 'fr-CA' }),
      entry('die', 'D', { language: 'de' }),
    ];
    cases('fr', entries, { 'chat die': 'french die' });
    cases('de', entries, { 'chat die': 'any D' });
    cases('en', [entry('a', 'b', { language: '' })], { a: 'b' });
  });

  it('prefers the longest word, and does not replace inside a replacement', () => {
    cases('en', [entry('York', 'Jork'), entry('New York', 'New York City'), entry('City', 'X')], {
      'New York, York': 'New York City, Jork',
    });
    cases('en', [entry('a', 'b'), entry('b', 'a')], { 'a b a': 'b a b' });
  });

  it('uses the first of two equal entries', () => {
    cases('en', [entry('a', 'first'), entry('a', 'second')], { a: 'first' });
  });

  for (const [what, invalid, expected] of [
    ['without a word', { word: ' ', replacement: 'b' }, /pronunciations\.1\.word is " ": /],
    ['without a replacement', { word: 'b' }, /pronunciations\.1\.replacement is missing: enter a text/],
    ['with a number', { word: 5, replacement: 'b' }, /pronunciations\.1\.word is 5: enter a text/],
    [
      'with a language name',
      { word: 'b', replacement: 'c', language: 'German!' },
      /pronunciations\.1\.language /,
    ],
    [
      'with a case rule of the wrong type',
      { word: 'b', replacement: 'c', matchCase: 1 },
      /\.1\.matchCase is 1: /,
    ],
    ['that is null', null, /pronunciations\.1 is null: enter an object/],
  ] as const) {
    it(`rejects an entry ${what}, and names it`, () => {
      const entries: unknown[] = [entry('a', 'b'), invalid];
      const list: Pronunciation[] = Object.assign([], entries);
      assert.throws(() => pronounced('text', 'en', list), { code: 'bad-request', message: expected });
    });
  }
});

/** Words without common parts, so that replacements never form a word of the dictionary. */
const words = ['alpha', 'Beta', 'gämma', 'дельта', '6th'];
const dictionary = words.map((word, index) => entry(word, `<${index}>`));
const wordOrOther = fc.constantFrom(...words, 'alphabet', 'other', 'epsilon', '42');
const separator = fc.constantFrom(' ', ', ', '. ', '\n', ' - ', '…');
const tokens = fc.array(fc.tuple(wordOrOther, separator), { maxLength: 40 });

describe('pronounced, for any text', () => {
  it('replaces each word as if it were alone', () => {
    fc.assert(
      fc.property(tokens, (list) => {
        const text = list.flat().join('');
        const expected = list
          .map(([word, mark]) => (words.includes(word) ? `<${words.indexOf(word)}>` : word) + mark)
          .join('');
        assert.equal(pronounced(text, 'en', dictionary), expected);
      }),
    );
  });

  it('does not depend on the order of entries with different words', () => {
    fc.assert(
      fc.property(
        tokens,
        fc.shuffledSubarray(dictionary, { minLength: dictionary.length }),
        (list, shuffled) => {
          const text = list.flat().join('');
          assert.equal(pronounced(text, 'en', shuffled), pronounced(text, 'en', dictionary));
        },
      ),
    );
  });

  it('changes nothing if no word occurs, or if each word is its own replacement', () => {
    const same = words.map((word) => entry(word, word, { matchCase: true }));
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), tokens, (any, list) => {
        assert.equal(pronounced(any, 'ja', [entry('not-in-the-text', 'x')]), any);
        const text = list.flat().join('');
        assert.equal(pronounced(text, 'en', same), text);
      }),
    );
  });
});
