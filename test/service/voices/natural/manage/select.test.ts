import assert from 'node:assert/strict';
import { selectVoices } from '../../../../../service/voices/natural/manage/managed-voice.js';
import { availableVoices } from '../catalogue/support.js';

describe('the search for natural voices', () => {
  const voices = availableVoices();
  const names = (filter: Parameters<typeof selectVoices>[1]) =>
    selectVoices(voices, filter).map(({ name }) => name);

  it('finds voices by title, ignoring case and accents', () => {
    assert.deepEqual(names({ search: 'KERST' }), ['de_DE-kerstin-low']);
    assert.deepEqual(names({ search: 'tugao' }), ['pt_PT-tugão-medium']);
  });

  it('finds voices by the name of the language, in English and in the language', () => {
    assert.deepEqual(names({ search: 'german' }), names({ language: 'de' }));
    assert.deepEqual(names({ search: 'deutsch' }), names({ language: 'de' }));
    assert.deepEqual(names({ search: 'русский' }), names({ language: 'ru' }));
  });

  it('finds voices by country, quality and gender', () => {
    assert.deepEqual(names({ search: 'german female' }).toSorted(), [
      'de_DE-eva_k-x_low',
      'de_DE-kerstin-low',
      'de_DE-ramona-low',
    ]);
    assert.deepEqual(names({ search: 'brazil low' }), ['pt_BR-edresson-low']);
  });

  it('filters by language, with or without a region', () => {
    assert.ok(names({ language: 'EN' }).some((name) => name.startsWith('en_US')));
    for (const language of ['en-GB', 'en_gb'])
      assert.ok(names({ language }).every((name) => name.startsWith('en_GB')));
    assert.deepEqual(names({ language: 'ko' }), []);
  });

  it('lists the voices by language, the quality that suits most computers first', () => {
    assert.deepEqual(names({ language: 'de', search: 'thorsten' }), [
      'de_DE-thorsten-medium',
      'de_DE-thorsten_emotional-medium',
      'de_DE-thorsten-high',
      'de_DE-thorsten-low',
    ]);
    const languages = [...new Set(selectVoices(voices, {}).map(({ language }) => language))];
    assert.deepEqual(languages.slice(0, 3), ['ar', 'bg', 'ca']);
  });
});
