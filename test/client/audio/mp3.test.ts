import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { joinMp3s } from '../../../client/audio/mp3-join.js';
import { parseMp3 } from '../../../client/audio/mp3.js';
import { apeV2, bytes, encodeMp3, encodingName, encodings, id3v1, id3v2, kindOf } from './samples.js';

/** A complete file: an info frame, then the audio frames. */
function withInfo(sound: Uint8Array): Uint8Array {
  return joinMp3s([parseMp3(sound)]).audio;
}

for (const encoding of encodings) {
  describe(encodingName(encoding), () => {
    let sound: Uint8Array;
    before(async () => {
      sound = await encodeMp3(encoding, 0.5);
    });

    it('is read with its sample rate, channels and length', () => {
      const { first, frames, seconds, constantBitrate } = parseMp3(sound);
      assert.deepEqual(
        [first.sampleRate, first.channels, constantBitrate],
        [encoding.sampleRate, encoding.channels, encoding.bitrate !== undefined],
      );
      assert.equal(seconds, (frames * first.samples) / encoding.sampleRate);
      // The encoder adds its delay and pads the last frame.
      assert.ok(seconds > 0.5 && seconds < 0.5 + (4 * first.samples) / encoding.sampleRate, `${seconds} s`);
    });

    it('keeps its frames and drops tags and info frames at any position', () => {
      const { frames } = parseMp3(sound);
      const tags = [id3v2(300), id3v2(5, true), new Uint8Array(100), apeV2(40), id3v1()];
      const read = parseMp3(bytes(...tags, withInfo(sound), ...tags, withInfo(sound), ...tags));
      assert.equal(read.frames, 2 * frames);
      assert.deepEqual(bytes(...read.sound), bytes(sound, sound));
    });

    it('is incomplete if it is truncated at any byte', () => {
      const whole = withInfo(sound);
      for (let length = 0; length < whole.length; length++) {
        assert.notEqual(
          kindOf(() => parseMp3(whole.subarray(0, length))),
          undefined,
          `cut at ${length}`,
        );
      }
      assert.equal(
        kindOf(() => parseMp3(whole.subarray(0, whole.length - 1))),
        'incomplete',
      );
    });
  });
}

describe('parseMp3', () => {
  let sound: Uint8Array;
  before(async () => {
    sound = await encodeMp3({ sampleRate: 22050, channels: 1 }, 0.3);
  });

  it('accepts a file without info frame that ends between two frames, with the remaining frames', () => {
    const { frames, first } = parseMp3(sound);
    for (let length = first.length; length < sound.length; length++) {
      const part = sound.subarray(0, length);
      if (kindOf(() => parseMp3(part)) === undefined) {
        assert.equal(bytes(...parseMp3(part).sound).length, length);
        assert.ok(parseMp3(part).frames < frames);
      }
    }
  });

  it('excludes delay and padding of the encoder from the duration', () => {
    const plain = parseMp3(sound);
    const gapless = { encoder: 'LAME3.100', delay: 576, padding: 700 };
    const read = parseMp3(joinMp3s([{ ...plain, gapless }]).audio);
    assert.deepEqual(read.gapless, gapless);
    assert.equal(read.seconds, (plain.frames * 576 - 1276) / 22050);
  });

  it('rejects a file with other bytes after the audio', () => {
    for (const tail of ['{"status":"error"}', '<html></html>', 'abcdefgh', '\xff\xfb']) {
      assert.equal(
        kindOf(() => parseMp3(bytes(sound, Buffer.from(tail, 'latin1')))),
        'incomplete',
      );
    }
    assert.equal(
      kindOf(() => parseMp3(bytes(sound, new Uint8Array(9000)))),
      'incomplete',
    );
  });

  it('rejects frames of two sample rates in one file', async () => {
    const other = await encodeMp3({ sampleRate: 16000, channels: 1 }, 0.1);
    assert.equal(
      kindOf(() => parseMp3(bytes(sound, other))),
      'incomplete',
    );
  });

  it('reads a file of a single frame', () => {
    const { first } = parseMp3(sound);
    assert.equal(parseMp3(sound.subarray(0, first.length)).frames, 1);
  });

  it('does not count the info frame of Fraunhofer encoders', () => {
    const { first, frames } = parseMp3(sound);
    const vbri = new Uint8Array(first.length);
    vbri.set(sound.subarray(0, 4));
    vbri.set(Buffer.from('VBRI'), 36);
    assert.equal(parseMp3(bytes(vbri, sound)).frames, frames);
  });

  it('does not count an info frame with a checksum before or after the tag', () => {
    const { frames } = parseMp3(sound);
    const info = withInfo(sound).subarray(0, -sound.length);
    const tag = Buffer.from(info).indexOf('Xing');
    for (const shift of [0, 2]) {
      const guarded = new Uint8Array(info.length);
      guarded.set(info.subarray(0, 4));
      guarded.set([(info[1] ?? 0) & 0xfe], 1);
      guarded.set(info.subarray(tag, info.length - shift), tag + shift);
      const read = parseMp3(bytes(guarded, sound));
      assert.deepEqual([read.frames, read.declaresLength], [frames, true]);
    }
  });

  it('rejects a file that ends after its tags or its info frame as incomplete', () => {
    const info = withInfo(sound).subarray(0, -sound.length);
    for (const start of [info, id3v2(40), bytes(id3v2(40), info)]) {
      assert.equal(
        kindOf(() => parseMp3(start)),
        'incomplete',
      );
    }
  });

  it('returns an MP3 or throws an AudioError for any bytes', () => {
    const head = sound.subarray(0, 4);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(600), (noise, at) => {
        kindOf(() => parseMp3(noise));
        kindOf(() => parseMp3(bytes(head, noise)));
        kindOf(() => parseMp3(bytes(id3v2(7), noise)));
        kindOf(() => parseMp3(bytes(sound.subarray(0, at), noise, sound.subarray(at + noise.length))));
      }),
    );
  });
});
