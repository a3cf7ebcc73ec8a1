import assert from 'node:assert/strict';
import {
  languageOfTag,
  normalizeText,
} from '../../../../../service/voices/engines/normalize/normalize-text.js';

const readings: ReadonlyArray<readonly [tag: string, written: string, read: string]> = [
  ['en-US', '3/4/2026', 'March fourth, twenty twenty-six'],
  ['en-GB', '3/4/2026', 'the third of April twenty twenty-six'],
  ['en-IN', '3/4/2026', 'the third of April twenty twenty-six'],
  ['en-GB', '£1,204.50', 'one thousand two hundred and four pounds and fifty pence'],
  ['en-US', '1,204', 'one thousand two hundred four'],
  ['en-IN', '₹12,50,000', 'twelve lakh fifty thousand rupees'],
  ['en-US', '14:30, 21:00, 0:05', 'two thirty PM, nine PM, twelve oh five AM'],
  ['en-GB', '14:30', 'fourteen thirty'],
  ['en-AU', '$5', 'five dollars'],
  ['es-ES', '1.204 y $5', 'mil doscientos cuatro y cinco dólares'],
  ['es-MX', '1,204 y $5', 'mil doscientos cuatro y cinco pesos'],
  ['es-PR', '3/4/2026', 'cuatro de marzo de dos mil veintiséis'],
  ['pt-BR', '16 km', 'dezesseis quilômetros'],
  ['pt-PT', '16 km', 'dezasseis quilómetros'],
  ['pt-PT', '1,20 €', 'um euro e vinte cêntimos'],
  ['fr-CA', '75', 'soixante-quinze'],
  ['fr-CH', '75', 'septante-cinq'],
  ['fr-CH', '71 euros, 81', 'septante-et-un euros, huitante-et-un'],
  ['fr-BE', '71 euros, 81 euros', 'septante-et-un euros, quatre-vingt-un euros'],
  ['de-DE', '1.204', 'eintausendzweihundertvier'],
  ['de-CH', '1.204', 'eins Komma zwei null vier'],
];

describe('ambiguous figures', () => {
  for (const [tag, written, read] of readings)
    it(`read ${written} in ${tag} as ${read}`, () => assert.equal(normalizeText(written, tag), read));

  it('are read as in the language alone if the region is unknown', () => {
    for (const language of ['en', 'pt', 'es', 'ko']) {
      const text = '3/4/2026, 14:30, 1.204, $5';
      const read = normalizeText(text, language);
      assert.equal(normalizeText(text, `${language}-419`), read);
      assert.equal(normalizeText(text, `${language}-XX`), read);
    }
  });

  it('of an unknown region need no rules of its own', () => {
    assert.equal(languageOfTag('en-ZZ'), languageOfTag('en'));
  });

  it('do not change in a language whose code of three letters begins like another code', () => {
    for (const tag of ['fil', 'fil-PH', 'est', 'spa-ES']) assert.equal(normalizeText('21', tag), '21');
  });

  it('take a tag in any case, with a hyphen or an underscore', () => {
    for (const tag of ['en-gb', 'EN_GB', 'en_gb'])
      assert.equal(normalizeText('3/4/2026', tag), normalizeText('3/4/2026', 'en-GB'));
  });

  it('change no word of the user', () => {
    const text = 'dezesseis quilômetros';
    assert.equal(normalizeText(text, 'pt-PT'), text);
  });
});
