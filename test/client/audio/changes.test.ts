import assert from 'node:assert/strict';
import { AudioError } from '../../../client/base/audio-error.js';
import { apeProof } from '../../../client/audio/ape-tag.js';
import { joinAudio, parseAudio } from '../../../client/audio/join.js';
import { id3Mark } from '../../../client/audio/mark.js';
import { withMark } from '../../../client/audio/mark-in-file.js';
import { MarkSigner, MP3_SOUND, newMarkKey, proofFor } from '../../../client/audio/signature.js';
import { verifyAudio } from '../../../client/audio/verify.js';
import { writeWav } from '../../../client/audio/wav.js';
import { bytes, encodeMp3 } from './samples.js';

const signer = new MarkSigner(newMarkKey());
const mark = { voice: 'Zoë', language: 'en-us', signer };
const format = { encoding: 'pcm', channels: 1, sampleRate: 8000, bitsPerSample: 16 } as const;
const samples = Uint8Array.from({ length: 80 }, (_, index) => index * 7);

/** The verdict, or the error of a file that is no audio any more. */
function verdictOf(file: Uint8Array): string {
  try {
    return verifyAudio(file, [signer.key]).verdict;
  } catch (error) {
    assert.ok(error instanceof AudioError, String(error));
    return error.kind;
  }
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Creates a chunk of a WAV. */
function chunk(id: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(8, id, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

/** Returns a copy with the right size in the header of the RIFF. */
function sized(...parts: Uint8Array[]): Buffer {
  const file = Buffer.concat(parts);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

/** Returns the offsets of all bytes with one changed bit that does not give `changed`, with the verdict. */
function unnoticed(file: Uint8Array, isFree: (at: number) => boolean): string[] {
  const found: string[] = [];
  for (let at = 0; at < file.length; at++) {
    for (let bit = 0; bit < 8 && !isFree(at); bit++) {
      const copy = Uint8Array.from(file);
      copy[at] = (copy[at] ?? 0) ^ (1 << bit);
      const verdict = verdictOf(copy);
      if (verdict !== 'changed') found.push(`byte ${at}, bit ${bit}: ${verdict}`);
    }
  }
  return found;
}

/** Returns whether an offset is in one of the places, each with its start and length. */
const within =
  (...places: [start: number, length: number][]) =>
  (at: number): boolean =>
    places.some(([start, length]) => at >= start && at < start + length);

/** docs/outputs.md#signature */
describe('each change of a signed file', () => {
  let mp3: Uint8Array;

  before(async () => {
    mp3 = joinAudio([await encodeMp3({ sampleRate: 24000, channels: 1, bitrate: 32 }, 0.03)]).audio;
  });

  /** The offset of the first byte of a text. */
  const find = (file: Uint8Array, text: string): number => {
    const at = Buffer.from(file).indexOf(text, 0, 'latin1');
    assert.ok(at >= 0, text);
    return at;
  };

  /** The info frame at the start of the plain MP3. */
  function infoFrame(): Uint8Array {
    const audio = parseAudio(mp3);
    assert.ok(audio.format === 'mp3');
    const [first] = audio.mp3.sound;
    return mp3.subarray(0, (first?.byteOffset ?? 0) - mp3.byteOffset);
  }

  /** The name and the text of the product in the tag of an MP3, and the info frame. */
  function freeInMp3(file: Uint8Array): (at: number) => boolean {
    const info = infoFrame();
    const product = find(file, 'TSSE');
    const start = Buffer.from(file).indexOf(info);
    return within([product, 4], [product + 8, 3 + 'Herald'.length], [start, info.length]);
  }

  it('is noticed in a WAV, down to a single bit, except in the entry with the name of the program', () => {
    for (const data of [samples, bytes(samples, samples.subarray(1))]) {
      const file = withMark(
        writeWav({ ...format, bitsPerSample: data.length % 2 === 0 ? 16 : 8 }, [data]),
        mark,
      );
      const product = find(file, 'ISFT');
      assert.equal(verdictOf(file), 'unchanged');
      assert.deepEqual(unnoticed(file, within([product, 4], [product + 8, 'Herald\0\0'.length])), []);
    }
  });

  it('is noticed in an MP3, down to a single bit, except in the name of the program and in the info frame', () => {
    const file = withMark(mp3, mark);
    assert.equal(verdictOf(file), 'unchanged');
    assert.deepEqual(unnoticed(file, freeInMp3(file)), []);
  });

  it('is noticed in a streamed MP3, whose signature follows the audio', () => {
    const audio = parseAudio(mp3);
    assert.ok(audio.format === 'mp3');
    const proof = proofFor(mark, MP3_SOUND, audio.mp3.sound);
    assert.ok(proof !== undefined);
    const file = bytes(id3Mark(mark), mp3, apeProof(proof));
    assert.equal(verdictOf(file), 'unchanged');
    assert.deepEqual(unnoticed(file, freeInMp3(file)), []);
  });

  it('is noticed if the last byte is missing', () => {
    for (const file of [withMark(writeWav(format, [samples]), mark), withMark(mp3, mark)])
      assert.equal(verdictOf(file.subarray(0, -1)), 'changed');
  });

  it('is noticed if a WAV has a second block of audio, a second format, or bytes after its end', () => {
    const file = withMark(writeWav(format, [samples]), mark);
    const second = chunk('data', samples.toReversed());
    const another = chunk('fmt ', file.subarray(20, 36));
    for (const added of [second, another, chunk('LIST', latin1('INFO')), latin1('x'), Buffer.alloc(1)])
      assert.equal(verdictOf(bytes(file, added)), 'changed');
    for (const added of [second, another, latin1('x'), Buffer.alloc(1), Buffer.alloc(7)])
      assert.equal(verdictOf(sized(file, added)), 'changed');
    assert.equal(verdictOf(sized(file.subarray(0, 36), second, file.subarray(36))), 'changed');
  });

  it('is noticed if an MP3 has zeros, or frames that only look like metadata, after its audio', () => {
    const file = withMark(mp3, mark);
    const sound = mp3.subarray(infoFrame().length);
    const size = Uint8Array.of(0, 0, sound.length >>> 7, sound.length & 127);
    const hidden = bytes(latin1('ID3\x04\0\0'), size, sound);
    for (const added of [Buffer.alloc(1), Buffer.alloc(2000), infoFrame(), hidden])
      assert.equal(verdictOf(bytes(file, added)), 'changed', String(added.length));
  });

  it('is noticed if a file has two marks', () => {
    for (const plain of [writeWav(format, [samples]), mp3]) {
      const file = withMark(plain, mark);
      const again = withMark(plain, { voice: 'Ann' });
      const both =
        plain === mp3
          ? bytes(again.subarray(0, again.length - mp3.length), file)
          : sized(file, again.subarray(plain.length));
      assert.equal(verdictOf(both), 'changed');
    }
  });

  it('allows a title in the chunk or the tag of the mark, in other chunks and in a tag at the end', () => {
    const wav = withMark(writeWav(format, [samples]), mark);
    const at = find(wav, 'LIST');
    const title = chunk('INAM', latin1('abc\0'));
    const list = chunk('LIST', Buffer.concat([wav.subarray(at + 8), title]));
    assert.equal(verdictOf(sized(wav.subarray(0, at), list)), 'unchanged');
    assert.equal(verdictOf(sized(wav, chunk('LIST', Buffer.concat([latin1('INFO'), title])))), 'unchanged');
    const id3v1 = Buffer.alloc(128, 'TAGabc', 'latin1').fill(0, 6).fill(0xff, 127);
    assert.equal(verdictOf(bytes(withMark(mp3, mark), id3v1)), 'unchanged');
  });

  it('is told apart from a file that Herald has just signed, also from a WAV that players read differently', () => {
    const plain = writeWav(format, [samples]);
    const odd = [
      sized(plain, chunk('data', samples)),
      bytes(plain, latin1('rest')),
      sized(plain, chunk('fmt ', plain.subarray(20, 36))),
    ];
    for (const file of odd) assert.equal(verdictOf(withMark(file, mark)), 'unchanged');
    assert.equal(verdictOf(withMark(bytes(mp3, Buffer.alloc(9)), mark)), 'unchanged');
  });
});
