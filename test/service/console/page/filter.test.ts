import assert from 'node:assert/strict';
import { type Filters, passes, sampleFor } from '../../../../service/console/page/filter.js';
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
  isOwn: false,
  age: 'middle-aged',
  gender: 'male',
  useCases: ['narration', 'audiobook'],
  languages: ['en', 'ko'],
  styles: ['neutral', 'sad'],
  models: ['m'],
  samples: [sample('en', 'neutral'), sample('en', 'sad'), sample('ko', 'neutral')],
};
const own: Voice = {
  ...russell,
  name: 'Grandmother',
  isOwn: true,
  age: '',
  gender: '',
  useCases: [],
  languages: [],
  styles: [],
  models: [],
  samples: [],
};

describe('filters of voices', () => {
  const finds = (filters: Partial<Filters>, voice = russell) => passes(voice, { ...none, ...filters });

  it('let everything pass while nothing is asked for', () => {
    assert.deepEqual([finds({}), finds({}, own)], [true, true]);
  });

  it('let a voice pass that has all that is asked for', () => {
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

  it('hold back a voice that lacks one thing', () => {
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

  it('find words in any order and case, in name and description', () => {
    assert.ok(finds({ words: 'CALM russ' }));
    assert.equal(finds({ words: 'calm selma' }), false);
  });

  it('find own voices by kind and name; nothing else is known of them', () => {
    assert.deepEqual([finds({ kind: 'own' }, own), finds({ kind: 'own' })], [true, false]);
    assert.deepEqual([finds({ kind: 'preset' }, own), finds({ kind: 'preset' })], [false, true]);
    assert.ok(finds({ words: 'grand' }, own));
    assert.equal(finds({ gender: 'male' }, own), false);
  });
});

describe('the sample of a voice', () => {
  it('is one that fits the filters', () => {
    assert.equal(sampleFor(russell, { ...none, style: 'sad' })?.url, '/en/sad');
    assert.equal(sampleFor(russell, { ...none, language: 'ko' })?.url, '/ko/neutral');
  });

  it('is the first where none fits, and none where there are none', () => {
    assert.equal(sampleFor(russell, { ...none, language: 'ko', style: 'sad' })?.url, '/en/neutral');
    assert.equal(sampleFor(own, none), undefined);
  });
});
