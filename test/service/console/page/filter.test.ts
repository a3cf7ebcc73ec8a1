import assert from 'node:assert/strict';
import { type Filters, matches, sampleFor } from '../../../../service/console/page/filter.js';
import { startsWords } from '../../../../service/voices/catalogue/search.js';
import type { Voice } from '../../../../service/console/page/voice.js';

const none: Filters = {
  words: '',
  kind: '',
  language: '',
  gender: '',
  age: '',
  useCase: '',
  style: '',
  model: '',
};
const sample = (language: string, style: string) => ({
  language,
  style,
  model: 'm',
  url: `/${language}/${style}`,
});
const russell: Voice = {
  id: 'rms',
  name: 'Russell',
  description: 'A calm voice of US English',
  isCustom: false,
  age: 'middle-aged',
  gender: 'male',
  useCases: ['narration', 'audiobook'],
  languages: ['en', 'ko'],
  styles: ['neutral', 'sad'],
  models: ['m'],
  samples: [sample('en', 'neutral'), sample('en', 'sad'), sample('ko', 'neutral')],
  isNatural: false,
  isLive: true,
};
const customVoice: Voice = {
  ...russell,
  name: 'Grandmother',
  isCustom: true,
  age: '',
  gender: '',
  useCases: [],
  languages: [],
  styles: [],
  models: [],
  samples: [],
};

describe('the filters of voices', () => {
  const finds = (filters: Partial<Filters>, voice = russell) => matches(voice, { ...none, ...filters });

  it('match words by the rules of the voice search of the service', () => {
    const texts = [
      'A calm voice',
      'José, née à Ávila',
      'Jose',
      'female',
      '落ち着いた声',
      '차분한 목소리',
      'ЁЛКА',
      'Straße 5',
    ];
    const searches = [
      'calm',
      'CALM a',
      'jose',
      'JOSÉ',
      'nee avila',
      'male',
      '着いた',
      '목소리',
      'елка',
      'stra',
      '5',
      ', ',
      'vila',
    ];
    for (const text of texts) {
      for (const words of searches) {
        const found = finds({ words }, { ...customVoice, id: '', name: '', description: text });
        assert.equal(startsWords(text, words), found, `"${words}" in "${text}"`);
      }
    }
    assert.ok(startsWords('José', 'jose'));
  });

  it('find natural voices by their kind', () => {
    const thorsten = { ...russell, isNatural: true };
    assert.deepEqual([finds({ kind: 'natural' }, thorsten), finds({ kind: 'natural' })], [true, false]);
  });

  it('match every voice if they are empty', () => {
    assert.deepEqual([finds({}), finds({}, customVoice)], [true, true]);
  });

  it('match a voice with all values', () => {
    assert.ok(
      finds({
        language: 'ko',
        gender: 'male',
        age: 'middle-aged',
        useCase: 'audiobook',
        style: 'sad',
        model: 'm',
      }),
    );
  });

  it('do not match a voice that lacks one value', () => {
    const lacking = {
      language: 'de',
      gender: 'female',
      age: 'child',
      useCase: 'game',
      style: 'angry',
      model: 'x',
    };
    for (const [name, word] of Object.entries(lacking)) assert.equal(finds({ [name]: word }), false, name);
  });

  it('match words of name and description in any order and case', () => {
    assert.ok(finds({ words: 'CALM russ' }));
    assert.equal(finds({ words: 'calm selma' }), false);
    assert.ok(finds({ words: 'korean sad' }));
    assert.equal(finds({ words: 'ussell' }), false);
  });

  it('match custom voices by kind and name only', () => {
    assert.deepEqual([finds({ kind: 'custom' }, customVoice), finds({ kind: 'custom' })], [true, false]);
    assert.deepEqual([finds({ kind: 'preset' }, customVoice), finds({ kind: 'preset' })], [false, true]);
    assert.ok(finds({ words: 'grand' }, customVoice));
    assert.equal(finds({ gender: 'male' }, customVoice), false);
  });
});

describe('the sample of a voice', () => {
  it('matches the filters', () => {
    assert.equal(sampleFor(russell, { ...none, style: 'sad' })?.url, '/en/sad');
    assert.equal(sampleFor(russell, { ...none, language: 'ko' })?.url, '/ko/neutral');
  });

  it('is the first sample if no sample matches, and undefined without samples', () => {
    assert.equal(sampleFor(russell, { ...none, language: 'ko', style: 'sad' })?.url, '/en/neutral');
    assert.equal(sampleFor(customVoice, none), undefined);
  });
});
