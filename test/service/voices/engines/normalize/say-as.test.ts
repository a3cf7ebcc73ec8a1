import assert from 'node:assert/strict';
import { normalizedLanguages } from '../../../../../service/voices/engines/normalize/normalize-text.js';
import { readPart, withWays } from '../../../../../service/voices/engines/normalize/reading.js';
import type { SayAs } from '@herald-speech/client';

/** Language, way, text, words. */
const READINGS: ReadonlyArray<readonly [tag: string, as: SayAs, text: string, words: string]> = [
  ['en', 'telephone', '0800 123 456', 'zero eight zero zero, one two three, four five six'],
  ['en', 'telephone', '+49 30', 'plus four nine, three zero'],
  ['fr', 'telephone', '01 23', 'zéro un, vingt-trois'],
  ['en', 'digits', '4711-A2', 'four seven one one, A two'],
  ['de', 'digits', '007', 'null null sieben'],
  ['en', 'characters', 'Ab3@x', 'A B three at X'],
  ['es', 'characters', 'x_1', 'X guion bajo uno'],
  ['en', 'date', '3/4', 'March fourth'],
  ['en-GB', 'date', '3/4', 'the third of April'],
  ['en-GB', 'date', '3/4/2026', 'the third of April twenty twenty-six'],
  ['en-PH', 'date', '3/4', 'March fourth'],
  ['en-GB', 'cardinal', '101', 'one hundred and one'],
  ['pt-PT', 'cardinal', '16', 'dezasseis'],
  ['fr-CH', 'cardinal', '75', 'septante-cinq'],
  ['en', 'date', '20260403', 'April third, twenty twenty-six'],
  ['en', 'date:dmy', '3/4/26', 'April third, twenty twenty-six'],
  ['en', 'date:ymd', '04-03', 'April third'],
  ['de', 'date', '3/4', 'dritter April'],
  ['de', 'date', '13/13', '13/13'],
  ['en', 'time', '1430', 'fourteen thirty'],
  ['en', 'time', '7 PM', 'seven PM'],
  ['de', 'time', '2:30 pm', 'vierzehn Uhr dreißig'],
  ['ko', 'time', '2:30', '두 시 삼십 분'],
  ['en', 'ordinal', '3rd', 'third'],
  ['de', 'ordinal', '3', 'dritte'],
  ['en', 'cardinal', '2024', 'two thousand twenty-four'],
  ['en', 'cardinal', '-0042', 'minus forty-two'],
  ['es', 'cardinal', '1.204', 'mil doscientos cuatro'],
  ['en', 'currency', '€1,204.50', 'one thousand two hundred four euros and fifty cents'],
  ['en', 'currency', '12.50', 'twelve point five zero'],
  ['en', 'unit', '5 in', 'five inches'],
  ['de', 'unit', '5 in', 'fünf Zoll'],
  ['en', 'unit', '5 km/h', 'five kilometers per hour'],
  ['en', 'ordinal', 'none', 'none'],
  ['en', 'telephone', 'none', 'none'],
  ['no', 'digits', '42', '4 2'],
  ['no', 'date', '3/4', '3/4'],
];

describe('a part with a way to say it', () => {
  for (const [tag, as, text, words] of READINGS) {
    it(`reads ${as} "${text}" in ${tag} as "${words}"`, () => {
      assert.equal(readPart({ text, as }, tag), words);
    });
  }

  it('follows the word before it', () => {
    assert.equal(
      withWays('Termin am <say-as interpret-as="date">3.4.</say-as>, 5 km', 'de'),
      'Termin am dritten April, 5 km',
    );
  });

  it('reads digits, a date, a time and an ordinal without figures in every language but Japanese', () => {
    const parts = [
      ['digits', '4711'],
      ['telephone', '0800 123 456'],
      ['characters', 'A1'],
      ['date', '3.4.2026'],
      ['time', '14:30'],
      ['cardinal', '2024'],
    ] as const;
    for (const language of normalizedLanguages.filter((code) => code !== 'ja')) {
      for (const [as, text] of parts)
        assert.doesNotMatch(readPart({ text, as }, language), /\p{N}/u, `${language} ${as}`);
    }
  });

  it('takes no time for the language of each of many parts', () => {
    const text = '<say-as interpret-as="digits">4</say-as> '.repeat(20_000);
    assert.equal(withWays(text, 'en-GB'), 'four '.repeat(20_000));
  }).timeout(10_000);

  it('takes linear time for any text', () => {
    for (const text of [
      '0'.repeat(100_000),
      '3/'.repeat(50_000),
      ' '.repeat(100_000),
      'in '.repeat(30_000),
    ]) {
      for (const [, as] of READINGS) readPart({ text, as }, 'en');
    }
  });
});
