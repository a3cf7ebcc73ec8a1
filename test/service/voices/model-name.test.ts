import assert from 'node:assert/strict';
import { models } from '@herald-speech/client';
import * as fc from 'fast-check';
import { modelNamed } from '../../../service/voices/model-name.js';

describe('the name of a model', () => {
  const known = fc.constantFrom(...Object.keys(models));

  it('is itself where it is one of the service', () => {
    fc.assert(fc.property(known, (name) => assert.equal(modelNamed(name), name)));
  });

  it('may have another first word, as deployments have', () => {
    fc.assert(
      fc.property(known, fc.stringMatching(/^[a-z]{1,12}$/), (name, word) => {
        assert.equal(modelNamed(name.replace(/^[a-z]+/, word)), name);
      }),
    );
  });

  it('stays as it is where no model ends like it', () => {
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
