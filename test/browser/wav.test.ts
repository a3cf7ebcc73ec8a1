import assert from 'node:assert/strict';
import { inspectAudio, parseWav } from '@herald-speech/client';
import * as fc from 'fast-check';
import { encodeWav } from '../../browser/wav.js';

/** Returns the samples of a 16-bit WAV from -1 to 1, read with the parser of the client. */
function levelsOf(wav: ArrayBuffer): number[] {
  const { data } = parseWav(new Uint8Array(wav));
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: data.byteLength / 2 }, (_, index) => view.getInt16(2 * index, true) / 32_767);
}

const sound = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 1, maxLength: 500 });

describe('the WAV file of a recording', () => {
  it('has the length of the recording, one channel and 16 bits', () => {
    const wav = new Uint8Array(encodeWav(new Float32Array(12_000), 24_000));
    const { format, duration } = inspectAudio(wav);
    assert.deepEqual([format, duration], ['wav', 0.5]);
    const { channels, sampleRate, bitsPerSample, encoding } = parseWav(wav).format;
    assert.deepEqual([channels, sampleRate, bitsPerSample, encoding], [1, 24_000, 16, 'pcm']);
  });

  it('contains the recorded samples, and clips values outside the range', () => {
    fc.assert(
      fc.property(sound, (samples) => {
        const levels = levelsOf(encodeWav(Float32Array.from(samples), 24_000));
        assert.equal(levels.length, samples.length);
        for (const [index, sample] of samples.entries()) {
          const heard = levels[index] ?? Number.NaN;
          assert.ok(Math.abs(heard - Math.max(-1, Math.min(1, sample))) < 1 / 32_767, `${sample}: ${heard}`);
        }
      }),
    );
  });
});
