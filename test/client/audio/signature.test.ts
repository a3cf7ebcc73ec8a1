import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { mock } from 'node:test';
import * as fc from 'fast-check';
import { AudioError } from '../../../client/base/audio-error.js';
import { joinAudio, joinParsed, parseAudio } from '../../../client/audio/join.js';
import { withMark, withoutMark } from '../../../client/audio/mark-in-file.js';
import { MarkSigner, newMarkKey } from '../../../client/audio/signature.js';
import { type Verification, verifyAudio } from '../../../client/audio/verify.js';
import { wavHeader, writeWav } from '../../../client/audio/wav.js';
import { bytes, encodeMp3, encodings, id3v2 } from './samples.js';
import { anyText } from '../../support/any-text.js';

const signer = new MarkSigner(newMarkKey());
const other = new MarkSigner(newMarkKey());
const mark = { voice: 'Zoë "the 1st"', language: 'en-us', signer };
const format = { encoding: 'pcm', channels: 1, sampleRate: 8000, bitsPerSample: 16 } as const;
const samples = Uint8Array.from({ length: 320 }, (_, index) => index * 7);
const wav = writeWav(format, [samples]);

const verdictOf = (file: Uint8Array, keys = [signer.key]): Verification['verdict'] =>
  verifyAudio(file, keys).verdict;

/** Returns the verdict, or `not-audio` for a file that is no audio any more. */
function verdictOrError(file: Uint8Array): string {
  try {
    return verdictOf(file);
  } catch (error) {
    assert.ok(error instanceof AudioError, String(error));
    return error.kind;
  }
}

/** Returns the file with another byte at an offset. */
function damaged(file: Uint8Array, at: number, change: number): Uint8Array {
  const copy = Uint8Array.from(file);
  copy[at] = (copy[at] ?? 0) ^ change;
  return copy;
}

/** Returns the file with a text of the same length in place of another one. */
const replaced = (file: Uint8Array, former: string, text: string): Uint8Array =>
  bytes(Buffer.from(Buffer.from(file).toString('latin1').replace(former, text), 'latin1'));

/** The offsets of the audio in a file, as start and end. */
function soundIn(file: Uint8Array): [start: number, end: number] {
  const audio = parseAudio(file);
  const sound = audio.format === 'wav' ? [audio.wav.data] : audio.mp3.sound;
  const last = sound.at(-1);
  return [
    (sound[0]?.byteOffset ?? 0) - file.byteOffset,
    (last?.byteOffset ?? 0) + (last?.length ?? 0) - file.byteOffset,
  ];
}

/** docs/outputs.md#signature */
describe('a check of a hostile file', () => {
  it('rejects an Ogg of empty packets instead of filling the memory', () => {
    const page = new Uint8Array(27 + 255);
    page.set(Buffer.from('OggS', 'latin1'));
    page[26] = 255;
    const file = Buffer.concat(Array.from({ length: 3000 }, () => page));
    assert.throws(
      () => verifyAudio(file, []),
      (error) => error instanceof AudioError && /packets/.test(error.message),
    );
  });

  it('ignores a tag of AAC with hundreds of thousands of fields', () => {
    const frame = Buffer.from('TXXX\0\0\0\x02\0\0\x03\0', 'latin1');
    const fields = Buffer.concat(Array.from({ length: 400_000 }, () => frame));
    const size = [21, 14, 7, 0].map((bits) => (fields.length >>> bits) & 0x7f);
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), Buffer.from(size), fields]);
    const adts = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x01, 0x1f, 0xfc, 0]);
    assert.equal(verifyAudio(Buffer.concat([tag, adts]), []).verdict, 'unmarked');
  });
});

