import assert from 'node:assert/strict';
import { startEncoder } from '../../../../service/kit/audio/encoder.js';
import { analyseSample, SampleError } from '../../../../service/kit/audio/sample.js';
import { decodeWavStart, speechHeader } from '../../../../service/kit/audio/wav.js';
import { tone } from '../../../support/service/service.js';

/** A sample encoding: format tag, bits, and a function that encodes a sample. */
type Write = (bytes: Buffer, at: number, value: number) => void;

const kinds: Array<[name: string, tag: number, bits: number, write: Write]> = [
  ['PCM 8 bit', 1, 8, (bytes, at, value) => bytes.writeUInt8(Math.round(value * 127) + 128, at)],
  ['PCM 16 bit', 1, 16, (bytes, at, value) => bytes.writeInt16LE(Math.round(value * 32_767), at)],
  ['PCM 24 bit', 1, 24, (bytes, at, value) => bytes.writeIntLE(Math.round(value * 8_388_607), at, 3)],
  ['PCM 32 bit', 1, 32, (bytes, at, value) => bytes.writeInt32LE(Math.round(value * 2_147_483_647), at)],
  ['float 32 bit', 3, 32, (bytes, at, value) => bytes.writeFloatLE(value, at)],
  ['float 64 bit', 3, 64, (bytes, at, value) => bytes.writeDoubleLE(value, at)],
];

function wav(tag: number, bits: number, channels: number, data: Buffer, sampleRate = 8000): Buffer {
  const header = Buffer.from(speechHeader(sampleRate, data.length));
  header.writeUInt16LE(tag, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt16LE((channels * bits) / 8, 32);
  header.writeUInt16LE(bits, 34);
  return Buffer.concat([header, data]);
}

describe('decodeWavStart', () => {
  const values = [0, 0.5, -0.5, 0.99, -0.99, 0.25];

  for (const [name, tag, bits, write] of kinds) {
    it(name, () => {
      const data = Buffer.alloc((values.length * bits) / 8);
      for (const [index, value] of values.entries()) write(data, (index * bits) / 8, value);
      const { samples = [] } = decodeWavStart(wav(tag, bits, 1, data), 10) ?? {};
      for (const [index, value] of values.entries()) {
        assert.ok(Math.abs((samples[index] ?? 9) - value) < 0.01, `${samples[index]}, not ${value}`);
      }
    });
  }

  it('mixes two channels into one', () => {
    const data = Buffer.alloc(4);
    data.writeInt16LE(16_384, 0);
    data.writeInt16LE(-16_384, 2);
    assert.deepEqual([...(decodeWavStart(wav(1, 16, 2, data), 10)?.samples ?? [])], [0]);
  });

  /** ITU-T G.711, tables 1a and 2a: codes and their values, relative to 4096 and 8159. */
  const g711: Array<[name: string, tag: number, code: number, value: number]> = [
    ['A-law', 6, 0xd5, 1 / 4096],
    ['A-law', 6, 0x55, -1 / 4096],
    ['A-law', 6, 0xaa, 4032 / 4096],
    ['A-law', 6, 0x2a, -4032 / 4096],
    ['mu-law', 7, 0xff, 0],
    ['mu-law', 7, 0x80, 8031 / 8192],
    ['mu-law', 7, 0x00, -8031 / 8192],
  ];
  for (const [name, tag, code, value] of g711) {
    it(`decodes ${name} 0x${code.toString(16)} as ${value.toFixed(4)}`, () => {
      const [sample = 9] = decodeWavStart(wav(tag, 8, 1, Buffer.from([code])), 10)?.samples ?? [];
      assert.ok(Math.abs(sample - value) < 1e-3, String(sample));
    });
  }

  it('finds the samples after other chunks', () => {
    const plain = wav(1, 16, 1, Buffer.from([0, 64]));
    const junk = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.alloc(4)]);
    const file = Buffer.concat([plain.subarray(0, 36), junk, plain.subarray(36)]);
    assert.deepEqual([...(decodeWavStart(file, 10)?.samples ?? [])], [0.5]);
  });
});

describe('analyseSample', () => {
  const pcm = (samples: Int16Array) => Buffer.from(samples.buffer);
  const refused = (file: Buffer, message: RegExp) =>
    assert.rejects(
      analyseSample(file),
      (error) => error instanceof SampleError && message.test(error.message),
    );

  for (const pitch of [90, 140, 220]) {
    it(`measures a pitch of ${pitch} Hz in a WAV to 1 %`, async () => {
      const facts = await analyseSample(wav(1, 16, 1, pcm(tone(pitch, 2, 44_100)), 44_100));
      assert.ok(Math.abs((facts.pitch ?? 0) / pitch - 1) < 0.01, `${facts.pitch} Hz`);
      assert.ok(Math.abs(facts.seconds - 2) < 0.1, `${facts.seconds} s`);
    });
  }

  it('measures the pitch in an MP3 to 1 %', async () => {
    const encoder = await startEncoder('mp3', 16_000);
    const file = Buffer.concat([encoder.encode(tone(150, 3)), encoder.end()]);
    const { pitch, seconds } = await analyseSample(file);
    assert.ok(Math.abs((pitch ?? 0) / 150 - 1) < 0.01, `${pitch} Hz`);
    assert.ok(Math.abs(seconds - 3) < 0.2, `${seconds} s`);
  });

  it('finds no pitch in noise', async () => {
    let state = 1;
    const noise = Int16Array.from({ length: 16_000 * 2 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 17) - 16_384;
    });
    assert.equal((await analyseSample(wav(1, 16, 1, pcm(noise), 16_000))).pitch, null);
  });

  it('rejects silence', async () => refused(wav(1, 16, 1, Buffer.alloc(64_000)), /silent/));

  it('rejects less than a second of sound in a file of any length', async () => {
    const samples = new Int16Array(16_000 * 4);
    samples.set(tone(150, 0.5));
    await refused(wav(1, 16, 1, pcm(samples), 16_000), /0\.5 s of sound/);
  });
});
