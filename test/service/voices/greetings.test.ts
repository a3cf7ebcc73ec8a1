import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import { greeting } from '../../../service/voices/greetings.js';

describe('what a sample says', () => {
  it('is in the language of the voice, for all 31 languages, with its name', () => {
    const languages = models['compact_api_3']?.languages ?? [];
    const said = languages.map((language) => greeting(language, 'Ada'));
    assert.equal(new Set(said).size, 31);
    for (const text of said) assert.match(text, /Ada.{2,}/su);
  });

  it('is the bare name in a language that nobody knows', () => {
    assert.equal(greeting('zu', 'Ada'), 'Ada');
  });
});