describe('the signature of a mark', () => {
  const plain: Record<'wav' | 'mp3', Uint8Array> = { wav, mp3: new Uint8Array() };

  before(async () => {
    // An info frame declares the length, as in all files of a service.
    plain.mp3 = joinAudio([await encodeMp3({ sampleRate: 24000, channels: 1, bitrate: 32 }, 0.2)]).audio;
  });

  for (const container of ['wav', 'mp3'] as const) {
    describe(`in ${container}`, () => {
      let signed: Uint8Array;
      before(() => {
        signed = withMark(plain[container], mark);
      });

      it('says that the file is unchanged, with voice, language and key', () => {
        const { signer: _, ...facts } = mark;
        assert.deepEqual(verifyAudio(signed, [other.key, signer.key]), {
          verdict: 'unchanged',
          mark: { product: 'Herald', ...facts },
          key: signer.key,
        });
      });

      it('tells the file of another Herald, which has another key', () => {
        assert.equal(verdictOf(signed, [other.key]), 'foreign');
        assert.equal(verdictOf(signed, []), 'foreign');
      });

      it('detects each changed byte of the audio', () => {
        const [start, end] = soundIn(signed);
        fc.assert(
          fc.property(
            fc.integer({ min: start, max: end - 1 }),
            fc.integer({ min: 1, max: 255 }),
            (at, change) => assert.equal(verdictOf(damaged(signed, at, change)), 'changed'),
          ),
        );
      });

      it('fits no other audio, voice, language or sample rate', () => {
        assert.equal(verdictOf(replaced(signed, 'en-us', 'en-gb')), 'changed');
        assert.equal(verdictOf(replaced(signed, '1st', '2nd')), 'changed');
        assert.equal(verdictOf(replaced(signed, signer.key, other.key)), 'changed');
        const twice = joinAudio([plain[container], plain[container]]).audio;
        const { signature } = proofIn(signed);
        assert.equal(
          verdictOf(replaced(withMark(twice, mark), proofIn(withMark(twice, mark)).signature, signature)),
          'changed',
        );
      });

      it('never says unchanged for a file that is cut off or damaged in its audio', () => {
        const [start, end] = soundIn(signed);
        fc.assert(
          fc.property(fc.nat(signed.length - 1), (length) => {
            const verdict = verdictOrError(signed.subarray(0, length));
            if (length < end) assert.notEqual(verdict, 'unchanged');
          }),
        );
        fc.assert(
          fc.property(fc.nat(signed.length - 1), fc.nat(255), fc.nat(), (at, value, length) => {
            const damage = Uint8Array.from(signed);
            damage[at] = value;
            const isSame = value === signed[at] || at < start || at >= end;
            if (!isSame) assert.notEqual(verdictOrError(damage), 'unchanged');
            verdictOrError(damage.subarray(0, length % damage.length));
          }),
        );
      });

      it('stays valid with other metadata', () => {
        const extended =
          container === 'mp3'
            ? bytes(id3v2(30), signed)
            : sizedRiff(bytes(signed, Buffer.from('LIST\x10\0\0\0INFOINAM\x04\0\0\0abc\0', 'latin1')));
        assert.equal(verdictOf(extended), 'unchanged');
      });

      it('goes with the mark, so that a file without it is unmarked', () => {
        assert.equal(verdictOf(withoutMark(signed)), 'unmarked');
        assert.equal(verdictOf(plain[container]), 'unmarked');
        assert.deepEqual(bytes(withoutMark(signed)), bytes(plain[container]));
      });

      it('is absent without a key', () => {
        assert.equal(verdictOf(withMark(plain[container], { voice: 'slt' })), 'unsigned');
      });

      it('is new in joined audio if the program has a key, and absent otherwise', () => {
        const piece = withMark(plain[container], { ...mark, signer: other });
        assert.equal(verdictOf(joinAudio([piece]).audio, [other.key]), 'unchanged');
        assert.equal(verdictOf(joinAudio([piece, piece]).audio), 'unsigned');
        fc.assert(
          fc.property(
            fc.array(fc.constantFrom(piece, plain[container], signed), { minLength: 1, maxLength: 4 }),
            (pieces) => {
              const { audio } = joinParsed(pieces.map(parseAudio), mark);
              assert.equal(verdictOf(audio), 'unchanged');
            },
          ),
        );
      });
    });
  }

  it('is the same for the same audio, so that equal speech stays equal bytes', () => {
    assert.deepEqual(bytes(withMark(wav, mark)), bytes(withMark(wav, mark)));
  });

  it('is valid for audio and voices of any kind, also after a header with the length', () => {
    const text = anyText({ maxLength: 40 });
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 50 }), text, text, (data, voice, language) => {
        const even = bytes(data, data);
        const own = { product: 'Other', voice, language, signer };
        assert.equal(verdictOf(withMark(writeWav(format, [even]), own)), 'unchanged');
        assert.equal(verdictOf(withMark(bytes(wavHeader(format, undefined), even), own)), 'unchanged');
      }),
    );
  });

  it('is computed once for equal speech, however often it is announced', () => {
    const busy = new MarkSigner(newMarkKey());
    const { mock: calls } = mock.method(crypto, 'sign');
    try {
      const file = withMark(wav, { ...mark, signer: busy });
      for (let count = 0; count < 10; count++)
        assert.deepEqual(withMark(wav, { ...mark, signer: busy }), file);
      assert.equal(calls.callCount(), 1);
      assert.notDeepEqual(withMark(wav, { ...mark, voice: 'Ann', signer: busy }), file);
      assert.equal(calls.callCount(), 2);
    } finally {
      calls.restore();
    }
  });

  it('costs no digest without a key', () => {
    const { mock: calls } = mock.method(crypto, 'createHash');
    try {
      withMark(wav, { voice: 'Ann' });
      assert.equal(calls.callCount(), 0);
      withMark(wav, mark);
      assert.equal(calls.callCount(), 1);
    } finally {
      calls.restore();
    }
  });

  it('is valid for more different texts than the signer remembers', () => {
    const busy = new MarkSigner(newMarkKey());
    for (let count = 0; count < 600; count++) {
      const file = withMark(wav, { ...mark, voice: `voice ${count % 300}`, signer: busy });
      assert.equal(verdictOf(file, [busy.key]), 'unchanged');
    }
  });

  it('is valid for every kind of MP3', async () => {
    for (const encoding of encodings) {
      const piece = withMark(await encodeMp3(encoding, 0.2), mark);
      assert.equal(verdictOf(piece), 'unchanged');
      assert.equal(verdictOf(joinParsed([parseAudio(piece), parseAudio(piece)], mark).audio), 'unchanged');
    }
  });

  it('is refused for files that can have no mark', () => {
    for (const file of [Buffer.from('<html></html>'), Buffer.from('%PDF-1.7'), new Uint8Array(), samples])
      assert.throws(() => verifyAudio(file, []), { name: 'AudioError' });
  });

  it('needs an Ed25519 key', () => {
    assert.throws(() => new MarkSigner('-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n'));
    assert.match(signer.key, /^[\w-]{43}$/);
  });
});

function proofIn(file: Uint8Array): { signature: string } {
  const signature = /signature[=\0]([\w-]{86})/.exec(Buffer.from(file).toString('latin1'))?.[1];
  assert.ok(signature !== undefined);
  return { signature };
}

/** Writes the size of a RIFF file with further chunks. */
function sizedRiff(file: Uint8Array): Uint8Array {
  new DataView(file.buffer, file.byteOffset).setUint32(4, file.length - 8, true);
  return file;
}
