import assert from 'node:assert/strict';
import {
  date,
  duration,
  pageLanguageName,
  plain,
  size,
} from '../../../../../service/console/page/lib/format.js';

describe('the formats of the console', () => {
  it('show seconds below a minute, and minutes and seconds above', () => {
    assert.deepEqual([0, 8.44, 59.94, 59.96, 180, 200].map(duration), [
      '0.0 s',
      '8.4 s',
      '59.9 s',
      '1 min',
      '3 min',
      '3 min 20 s',
    ]);
  });

  it('show the name of a language, and an invalid code unchanged', () => {
    assert.deepEqual(['en', 'uk', 'no code'].map(pageLanguageName), ['English', 'Ukrainian', 'no code']);
  });

  it('show an identifier as words', () => {
    assert.deepEqual(['young-adult', 'kind_default', ''].map(plain), ['Young adult', 'Kind default', '']);
  });

  it('show bytes in megabytes, and above 1000 MB in gigabytes', () => {
    assert.deepEqual([3_140_000, 63_206_502, 12_345_678_901].map(size), ['3.1 MB', '63 MB', '12.3 GB']);
  });

  it('show a date in the given time zone', () => {
    const midnight = '2026-03-01T00:00:00Z';
    assert.equal(date(midnight, 'UTC'), 'Mar 1, 2026');
    assert.equal(date(midnight, 'America/New_York'), 'Feb 28, 2026');
  });

  it('show an invalid time unchanged', () => {
    assert.equal(date('soon'), 'soon');
  });
});
