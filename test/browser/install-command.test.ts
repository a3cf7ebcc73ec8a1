import assert from 'node:assert/strict';
import { commandIn } from '../../browser/natural-voice.js';
import { ESPEAK_HINT } from '../../service/kit/packages.js';

const NPM_HINT = 'For natural voices run "npm install @herald-speech/neural".';

describe('the command for natural voices', () => {
  it('installs all packages that the service names', () => {
    assert.equal(commandIn(NPM_HINT), 'npm install @herald-speech/neural');
    assert.match(
      commandIn(`${NPM_HINT} ${ESPEAK_HINT}`),
      /^npm install @herald-speech\/neural \S*espeak\S*$/,
    );
  });

  it('is the one of a clone if the service runs in a clone', () => {
    assert.equal(commandIn('For natural voices run "npm run natural" in the repository.'), 'npm run natural');
  });

  it('installs the engine if the hint names no package', () => {
    assert.equal(commandIn(''), 'npm install @herald-speech/neural');
  });
});
