import assert from 'node:assert/strict';
import { isEnvironmentVariable, isReadableHost } from '../../../../nodes/editor/lib/typed-text.js';

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

  it('has no readable host if the host is blank, or has a space that the browser encoded', () => {
    assert.deepEqual(['player.local', '[::1]', '', 'a%20b'].map(isReadableHost), [true, true, false, false]);
  });
});
