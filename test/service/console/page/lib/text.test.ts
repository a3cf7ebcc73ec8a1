import assert from 'node:assert/strict';
import { pageNumeral, text } from '../../../../../service/console/page/lib/text.js';

describe('the texts of the console', () => {
  it('have the plural of their number', () => {
    assert.equal(text('usage.none', { count: 1 }), 'No usage in the last 1 day.');
    assert.equal(text('usage.none', { count: 14 }), 'No usage in the last 14 days.');
  });

  it('have numbers in the format of the language, and other values unchanged', () => {
    assert.equal(text('voices.count', { count: 12_345, total: 20_000 }), '12,345 of 20,000');
    assert.equal(text('voices.play', { name: '__name__ & 12345' }), 'Play __name__ & 12345');
  });

  it('show a number with the wanted decimals', () => {
    assert.deepEqual([pageNumeral(2), pageNumeral(2, 1), pageNumeral(1234.56, 1)], ['2', '2.0', '1,234.6']);
  });
});
