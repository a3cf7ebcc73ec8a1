import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { blockAlign, type WavFormat } from '../../../client/audio/wav-format.js';
import { parseWav, wavHeader, writeWav } from '../../../client/audio/wav.js';
import { bytes, extraChunks, kindOf, rawFormat, rawWav } from './samples.js';

const pcm16 = rawFormat({ tag: 1, channels: 1, sampleRate: 8000, bits: 16, size: 16 });
const fmt = { id: 'fmt ', body: pcm16 };
const ten = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);

const formats: fc.Arbitrary<WavFormat> = fc
  .record({
    sample: fc.constantFrom(
      { encoding: 'pcm', bitsPerSample: 8 } as const,
      { encoding: 'pcm', bitsPerSample: 16 } as const,
      { encoding: 'pcm', bitsPerSample: 24 } as const,
      { encoding: 'float', bitsPerSample: 32 } as const,
      { encoding: 'mulaw', bitsPerSample: 8 } as const,
      { encoding: 'alaw', bitsPerSample: 8 } as const,
    ),
    channels: fc.integer({ min: 1, max: 8 }),
    sampleRate: fc.integer({ min: 1, max: 192_000 }),
    channelMask: fc.nat(255),
  })
  .map(({ sample, channels, sampleRate, channelMask }) => ({
    ...sample,
    channels,
    sampleRate,
    ...(channels > 2 && { extensible: { validBitsPerSample: sample.bitsPerSample, channelMask } }),
  }));

