import assert from 'node:assert/strict';
import { textOf } from '@herald-speech/browser';

describe('saved value in the browser', () => {
  it('is trimmed text for strings, numbers and booleans, and blank for any other type', () => {
    assert.deepEqual([' rms ', 60, false].map(textOf), ['rms', '60', 'false']);
    assert.deepEqual([undefined, null, {}, ['en']].map(textOf), ['', '', '', '']);
  });
});
