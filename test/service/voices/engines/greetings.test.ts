import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import { shippedCatalogue } from '../../../../service/voices/natural/catalogue/catalogue.js';
import { greeting } from '../../../../service/voices/engines/greetings.js';

describe('greeting', () => {
  it('returns a sentence with the name in each of the 31 languages', () => {
    const languages = models['compact_api_3']?.languages ?? [];
    const said = languages.map((language) => greeting(language, 'Ada'));
    assert.equal(new Set(said).size, 31);
    for (const text of said) assert.match(text, /Ada.{2,}/su);
  });

  it('returns a sentence with the name in each language of the natural voices', () => {
    const languages = [...new Set(shippedCatalogue().map(({ language }) => language))];
    for (const language of languages) assert.match(greeting(language, 'Ada'), /Ada.{2,}/su, language);
  });

  it('returns only the name for an unknown language', () => {
    assert.equal(greeting('zu', 'Ada'), 'Ada');
  });
});
