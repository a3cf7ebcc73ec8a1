import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { MPEGDecoder } from 'mpg123-decoder';
import { AudioError, inspectAudio, joinAudio, sniffAudio } from '../../../client/audio/join.js';
import { joinMp3s } from '../../../client/audio/mp3-join.js';
import { parseMp3 } from '../../../client/audio/mp3.js';
import { parseWav } from '../../../client/audio/wav.js';
import {
  bytes,
  encodeMp3,
  encodingName,
  encodings,
  extraChunks,
  id3v1,
  id3v2,
  rawFormat,
  rawWav,
} from './samples.js';

const format = { tag: 1, channels: 1, sampleRate: 16000, bits: 16, size: 16 } as const;
const samples = Uint8Array.from({ length: 3200 }, (_, i) => i);

function wav(options: Partial<Parameters<typeof rawFormat>[0]> = {}, body = samples): Uint8Array {
  return rawWav([
    { id: 'fmt ', body: rawFormat({ ...format, ...options }) },
    { id: 'data', body },
  ]);
}

function audioError(kind: string, message: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof AudioError && error.kind === kind && message.test(error.message);
}

/** Decodes an MP3 like a player. Without `gapless`, the result includes the encoder's padding at both ends. */
async function play(mp3: Uint8Array, enableGapless = true) {
  const decoder = new MPEGDecoder({ enableGapless });
  await decoder.ready;
  const { channelData, samplesDecoded, sampleRate, errors } = decoder.decode(mp3);
  decoder.free();
  const [sound = new Float32Array()] = channelData;
  return { sound, samples: samplesDecoded, rate: sampleRate, errors: errors.length };
}

/** Returns the largest difference between two waves of equal length. */
function difference(a: Float32Array, b: Float32Array): number {
  assert.equal(a.length, b.length);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? 0))), 0);
}

describe('joinAudio of WAV', () => {
  const piece = fc.record({
    sound: fc.uint8Array({ minLength: 1, maxLength: 40 }).map((half) => bytes(half, half)),
    before: extraChunks,
    after: extraChunks,
    size: fc.constantFrom(16 as const, 18 as const, 40 as const),
    streaming: fc.boolean(),
  });

  it('keeps every sample for any kind of piece header', () => {
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
        const files = pieces.map(({ sound, before, after, size, streaming }) => {
          const fmt = { id: 'fmt ', body: rawFormat({ ...format, size }) };
          const data = { id: 'data', body: sound, ...(streaming && { size: 0xffffffff }) };
          return rawWav([...before, fmt, ...before, data, ...(streaming ? [] : after)]);
        });
        const { audio, duration } = joinAudio(files);
        const sound = bytes(...pieces.map((piece) => piece.sound));
        assert.deepEqual(bytes(parseWav(audio).data), sound);
        assert.ok(Math.abs(duration - sound.length / 32000) < 1e-9);
      }),
    );
  });

  it('returns the start and the duration of each piece', () => {
    const { pieces, duration, mime } = joinAudio([wav(), wav({}, samples.subarray(0, 1600)), wav()]);
    assert.deepEqual(pieces, [
      { start: 0, duration: 0.1 },
      { start: 0.1, duration: 0.05 },
      { start: pieces[2]?.start, duration: 0.1 },
    ]);
    assert.deepEqual(
      [mime, duration.toFixed(6), pieces[2]?.start.toFixed(6)],
      ['audio/wav', '0.250000', '0.150000'],
    );
  });

  it('returns a single complete file unchanged', () => {
    const file = wav();
    assert.equal(joinAudio([file]).audio, file);
  });

  it('gives a single streamed WAV a header that declares its length', () => {
    const stream = rawWav(
      [
        { id: 'fmt ', body: rawFormat(format) },
        { id: 'data', body: samples, size: 0 },
      ],
      0,
    );
    assert.deepEqual(joinAudio([stream]).audio, wav());
  });

  it('names the piece that differs and the difference', () => {
    assert.throws(
      () => joinAudio([wav(), wav({ sampleRate: 22050 })]),
      audioError(
        'mismatch',
        /^piece 2 is WAV pcm 16 bit 22050 Hz mono, piece 1 is WAV pcm 16 bit 16000 Hz mono$/,
      ),
    );
    for (const other of [{ channels: 2 }, { bits: 8 }, { bits: 32, tag: 3 }]) {
      assert.throws(() => joinAudio([wav(), wav(), wav(other)]), audioError('mismatch', /^piece 3 /));
    }
  });

  it('names the piece that is not complete audio', () => {
    const page = Buffer.from('<html>busy</html>');
    assert.throws(() => joinAudio([wav(), page]), audioError('not-audio', /^piece 2: .*apparently HTML/));
    assert.throws(
      () => joinAudio([wav().subarray(0, 90), page]),
      audioError('incomplete', /^piece 1: .*truncated/),
    );
    assert.throws(() => joinAudio([]), audioError('not-audio', /no audio/));
  });
});

