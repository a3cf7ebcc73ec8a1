import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  bestSample,
  choicesOf,
  impossiblePart,
  matchesFilters,
  offersOf,
  voicesIn,
} from '../../../../nodes/editor/voices/voice.js';

const combination = (language: string, style: string, model: string) => ({ language, style, model });
const anna = {
  voice_id: 'v-1',
  name: 'Anna Bell',
  description: 'Warm',
  gender: 'female',
  age: 'elder',
  use_case: 'narration',
  use_cases: ['game'],
  language: ['en', 'ko'],
  styles: ['neutral', 'happy'],
  models: ['a', 'b'],
  samples: [
    combination('en', 'neutral', 'a'),
    combination('en', 'happy', 'b'),
    combination('ko', 'neutral', 'a'),
  ],
  thumbnail_image_url: 'https://pictures.example/anna.png',
};
const mine = { voice_id: 'own-1', name: 'Mine', own: true };
const [voice, own] = voicesIn(new Map(Object.entries({ voices: [anna, mine] }))).voices;

describe('voice model of the picker', () => {
  it('parses a reply of any content', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (voices, more) => {
        const read = voicesIn(
          new Map([
            ['voices', voices],
            ['more', more],
          ]),
        );
        assert.equal(read.voices.length, Array.isArray(voices) ? voices.length : 0);
      }),
    );
  });

  it('ignores a portrait whose URL is not http or https', () => {
    const image = (thumbnail_image_url: string) =>
      voicesIn(new Map([['voices', [{ ...anna, thumbnail_image_url }]]])).voices[0]?.image;
    assert.equal(image('https://pictures.example/anna.png'), 'https://pictures.example/anna.png');
    assert.equal(image('javascript:alert(1)'), '');
  });

  it('matches words of name, description and id in any order and case', () => {
    for (const text of ['anna', 'BELL anna', 'warm', 'v-1', ' '])
      assert.ok(voice && matchesFilters(voice, { text }), text);
    assert.ok(voice && !matchesFilters(voice, { text: 'anna cold' }));
  });

  it('matches a filter with any value of the voice, and requires all filters to match', () => {
    assert.ok(
      voice &&
        matchesFilters(voice, {
          language: 'ko',
          style: 'happy',
          use_case: 'game',
          gender: 'female',
          age: 'elder',
        }),
    );
    assert.ok(voice && !matchesFilters(voice, { language: 'ko', gender: 'male' }));
  });

  it('matches custom voices by text only', () => {
    assert.ok(own && matchesFilters(own, { text: 'mine' }));
    assert.ok(own && !matchesFilters(own, { gender: 'female' }));
  });

  it('returns the choices of each filter list', () => {
    assert.ok(voice && own);
    assert.deepEqual(choicesOf([voice, own], 'use_case'), ['game', 'narration']);
    assert.deepEqual(choicesOf([own], 'language'), []);
  });

  it('offers only languages, styles and models of the samples', () => {
    assert.ok(voice && own);
    assert.deepEqual(offersOf(voice, 'style', {}), ['neutral', 'happy']);
    assert.deepEqual(offersOf(voice, 'style', { language: 'ko' }), ['neutral']);
    assert.deepEqual(offersOf(voice, 'model', { language: 'en', style: 'happy' }), ['b']);
    assert.deepEqual(offersOf(own, 'style', { language: 'ko' }), []);
  });

  it('reports the first part of a combination that the voice does not support', () => {
    assert.ok(voice && own);
    assert.equal(impossiblePart(voice, { language: 'de' }), 'language');
    assert.equal(impossiblePart(voice, { language: 'ko', style: 'happy' }), 'style');
    assert.equal(impossiblePart(voice, { language: 'en', style: 'happy', model: 'a' }), 'model');
    assert.equal(impossiblePart(voice, { language: 'en', style: '', model: 'b' }), undefined);
    assert.equal(impossiblePart(own, { language: 'de' }), undefined);
  });

  it('selects the sample closest to the chosen combination', () => {
    assert.ok(voice && own);
    assert.deepEqual(
      bestSample(voice, { language: 'ko', style: 'happy' }),
      combination('ko', 'neutral', 'a'),
    );
    assert.deepEqual(bestSample(voice, {}), combination('en', 'neutral', 'a'));
    assert.equal(bestSample(own, {}), undefined);
  });
});
