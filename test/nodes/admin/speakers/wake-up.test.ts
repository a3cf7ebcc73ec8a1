import assert from 'node:assert/strict';
import { TestSounds } from '../../../../nodes/admin/reach/test-sound.js';
import { never } from '../../../support/waiting.js';

const RATE = 44_100;
const HEADER = 44;

describe('the test sound of a speaker that wakes up slowly', () => {
  it('starts with the silence of the wake-up', async () => {
    // The chime alone has the same start.
    const sounds = new TestSounds(() => Promise.reject(new Error('no service')));
    const request = {
      format: { format: 'unchanged', output_format: undefined },
      text: '',
      language: 'en',
    } as const;
    const plain = await sounds.get(request, never);
    const late = await sounds.get({ ...request, silenceBefore: 2 }, never);
    assert.ok(Math.abs(late.duration - plain.duration - 2) < 0.01, `${late.duration} s`);
    const silence = late.data.subarray(HEADER, HEADER + 2 * RATE * 2);
    assert.ok(silence.every((byte) => byte === 0));
    assert.ok(plain.data.subarray(HEADER, HEADER + 2 * RATE).some((byte) => byte !== 0));
  });
});