for (const encoding of encodings) {
  describe(`joinAudio of ${encodingName(encoding)}`, () => {
    let files: Uint8Array[];
    before(async () => {
      files = await Promise.all([0.3, 0.5, 0.2].map((seconds) => encodeMp3(encoding, seconds)));
    });

    it('contains the frames of all pieces, and declares their number in the info frame', () => {
      const counts = files.map((file) => parseMp3(file).frames);
      const { audio, duration, mime } = joinAudio(files.map((file) => bytes(id3v2(20), file, id3v1())));
      const read = parseMp3(audio);
      assert.deepEqual(bytes(...read.sound), bytes(...files));
      assert.equal(
        read.frames,
        counts.reduce((a, b) => a + b, 0),
      );
      assert.equal(read.declaresLength, true);
      assert.deepEqual([mime, duration], ['audio/mpeg', read.seconds]);
    });

    it('decodes without an error to the full length', async () => {
      const { audio, duration } = joinAudio(files);
      const { samples, rate, errors } = await play(audio);
      assert.deepEqual([rate, errors], [encoding.sampleRate, 0]);
      const { first } = parseMp3(audio);
      assert.ok(
        Math.abs(samples - duration * encoding.sampleRate) <= first.samples,
        `${samples} samples, ${duration} s`,
      );
    });

    it('decodes to the same wave as its pieces', async () => {
      const whole = await play(joinAudio(files).audio, false);
      let start = 0;
      for (const file of files) {
        const { sound } = await play(file, false);
        // The decoder overlaps the start of a piece with the end of the previous piece.
        const blend = 2 * parseMp3(file).first.samples;
        const there = whole.sound.subarray(start + blend, start + sound.length);
        assert.ok(difference(there, sound.subarray(blend)) < 1e-4);
        start += sound.length;
      }
      assert.equal(whole.sound.length, start);
    });

    it('starts each piece at the end of the previous piece', () => {
      const { pieces, duration } = joinAudio(files);
      const ends = pieces.map((piece) => (piece.start + piece.duration).toFixed(6));
      assert.deepEqual([pieces[1]?.start.toFixed(6), pieces[2]?.start.toFixed(6), duration.toFixed(6)], ends);
    });
  });
}

