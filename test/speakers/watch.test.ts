import assert from 'node:assert/strict';
import { Watch } from '../../speakers/announce/watch.js';

const sound = {
  duration: 3,
  url: 'http://127.0.0.1:1/sound.wav',
  pcm: () => Promise.reject(new Error('not asked for')),
  isFetched: () => true,
};

/** Returns the fault of a sound of 3 s that ends at the time of the last report. @param unit seconds of the unit of positions */
function faultAfter(seconds: number, unit?: number, isPaused = false) {
  const watch = new Watch(sound, 0, unit === undefined ? {} : { unit });
  watch.note({ seconds: 1, isPaused: false }, 1000);
  watch.note({ seconds, isPaused }, 2900);
  return watch.faultAtEnd('state', 2900)?.reason;
}

describe('the end of a sound of three seconds', () => {
  it('is not too early at 2 s of a speaker that counts whole seconds', () => {
    assert.equal(faultAfter(2, 1), undefined);
  });

  it('is too early at 2 s of a speaker that counts fractions of a second', () => {
    assert.equal(faultAfter(2), 'speaker-short');
  });

  it('is too early at 1 s, and at 2 s while the speaker is paused', () => {
    assert.equal(faultAfter(1, 1), 'speaker-short');
    assert.equal(faultAfter(2, 1, true), 'speaker-short');
  });
});
