import assert from 'node:assert/strict';
import { textOf } from '../../../nodes/editor/text.js';

describe('saved value in the editor', () => {
  it('is text for words, numbers and switches, and blank for anything else', () => {
    assert.deepEqual([' rms ', 60, false].map(textOf), ['rms', '60', 'false']);
    assert.deepEqual([undefined, null, {}, ['en']].map(textOf), ['', '', '', '']);
  });
});
