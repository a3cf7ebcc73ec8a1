import assert from 'node:assert/strict';
import { date, duration, languageName, plain } from '../../../../service/console/page/words.js';

describe('words of the console', () => {
  it('tell seconds up to a minute, and minutes from there', () => {
    assert.deepEqual([0, 8.44, 59.94, 59.96, 180, 200].map(duration), [
      '0.0 s',
      '8.4 s',
      '59.9 s',
      '1 min',
      '3 min',
      '3 min 20 s',
    ]);
  });

  it('name languages, and show what is none as it is', () => {
    assert.deepEqual(['en', 'uk', 'no code'].map(languageName), ['English', 'Ukrainian', 'no code']);
  });

  it('make identifiers readable', () => {
    assert.deepEqual(['young-adult', 'kind_default', ''].map(plain), ['Young adult', 'Kind default', '']);
  });

  it('show a date in the time zone that it is meant in', () => {
    const midnight = '2026-03-01T00:00:00Z';
    assert.equal(date(midnight, 'UTC'), 'Mar 1, 2026');
    assert.equal(date(midnight, 'America/New_York'), 'Feb 28, 2026');
  });

  it('show a time that is none as it came', () => {
    assert.equal(date('soon'), 'soon');
  });
});
