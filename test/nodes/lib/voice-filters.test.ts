import assert from 'node:assert/strict';
import { normalizedFilters } from '../../../nodes/lib/voice-filters.js';
import { translatorFor } from '../../support/node-red/runtime-texts.js';

describe('the filters of a voice search', () => {
  const languages: [typed: string, sent: string][] = [
    ['German', 'de'],
    ['german, French', 'de,fr'],
    ['German; French', 'de;fr'],
    ['Deutsch;fr', 'de;fr'],
    ['Norwegian, Katalanisch', 'no,ca'],
    ['Klingon', 'klingon'],
  ];
  for (const [language, sent] of languages) {
    it(`send the language "${language}" as "${sent}"`, async () => {
      assert.deepEqual(normalizedFilters({ language }, await translatorFor('de')), { language: sent });
    });
  }

  it('send styles in lower case, and names unchanged', async () => {
    const filters = { style: 'Calm;Happy', name: 'Anna' };
    assert.deepEqual(normalizedFilters(filters, await translatorFor('de')), {
      style: 'calm;happy',
      name: 'Anna',
    });
  });
});
