import assert from 'node:assert/strict';
import { toUsualForm } from '../../../../../service/voices/engines/espeak/text.js';
import { normalizeText } from '../../../../../service/voices/engines/normalize/normalize-text.js';
import { languages, readings, words } from '../../../../data/readings/readings.mjs';

const measured = languages();
/** Percent of the sentences that a language must read as one of their accepted readings. */
const GOAL = 95;

describe('sentences of homes and telephones', () => {
  for (const language of measured)
    it(`are read as a native reader reads them, at least ${GOAL} % of them, in ${language}`, () => {
      const all = readings(language);
      const wrong = all.flatMap(({ region, written, spoken }) => {
        const read = normalizeText(toUsualForm(written), region ?? language);
        return spoken.some((reading) => words(reading) === words(read)) ? [] : [`${written} -> ${read}`];
      });
      const percent = 100 - (100 * wrong.length) / all.length;
      assert.ok(percent >= GOAL, `${percent.toFixed(1)} %\n${wrong.join('\n')}`);
    });

  it('stay as they are in their spoken form, and after a first pass', () => {
    for (const language of measured)
      for (const { written, spoken } of readings(language)) {
        const texts = [...spoken.filter((text) => !/\p{N}/u.test(text)), normalizeText(written, language)];
        for (const text of texts) assert.equal(normalizeText(text, language), text, `${text} in ${language}`);
      }
  });
});
