import assert from 'node:assert/strict';
import { isEnvironmentVariable, textOf } from '../../../nodes/editor/text.js';

describe('saved value in the editor', () => {
  it('is trimmed text for strings, numbers and booleans, and blank for any other type', () => {
    assert.deepEqual([' rms ', 60, false].map(textOf), ['rms', '60', 'false']);
    assert.deepEqual([undefined, null, {}, ['en']].map(textOf), ['', '', '', '']);
  });

  it('is an environment variable only if the reference is the whole text', () => {
    assert.deepEqual(['${NAME}', 'x${NAME}', '${NAME}/v1', '${}', 'NAME'].map(isEnvironmentVariable), [
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
