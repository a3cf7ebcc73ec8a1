import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inspectAudio, joinAudio, parseAudio } from '../../../client/audio/join.js';
import { id3Mark, type Mark, MAX_VALUE_BYTES, wavMark } from '../../../client/audio/mark.js';
import { readMark, withMark, withoutMark } from '../../../client/audio/mark-in-file.js';
import { wavHeader, writeWav } from '../../../client/audio/wav.js';
import { bytes, encodeMp3, encodings, id3v2, kindOf, rawFormat, rawWav } from './samples.js';
import { anyText } from '../../support/any-text.js';

const mark: Mark = { product: 'Herald', voice: 'slt', language: 'en-us' };
const other: Mark = { product: 'Other', voice: 'rms' };
const format = { encoding: 'pcm', channels: 1, sampleRate: 8000, bitsPerSample: 16 } as const;
const samples = Uint8Array.from({ length: 320 }, (_, index) => index);
const wav = writeWav(format, [samples]);

/** Texts that a voice could have as its id: quotes, emoji, control characters, single surrogates, several kilobytes. */
const text = fc.oneof(
  anyText({ minLength: 1, maxLength: 40 }),
  fc.constantFrom('"; synthetic-speech=false', "'\\", '100%', '%zz', 'a=b;c', '\0', '\ud800', '👩‍🎤', 'ÿþ'),
  fc.string({ unit: 'grapheme', minLength: 3000, maxLength: 4096 }),
);
const marks: fc.Arbitrary<Mark> = fc.record({ product: text, voice: text, language: text });

/** The number of marks in a file, found without the functions under test. */
const markCount = (file: Uint8Array): number =>
  Buffer.from(file)
    .toString('latin1')
    .split(/synthetic-speech[=\0]true/).length - 1;

/** The audio of a file without header, tags and chunks. */
function soundOf(file: Uint8Array): Uint8Array {
  const audio = parseAudio(file);
  return bytes(...(audio.format === 'wav' ? [audio.wav.data] : audio.mp3.sound));
}

