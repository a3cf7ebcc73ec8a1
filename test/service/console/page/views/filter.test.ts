import assert from 'node:assert/strict';
import { voiceOf } from '@herald-speech/browser';
import { type ListFilters, matches } from '../../../../../service/console/page/views/filter.js';
import { startsWords } from '../../../../../service/voices/catalogue/search.js';

const russell = voiceOf({
  voice_id: 'rms',
  name: 'Russell',
  description: 'A calm voice of US English',
  age: 'middle-aged',
  gender: 'male',
  use_cases: ['narration', 'audiobook'],
  language: ['en', 'ko'],
  styles: ['neutral', 'sad'],
  models: ['m'],
});
const customVoice = { ...voiceOf({ name: 'Grandmother', description: russell.description }), own: true };

describe('the filters of voices', () => {
  const finds = (filters: ListFilters, voice = russell) => matches(voice, filters);

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
        const found = finds({ text: words }, { ...customVoice, name: '', description: text });
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
        use_case: 'audiobook',
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
      use_case: 'game',
      style: 'angry',
      model: 'x',
    };
    for (const [name, word] of Object.entries(lacking)) assert.equal(finds({ [name]: word }), false, name);
  });

  it('match words of name and description in any order and case', () => {
    assert.ok(finds({ text: 'CALM russ' }));
    assert.equal(finds({ text: 'calm selma' }), false);
    assert.ok(finds({ text: 'korean sad' }));
    assert.equal(finds({ text: 'ussell' }), false);
  });

  it('match custom voices by kind, by name, and by any language, because their languages are unknown', () => {
    assert.deepEqual([finds({ kind: 'custom' }, customVoice), finds({ kind: 'custom' })], [true, false]);
    assert.deepEqual([finds({ kind: 'preset' }, customVoice), finds({ kind: 'preset' })], [false, true]);
    assert.ok(finds({ text: 'grand' }, customVoice));
    assert.equal(finds({ gender: 'male' }, customVoice), false);
    assert.ok(finds({ language: 'de' }, customVoice));
  });
});
