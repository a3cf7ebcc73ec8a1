import assert from 'node:assert/strict';
import { isEnvironmentVariable } from '../../../../nodes/editor/lib/typed-text.js';

describe('typed text in the editor', () => {
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
