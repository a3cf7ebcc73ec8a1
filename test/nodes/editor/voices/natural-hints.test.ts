import assert from 'node:assert/strict';
import { commandIn } from '../../../../nodes/editor/natural/install-command.js';
import { ESPEAK_HINT } from '../../../../service/kit/packages.js';
import { NEURAL_HINT } from '../../../../service/kit/packages.js';

describe('the command for natural voices', () => {
  it('installs all packages that the service names', () => {
    assert.equal(commandIn(NEURAL_HINT), 'npm install @herald-speech/neural');
    assert.match(
      commandIn(`${NEURAL_HINT} ${ESPEAK_HINT}`),
      /^npm install @herald-speech\/neural \S*espeak\S*$/,
    );
  });

  it('installs the engine if the hint names no package', () => {
    assert.equal(commandIn(''), 'npm install @herald-speech/neural');
  });
});
