import assert from 'node:assert/strict';
import { inspectAudio, parseWav } from '@herald-speech/client';
import * as fc from 'fast-check';
import { encodeWav } from '../../../../service/console/page/wav.js';

/** The 16-bit samples of a WAV, as the client reads it. */
function levelsOf(wav: ArrayBuffer): number[] {
  const { data } = parseWav(new Uint8Array(wav));
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: data.byteLength / 2 }, (_, index) => view.getInt16(2 * index, true) / 32_767);
}

const sound = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 1, maxLength: 500 });

describe('a recording as a WAV file', () => {
  it('is as long as what was recorded, in one channel of 16 bits', () => {
    const wav = new Uint8Array(encodeWav(new Float32Array(12_000), 24_000));
    const { format, duration } = inspectAudio(wav);
    assert.deepEqual([format, duration], ['wav', 0.5]);
    const { channels, sampleRate, bitsPerSample, encoding } = parseWav(wav).format;
    assert.deepEqual([channels, sampleRate, bitsPerSample, encoding], [1, 24_000, 16, 'pcm']);
  });

  it('sounds as it was recorded; what is too loud is cut off, not turned over', () => {
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