describe('the mark of synthetic speech', () => {
  let mp3: Uint8Array;

  before(async () => {
    mp3 = await encodeMp3({ sampleRate: 24000, channels: 1, bitrate: 32 }, 0.2);
  });

  it('has the product, the voice and the language in a WAV and in an MP3', () => {
    for (const file of [wav, mp3]) assert.deepEqual(readMark(withMark(file, mark)), mark);
    assert.match(
      Buffer.from(wavMark(mark)).toString('latin1'),
      /^LIST.{4}INFOISFT.{4}Herald\0\0ICMT.{4}synthetic-speech=true; digital-source-type=http:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/trainedAlgorithmicMedia; product=Herald; voice=slt; language=en-us\0+$/s,
    );
  });

  it('stays small, even and readable for any voice, also one of 4 KB', () => {
    fc.assert(
      fc.property(marks, (hostile) => {
        const chunk = wavMark(hostile);
        const tag = id3Mark(hostile);
        assert.equal(chunk.length % 2, 0);
        assert.ok(chunk.length < 2500 && tag.length < 1000);
        assert.equal(Buffer.from(chunk).readUInt32LE(4), chunk.length - 8);
        assert.ok(!tag.includes(0xff), 'resembles the start of a frame');
        const read = readMark(withMark(wav, hostile));
        assert.deepEqual(read, readMark(withMark(mp3, hostile)));
        assert.deepEqual(readMark(withMark(wav, read ?? hostile)), read);
        assert.ok(Buffer.byteLength(read?.voice ?? '') <= MAX_VALUE_BYTES);
      }),
    );
  });

  it('keeps a short voice with quotes, accents and emoji', () => {
    for (const voice of ['Zoë "the best"', "L'été; a=b", '声 👩‍🎤', '50%', '%41']) {
      for (const file of [wav, mp3])
        assert.equal(readMark(withMark(file, { product: 'x', voice }))?.voice, voice);
    }
  });

  it('changes neither the audio nor its description, and leaves no trace when removed', () => {
    fc.assert(
      fc.property(marks, fc.constantFrom(wav, mp3), (some, file) => {
        const marked = withMark(file, some);
        assert.deepEqual(soundOf(marked), soundOf(file));
        assert.deepEqual(inspectAudio(marked), inspectAudio(file));
        assert.deepEqual(bytes(withoutMark(marked)), bytes(file));
        assert.deepEqual(bytes(withMark(withMark(file, other), some)), bytes(marked));
      }),
    );
  });

  it('is once in joined audio: the mark of the first marked piece', () => {
    const pieces = fc.array(fc.option(fc.constantFrom(mark, other), { nil: undefined }), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(pieces, fc.constantFrom(wav, mp3), (perPiece, file) => {
        const files = perPiece.map((own) => (own === undefined ? file : withMark(file, own)));
        const { audio, duration } = joinAudio(files);
        const first = perPiece.find((own) => own !== undefined);
        assert.deepEqual(readMark(audio), first);
        assert.equal(markCount(audio), first === undefined ? 0 : 1);
        assert.deepEqual(bytes(withoutMark(audio)), bytes(joinAudio(perPiece.map(() => file)).audio));
        assert.equal(duration, joinAudio(perPiece.map(() => file)).duration);
      }),
    );
  });

  it('is the same whether pieces are joined at once or in groups', () => {
    const files = [withMark(wav, mark), wav, withMark(wav, other), wav];
    const { audio } = joinAudio(files);
    for (const at of [1, 2, 3]) {
      const groups = [files.slice(0, at), files.slice(at)].map((group) => joinAudio(group).audio);
      assert.deepEqual(bytes(joinAudio(groups).audio), bytes(audio));
    }
  });

  it('is read from the header of a stream, and survives the header with the length', () => {
    const live = bytes(wavHeader(format, undefined, { before: wavMark(mark) }), samples);
    assert.deepEqual(readMark(live), mark);
    const { audio, duration } = joinAudio([live]);
    assert.deepEqual([readMark(audio), markCount(audio), duration], [mark, 1, 0.02]);
    assert.deepEqual(bytes(withMark(live, mark)), bytes(withMark(wav, mark)));
  });

  it('keeps other chunks and tags', () => {
    const extra = { id: 'bext', body: Uint8Array.of(1, 2, 3) };
    const foreign = rawWav([
      extra,
      { id: 'fmt ', body: rawFormat({ tag: 1, channels: 1, sampleRate: 8000, bits: 16, size: 16 }) },
      { id: 'data', body: samples },
      { id: 'LIST', body: Buffer.from('INFOINAM\x04\0\0\0abc\0') },
    ]);
    assert.deepEqual(bytes(withoutMark(withMark(foreign, mark))), foreign);
    const tagged = bytes(id3v2(30), mp3);
    assert.deepEqual(bytes(withoutMark(withMark(tagged, mark))), tagged);
  });

  it('is not found in files without a mark, and in damaged ones', () => {
    const marked = [withMark(wav, mark), withMark(mp3, mark)];
    for (const file of [wav, mp3, id3v2(50), new Uint8Array()]) assert.equal(readMark(file), undefined);
    fc.assert(
      fc.property(fc.constantFrom(...marked), fc.nat(), fc.nat(255), (file, at, value) => {
        const damaged = Uint8Array.from(file);
        damaged[at % damaged.length] = value;
        readMark(damaged);
        readMark(damaged.subarray(0, at % damaged.length));
      }),
    );
  });

  it('is refused for bytes that are neither WAV nor MP3', () => {
    for (const other of [Buffer.from('<html></html>'), Buffer.from('RIFF\0\0\0\0AVI '), new Uint8Array()])
      assert.equal(
        kindOf(() => withMark(other, mark)),
        'not-audio',
      );
  });

  it('lets every kind of MP3 declare its duration and its padding', async () => {
    for (const encoding of encodings) {
      const piece = await encodeMp3(encoding, 0.2);
      const { audio, duration } = joinAudio([withMark(piece, mark), piece]);
      const parsed = parseAudio(audio);
      assert.ok(parsed.format === 'mp3' && parsed.mp3.declaresLength);
      assert.equal(inspectAudio(audio).duration, duration);
    }
  });
});
