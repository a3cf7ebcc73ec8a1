import assert from 'node:assert/strict';
import type { Voice } from '@herald-speech/client';
import { searchCatalogue, type CatalogueFilters } from '../../../../service/voices/catalogue/search.js';

/** A voice of a small catalogue, so that the tests do not depend on the real voices. */
const voice = (voice_id: string, more: Partial<Voice>): Voice => ({
  voice_id,
  name: voice_id,
  description: null,
  age: 'middle-aged',
  gender: 'female',
  use_case: 'narration',
  use_cases: ['narration'],
  language: ['en'],
  styles: ['neutral'],
  models: ['main_speech_1'],
  ...more,
});
const voices = [
  voice('a', { name: 'Anna Lee', language: ['ko', 'en'], styles: ['neutral', 'happy'], gender: 'female' }),
  voice('b', {
    name: 'Bob',
    description: 'Deep and calm',
    language: ['en'],
    styles: ['sad', 'happy'],
    gender: 'male',
  }),
  voice('c', { name: 'Clara', language: ['ja'], styles: ['neutral'], age: 'child', use_case: 'game' }),
  voice('d', {
    name: 'Dan',
    language: ['ko'],
    use_cases: ['audiobook', 'game'],
    models: ['compact_api_3'],
    gender: 'male',
  }),
];

/** docs/interface.md#voice-search */
describe('voice search', () => {
  const cases: Array<[string, CatalogueFilters, string]> = [
    ['finds all voices in their natural order without a filter', {}, 'abcd'],
    ['finds a part of the name', { name: 'la' }, 'c'],
    ['ignores the case of a name', { name: 'BO' }, 'b'],
    ['finds several words of a name in any order', { name: 'lee ann' }, 'a'],
    ['finds a part of the description', { description: 'calm' }, 'b'],
    ['finds words of a description in any order', { description: 'CALM dee' }, 'b'],
    ['does not find the end of a word in a description', { description: 'alm' }, ''],
    ['finds one language', { language: 'ja' }, 'c'],
    ['finds any of several languages', { language: 'ko,ja' }, 'acd'],
    ['ignores spaces around a comma', { language: 'ko , ja' }, 'acd'],
    ['matches the whole gender', { gender: 'male' }, 'bd'],
    ['finds any of several ages', { age: 'child,elder' }, 'c'],
    ['finds the primary use case only', { use_case: 'game' }, 'c'],
    ['finds any of the recommended use cases', { use_cases: 'game,audiobook' }, 'd'],
    ['finds any of several styles', { style: 'happy,sad' }, 'ab'],
    ['requires all styles with semicolons', { style: 'happy;sad' }, 'b'],
    ['requires both of two styles with a semicolon', { style: 'neutral;happy' }, 'a'],
    ['finds a model', { model: 'compact_api_3' }, 'd'],
    ['finds a model by the name of another deployment', { model: 'another_api_3' }, 'd'],
    ['requires all filters to match', { language: 'ko,en', style: 'happy,sad' }, 'ab'],
    ['requires the last filter to match', { language: 'ko,en', style: 'happy', gender: 'male' }, 'b'],
    ['finds no voice for an unused language', { language: 'fi' }, ''],
  ];
  for (const [name, filters, found] of cases) {
    it(name, () =>
      assert.equal(
        searchCatalogue(voices, filters)
          .map((one) => one.voice_id)
          .join(''),
        found,
      ),
    );
  }

  it('finds the voices of a region, and those of the language if no voice has the region', () => {
    const accents = [
      voice('gb', { locale: 'en-GB' }),
      voice('us', { locale: 'en-US' }),
      voice('pt', { language: ['pt'] }),
    ];
    const found = (language: string) =>
      searchCatalogue(accents, { language })
        .map(({ voice_id }) => voice_id)
        .join();
    for (const language of ['en-GB', 'en_GB', 'EN-gb']) assert.equal(found(language), 'gb');
    assert.equal(found('en'), 'gb,us');
    assert.equal(found('en-AU'), 'gb,us');
    assert.equal(found('pt-BR,en-US'), 'us,pt');
  });
});
