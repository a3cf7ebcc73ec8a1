import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  bestSample,
  choicesOf,
  impossiblePart,
  languageFor,
  type VoiceFilters,
  filtersOf,
  matchesFilters,
  offersOf,
  voicesIn,
} from '@herald-speech/browser';

const combination = (language: string, style: string, model: string) => ({
  language,
  style,
  model,
  url: `/${language}/${style}/${model}`,
});
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
const [voice, own] = voicesIn({ voices: [anna, mine] }).voices;

describe('voices of a service', () => {
  it('parses a reply of any content', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (voices, more) => {
        const read = voicesIn({ voices, more });
        assert.equal(read.voices.length, Array.isArray(voices) ? voices.length : 0);
      }),
    );
  });

  it('ignores a portrait whose URL is not http or https', () => {
    const image = (thumbnail_image_url: string) =>
      voicesIn({ voices: [{ ...anna, thumbnail_image_url }] }).voices[0]?.image;
    assert.equal(image('https://pictures.example/anna.png'), 'https://pictures.example/anna.png');
    assert.equal(image('javascript:alert(1)'), '');
  });

  const names: Record<string, string> = { ko: 'Korean', de: 'German Deutsch', female: 'weiblich Frau' };
  const namesOf = (_facet: string, value: string) => `${value} ${names[value] ?? ''}`;
  const matches = (one: Parameters<typeof matchesFilters>[0], filters: VoiceFilters) =>
    matchesFilters(one, filters, namesOf);

  it('matches whole words and word starts of all properties, also of language names', () => {
    for (const text of ['weiblich', 'female', 'fem anna', 'korean happy', 'Happ KOR', 'elder game'])
      assert.ok(voice && matches(voice, { text }), text);
    for (const text of ['male', 'nna', 'german']) assert.ok(voice && !matches(voice, { text }), text);
  });

  it('converts words to filters of a service, and keeps the others for the name', () => {
    const known = { language: ['de', 'ko'], gender: ['male', 'female'], style: ['calm', 'happy'] };
    const filters = (text: string) => filtersOf({ text, age: 'elder' }, known, namesOf);
    assert.deepEqual(filters('german calm Anna'), {
      age: 'elder',
      language: 'de',
      style: 'calm',
      text: 'Anna',
    });
    assert.deepEqual(filters('female'), { age: 'elder', gender: 'female', text: '' });
    assert.deepEqual(filters('Deutsch'), { age: 'elder', language: 'de', text: '' });
  });

  it('matches words of name, description and id in any order and case', () => {
    for (const text of ['anna', 'BELL anna', 'warm', 'v-1', ' '])
      assert.ok(voice && matches(voice, { text }), text);
    assert.ok(voice && !matches(voice, { text: 'anna cold' }));
  });

  it('matches a filter with any value of the voice, and requires all filters to match', () => {
    assert.ok(
      voice &&
        matches(voice, {
          language: 'ko',
          style: 'happy',
          use_case: 'game',
          gender: 'female',
          age: 'elder',
        }),
    );
    assert.ok(voice && !matches(voice, { language: 'ko', gender: 'male' }));
  });

  it('matches custom voices by text, and by any language, because their languages are unknown', () => {
    assert.ok(own && matches(own, { text: 'mine' }));
    assert.ok(own && matches(own, { language: 'de' }));
    assert.ok(own && !matches(own, { gender: 'female' }));
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

  it('keeps a typed region of a language that the voice speaks, and takes the first language in place of another one', () => {
    assert.ok(voice && own);
    for (const tag of ['en-GB', 'ko_KR', 'ko']) assert.equal(languageFor(voice, tag), tag);
    for (const tag of ['de-AT', '']) assert.equal(languageFor(voice, tag), 'en');
    assert.equal(languageFor({ ...voice, language: ['de', 'en'] }, 'en-GB'), 'en-GB');
    assert.equal(languageFor(own, 'de-AT'), 'de-AT');
  });

  it('takes no notice of the region in combinations', () => {
    assert.ok(voice);
    assert.deepEqual(offersOf(voice, 'style', { language: 'ko-KR' }), ['neutral']);
    assert.equal(impossiblePart(voice, { language: 'en-GB', style: 'happy', model: 'b' }), undefined);
    assert.equal(impossiblePart(voice, { language: 'ko-KR', style: 'happy' }), 'style');
    assert.deepEqual(bestSample(voice, { language: 'ko-KR' }), combination('ko', 'neutral', 'a'));
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
