import assert from 'node:assert/strict';
import type { Voice } from '@herald-speech/client';
import { searchVoices, type VoiceFilters } from '../../../service/voices/search.js';

/** A catalogue of the test's own, so that the rules are tested and not today's voices. */
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
  const cases: Array<[string, VoiceFilters, string]> = [
    ['without a filter finds all, in their natural order', {}, 'abcd'],
    ['a part of the name', { name: 'la' }, 'c'],
    ['a part of the name in any case', { name: 'BO' }, 'b'],
    ['several words of a name, in any order', { name: 'lee ann' }, 'a'],
    ['a part of the description', { description: 'calm' }, 'b'],
    ['one language', { language: 'ja' }, 'c'],
    ['any of several languages', { language: 'ko,ja' }, 'acd'],
    ['spaces around a comma', { language: 'ko , ja' }, 'acd'],
    ['gender, which is not a partial match', { gender: 'male' }, 'bd'],
    ['any of several ages', { age: 'child,elder' }, 'c'],
    ['the primary use case alone', { use_case: 'game' }, 'c'],
    ['any of the recommended use cases', { use_cases: 'game,audiobook' }, 'd'],
    ['any of several styles', { style: 'happy,sad' }, 'ab'],
    ['all of several styles', { style: 'happy;sad' }, 'b'],
    ['a voice of one style against two styles that must both be there', { style: 'neutral;happy' }, 'a'],
    ['the model', { model: 'compact_api_3' }, 'd'],
    ['the model by the name of another deployment', { model: 'another_api_3' }, 'd'],
    ['different filters must all hold', { language: 'ko,en', style: 'happy,sad' }, 'ab'],
    [
      'different filters must all hold, to the last',
      { language: 'ko,en', style: 'happy', gender: 'male' },
      'b',
    ],
    ['what nobody has finds none', { language: 'fi' }, ''],
  ];
  for (const [name, filters, found] of cases) {
    it(name, () =>
      assert.equal(
        searchVoices(voices, filters)
          .map((one) => one.voice_id)
          .join(''),
        found,
      ),
    );
  }
});
