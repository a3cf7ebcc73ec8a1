import assert from 'node:assert/strict';
import { inWords } from '../../../../../service/voices/engines/espeak/in-words.js';
import { readings, words } from '../../../../data/readings/readings.mjs';

/** The share of the sentences in `test/data/readings/` that is read in an accepted way. */
const GOAL = 0.95;

describe('sentences of homes and telephones', () => {
  for (const language of ['hi', 'ja', 'ko'])
    it(`are read as a native reader reads them in ${language}`, () => {
      const all = readings(language);
      const misread = all.flatMap(({ region, written, spoken }) => {
        const read = inWords(written, region ?? language);
        return spoken.some((reading) => words(reading) === words(read)) ? [] : [`${written} -> ${read}`];
      });
      assert.ok(misread.length <= all.length * (1 - GOAL), misread.join('\n'));
    });
});
