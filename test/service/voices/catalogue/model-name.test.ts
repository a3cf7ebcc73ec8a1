import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import * as fc from 'fast-check';
import { modelNamed } from '../../../../service/voices/catalogue/model-name.js';

describe('modelNamed', () => {
  const known = fc.constantFrom(...Object.keys(models));

  it('returns the names of the service unchanged', () => {
    fc.assert(fc.property(known, (name) => assert.equal(modelNamed(name), name)));
  });

  it('recognizes a name with another first word', () => {
    fc.assert(
      fc.property(known, fc.stringMatching(/^[a-z]{1,12}$/), (name, word) => {
        assert.equal(modelNamed(name.replace(/^[a-z]+/, word)), name);
      }),
    );
  });

  it('returns a name with an unknown ending unchanged', () => {
    for (const name of [
      '',
      'nonsense',
      'main_speech',
      'main_speech_2_',
      'speech_9',
      'main_speech_2t',
      '__proto__',
    ])
      assert.equal(modelNamed(name), name);
  });
});