describe('parseWav', () => {
  it('reads back format and samples of every WAV that writeWav writes', () => {
    fc.assert(
      fc.property(formats, fc.array(fc.nat(9), { maxLength: 4 }), (format, blocks) => {
        const pieces = blocks.map((count, i) => new Uint8Array(count * blockAlign(format)).fill(i + 1));
        const written = writeWav(format, pieces);
        const read = parseWav(written);
        assert.deepEqual(
          { ...read, data: bytes(read.data) },
          {
            format,
            data: bytes(...pieces),
            seconds: blocks.reduce((a, b) => a + b, 0) / format.sampleRate,
            streaming: false,
          },
        );
        assert.equal(written.length % 2, 0);
      }),
    );
  });

  it('finds the samples among other chunks, in any order, with headers of 16, 18 and 40 bytes', () => {
    const size = fc.constantFrom(16 as const, 18 as const, 40 as const);
    const property = fc.property(
      size,
      extraChunks,
      extraChunks,
      fc.boolean(),
      (size, before, after, formatLast) => {
        const format = {
          id: 'fmt ',
          body: rawFormat({ tag: 7, channels: 1, sampleRate: 8000, bits: 8, size }),
        };
        const data = { id: 'data', body: ten.subarray(1) };
        const order = formatLast ? [data, ...after, format] : [format, ...after, data];
        const read = parseWav(rawWav([...before, ...order, ...before]));
        assert.deepEqual([...read.data], [...data.body]);
        assert.equal(read.format.encoding, 'mulaw');
      },
    );
    fc.assert(property);
  });

  it('reads data of size 0, or of 2 GiB and more, until the end', () => {
    for (const size of [0, 0x7ffff000, 0x7fffffff, 0x80000000, 0xffffffff - 44, 0xffffffff]) {
      const read = parseWav(rawWav([fmt, { id: 'LIST', body: ten }, { id: 'data', body: ten, size }], size));
      assert.deepEqual([...read.data], [...ten]);
      assert.equal(read.streaming, true);
    }
  });

  it('drops an incomplete block at the end of a stream', () => {
    const odd = { id: 'data', body: ten.subarray(0, 9), size: 0xffffffff, unpadded: true };
    assert.equal(parseWav(rawWav([fmt, odd])).data.length, 8);
  });

  it('accepts a size of 0 if the declared file size is correct', () => {
    const read = parseWav(rawWav([fmt, { id: 'data', body: ten.subarray(0, 0) }, { id: 'LIST', body: ten }]));
    assert.deepEqual([read.data.length, read.streaming], [0, false]);
  });

  it('accepts a chunk of odd size without a pad byte', () => {
    const odd = { id: 'LIST', body: ten.subarray(0, 7), unpadded: true };
    assert.equal(parseWav(rawWav([odd, fmt, odd, { id: 'data', body: ten }])).data.length, 10);
  });

  it('ignores a wrong file size', () => {
    for (const size of [0, 4, 1000, 0xffffffff]) {
      assert.equal(parseWav(rawWav([fmt, { id: 'data', body: ten }], size)).data.length, 10);
    }
  });

  it('rejects a WAV that is truncated at any byte', () => {
    fc.assert(
      fc.property(extraChunks, extraChunks, fc.nat(), (before, after, cut) => {
        const whole = rawWav([...before, fmt, { id: 'data', body: ten }, ...after]);
        const part = whole.subarray(0, cut % whole.length);
        const kind = kindOf(() => assert.equal(parseWav(part).data.length, 10));
        const soundEnds = rawWav([...before, fmt, { id: 'data', body: ten }]).length;
        const expected = part.length >= soundEnds ? undefined : part.length < 4 ? 'not-audio' : 'incomplete';
        assert.equal(kind, expected);
      }),
    );
  });

  it('rejects data that ends inside a block as incomplete', () => {
    const nine = { id: 'data', body: ten.subarray(0, 9) };
    assert.equal(
      kindOf(() => parseWav(rawWav([fmt, nine]))),
      'incomplete',
    );
  });

  it('rejects contradictory values', () => {
    const wrong = [
      { tag: 1, channels: 0, sampleRate: 8000, bits: 16 },
      { tag: 1, channels: 1, sampleRate: 0, bits: 16 },
      { tag: 1, channels: 1, sampleRate: 8000, bits: 0 },
      { tag: 3, channels: 1, sampleRate: 8000, bits: 16 },
      { tag: 7, channels: 1, sampleRate: 8000, bits: 16 },
    ].map((format) => rawFormat({ ...format, size: 16 }));
    const wrongAlign = pcm16.slice();
    wrongAlign[12] = 4;
    for (const body of [...wrong, wrongAlign, pcm16.subarray(0, 14)]) {
      const wav = rawWav([
        { id: 'fmt ', body },
        { id: 'data', body: ten },
      ]);
      assert.equal(
        kindOf(() => parseWav(wav)),
        'not-audio',
      );
    }
  });

  it('rejects an unknown encoding or type of WAV as unsupported', () => {
    const adpcm = rawFormat({ tag: 17, channels: 1, sampleRate: 8000, bits: 8, size: 18 });
    const strange = rawFormat({ tag: 1, channels: 1, sampleRate: 8000, bits: 16, size: 40 });
    strange[39] = 0;
    for (const body of [adpcm, strange]) {
      const wav = rawWav([
        { id: 'fmt ', body },
        { id: 'data', body: ten },
      ]);
      assert.equal(
        kindOf(() => parseWav(wav)),
        'unsupported',
      );
    }
    assert.equal(
      kindOf(() => parseWav(Buffer.from('RIFX\xff\xff\xff\xffWAVE', 'latin1'))),
      'unsupported',
    );
  });

  it('returns a WAV or throws an AudioError for any bytes', () => {
    const wav = rawWav([fmt, { id: 'data', body: ten }]);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(40), (noise, at) => {
        kindOf(() => parseWav(noise));
        kindOf(() => parseWav(bytes(wav.subarray(0, at), noise, wav.subarray(at + noise.length))));
      }),
    );
  });
});

describe('writeWav', () => {
  const format: WavFormat = { encoding: 'pcm', channels: 1, sampleRate: 8000, bitsPerSample: 16 };

  it('writes the plain header of 44 bytes for PCM', () => {
    assert.deepEqual(writeWav(format, [ten]), rawWav([fmt, { id: 'data', body: ten }]));
  });

  it('writes a fact chunk with the number of samples for other encodings', () => {
    const body = rawFormat({ tag: 7, channels: 2, sampleRate: 8000, bits: 8, size: 18 });
    const fact = { id: 'fact', body: Uint8Array.from([5, 0, 0, 0]) };
    const written = writeWav({ ...format, encoding: 'mulaw', channels: 2, bitsPerSample: 8 }, [ten]);
    assert.deepEqual(written, rawWav([{ id: 'fmt ', body }, fact, { id: 'data', body: ten }]));
  });

  it('rejects a file over 4 GiB', () => {
    const piece = new Uint8Array(2 ** 26);
    assert.equal(
      kindOf(() =>
        writeWav(
          format,
          Array.from({ length: 64 }, () => piece),
        ),
      ),
      'unsupported',
    );
  });

  it('writes a header for a stream of unknown length', () => {
    const read = parseWav(bytes(wavHeader(format, undefined), ten));
    assert.deepEqual([read.streaming, read.data.length, read.format], [true, 10, format]);
  });
});
