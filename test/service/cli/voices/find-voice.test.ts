import assert from 'node:assert/strict';
import { findVoice } from '../../../../service/cli/voices/find-voice.js';
import { availableVoices } from '../../voices/natural/catalogue/support.js';

describe('the short name of a natural voice', () => {
  const voices = availableVoices();
  const find = (text: string) => findVoice(text, voices).name;

  it('is enough if it fits one voice', () => {
    assert.equal(find('de_DE-thorsten-medium'), 'de_DE-thorsten-medium');
    assert.equal(find('kerstin'), 'de_DE-kerstin-low');
    assert.equal(find('thorsten-medium'), 'de_DE-thorsten-medium');
    assert.equal(find('Thorsten high'), 'de_DE-thorsten-high');
    assert.equal(find('de kerstin'), 'de_DE-kerstin-low');
    assert.equal(find('italian paola'), 'it_IT-paola-medium');
    assert.equal(find('tugao'), 'pt_PT-tugão-medium');
    assert.equal(find('nathalie-x_low'), 'nl_BE-nathalie-x_low');
  });

  it('may have an accent in composed or decomposed form', () => {
    assert.equal(find('pt_PT-tugão-medium'.normalize('NFD')), 'pt_PT-tugão-medium');
  });

  it('is refused with all matching names if it fits several voices', () => {
    assert.throws(() => find('thorsten'), {
      name: 'UsageError',
      message:
        'voice "thorsten": several voices match. Use one of de_DE-thorsten-medium, de_DE-thorsten-high, de_DE-thorsten-low',
    });
  });

  it('is refused with similar names if no voice has it', () => {
    assert.throws(() => find('torsten-medum'), /unknown voice\. Similar names: de_DE-thorsten-medium, /);
    assert.throws(
      () => find('qqqqq'),
      /^UsageError: voice "qqqqq": unknown voice\. To list all voices, run "herald-service voices available"$/,
    );
    assert.throws(() => find('--'), /unknown voice/);
    assert.throws(() => find('x'.repeat(1000)), /^UsageError: voice "x{100}": /);
  });
});