describe('joinAudio of MP3', () => {
  const encoding = { sampleRate: 22050, channels: 1, bitrate: 64 } as const;
  let file: Uint8Array;
  before(async () => {
    file = await encodeMp3(encoding, 0.4);
  });

  /** An MP3 with delay and padding in its info frame, as LAME writes it. */
  function gaplessFile(): Uint8Array {
    const plain = parseMp3(file);
    const padding = plain.frames * plain.first.samples - 576 - 8820;
    return joinMp3s([{ ...plain, gapless: { encoder: 'LAME3.100', delay: 576, padding } }]).audio;
  }

  it('declares the padding at both ends, so that players skip it', async () => {
    const { audio, duration } = joinAudio([gaplessFile(), gaplessFile()]);
    const { samples, errors } = await play(audio);
    assert.deepEqual([samples, errors], [Math.round(duration * 22050), 0]);
  });

  it('starts a piece after the padding that its encoder added at the seam', () => {
    const { pieces } = joinAudio([gaplessFile(), gaplessFile()]);
    const spans = pieces.map(({ start, duration }) => [
      Math.round(start * 22050),
      Math.round(duration * 22050),
    ]);
    assert.deepEqual(spans, [
      [0, 8820],
      [parseMp3(file).frames * 576, 8820],
    ]);
  });

  it('has a seek table that points to the right part of the file', async () => {
    const quiet = await encodeMp3({ sampleRate: 22050, channels: 1 }, 0.4);
    const { audio } = joinAudio([file, quiet]);
    const at = Buffer.from(audio).indexOf('Xing');
    assert.ok(at > 0);
    const table = audio.subarray(at + 16, at + 116);
    const middle = (256 * (audio.length - quiet.length)) / audio.length;
    const share = parseMp3(file).frames / (parseMp3(file).frames + parseMp3(quiet).frames);
    assert.ok(Math.abs((table[Math.round(share * 100)] ?? 0) - middle) < 8);
    assert.deepEqual(
      [...table],
      [...table].sort((a, b) => a - b),
    );
  });

  it('marks a joined file of constant bit rate as constant', () => {
    const { audio } = joinAudio([file, file]);
    assert.ok(Buffer.from(audio).indexOf('Info') > 0);
    assert.equal(parseMp3(audio).constantBitrate, true);
  });

  it('returns a single file with an info frame unchanged, and adds an info frame to any other', () => {
    const { audio } = joinAudio([file]);
    assert.equal(parseMp3(audio).declaresLength, true);
    assert.equal(joinAudio([audio]).audio, audio);
  });

  it('names the piece with another sample rate, channel count or format', async () => {
    const slow = await encodeMp3({ sampleRate: 16000, channels: 1 }, 0.1);
    const wide = await encodeMp3({ sampleRate: 22050, channels: 2 }, 0.1);
    const message = /^piece 2 is MP3 16000 Hz mono, piece 1 is MP3 22050 Hz mono$/;
    assert.throws(() => joinAudio([file, slow]), audioError('mismatch', message));
    assert.throws(() => joinAudio([file, wide]), audioError('mismatch', /^piece 2 is MP3 22050 Hz stereo/));
    assert.throws(
      () => joinAudio([file, wav()]),
      audioError('mismatch', /^piece 2 is WAV .* piece 1 is MP3/),
    );
  });
});

describe('sniffAudio and inspectAudio', () => {
  const strangers = {
    HTML: '<!doctype html><title>502</title>',
    JSON: '{"status":"error","message":"busy"}',
    PNG: '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
    Ogg: 'OggS\0\x02\0\0\0\0',
    FLAC: 'fLaC\0\0\0"',
    M4A: '\0\0\0\x20ftypM4A \0\0\0\0',
    AVI: 'RIFF\x20\0\0\0AVI LIST',
    AAC: '\xff\xf1\x50\x80\x2e\x7f\xfc',
    'UTF-16 text': '\xff\xfeh\0i\0',
    'text about tags': 'ID3 and TAG are tags',
    nothing: '',
  };
  for (const [name, text] of Object.entries(strangers)) {
    it(`reject ${name}`, () => {
      const content = Buffer.from(text, 'latin1');
      assert.equal(sniffAudio(content), undefined);
      assert.throws(() => inspectAudio(content), AudioError);
    });
  }

  it('reject random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000, size: 'max' }), (noise) => {
        assert.throws(() => inspectAudio(noise), AudioError);
      }),
    );
  });

  it('recognize WAV and MP3 by their first bytes', async () => {
    const mp3 = await encodeMp3({ sampleRate: 44100, channels: 2 }, 0.1);
    assert.equal(sniffAudio(wav().subarray(0, 12)), 'wav');
    assert.equal(sniffAudio(mp3.subarray(0, 12)), 'mp3');
    assert.equal(sniffAudio(bytes(id3v2(3000), mp3).subarray(0, 12)), 'mp3');
    assert.equal(sniffAudio(bytes(id3v2(30), mp3)), 'mp3');
  });

  it('return the properties of a file', async () => {
    const description = 'WAV pcm 16 bit 16000 Hz mono';
    const expected = {
      format: 'wav',
      mime: 'audio/wav',
      duration: 0.1,
      channels: 1,
      sampleRate: 16000,
      description,
    };
    assert.deepEqual(inspectAudio(wav()), expected);
    const { format, channels, sampleRate } = inspectAudio(
      await encodeMp3({ sampleRate: 11025, channels: 2 }, 0.1),
    );
    assert.deepEqual([format, channels, sampleRate], ['mp3', 2, 11025]);
  });

  it('reject a file without samples', () => {
    assert.throws(
      () => inspectAudio(wav({}, samples.subarray(0, 0))),
      audioError('incomplete', /no samples/),
    );
  });
});
