import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { AudioError, MarkSigner, newMarkKey, verifyAudio } from '@herald-speech/client/audio';
import { describeWith } from '../../support/programs/describe-with.js';
import { startEncoder } from '../../../service/kit/audio/encoder.js';
import { formats } from '../../../service/openai/formats.js';
import { formatNames } from '../../../service/openai/request.js';
import type { SynthesizedAudio } from '../../../service/voices/workers/jobs.js';

const RATE = 24_000;
const signer = new MarkSigner(newMarkKey());
const mark = { voice: 'Zoë', language: 'en', signer };
/** Of a service that is closed, so that no thread stays idle. */
const closing = AbortSignal.abort();
const MARKED = formatNames.filter((name) => name !== 'pcm');
/** Formats whose mark precedes the audio, and that allow no tag after it. */
const UNSIGNED_STREAMS = ['wav', 'flac', 'opus'];

const toneOf = (samples: number) =>
  Int16Array.from({ length: samples }, (_, index) =>
    Math.round(9000 * Math.sin(index / 9 + index ** 2 / 1e7)),
  );

async function* piecesOf(
  encoding: 'mp3' | 'pcm',
  lengths: readonly number[],
): AsyncGenerator<SynthesizedAudio> {
  for (const samples of lengths) {
    const encoder = await startEncoder(encoding, RATE);
    const audio = Buffer.concat([encoder.encode(toneOf(samples)), encoder.end()]);
    yield { audio, seconds: samples / RATE, took: 0, sampleRate: RATE, phonemes: [] };
  }
}

async function fileOf(
  name: keyof typeof formats,
  isWhole: boolean,
  lengths = [RATE / 2, RATE / 3],
): Promise<Buffer> {
  const { pieces, encode } = formats[name];
  const parts = [];
  const encoding = pieces === 'mp3' ? 'mp3' : 'pcm';
  for await (const part of encode(piecesOf(encoding, lengths), { isWhole, mark, closing })) parts.push(part);
  return Buffer.concat(parts);
}

function verdictOf(file: Uint8Array): string {
  try {
    return verifyAudio(file, [signer.key]).verdict;
  } catch (error) {
    assert.ok(error instanceof AudioError, String(error));
    return error.kind;
  }
}

const decoded = (file: Buffer): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-f', 's16le', '-'], {
    input: file,
    maxBuffer: 1e8,
    stdio: 'pipe',
  });

/** docs/outputs.md#signature */
describeWith(['ffmpeg'], 'the signature in the formats of the OpenAI API', () => {
  for (const name of MARKED) {
    it(`says that a whole ${name} is unchanged, with its voice`, async () => {
      const file = await fileOf(name, true);
      const expected = { product: 'Herald', voice: 'Zoë', language: 'en' };
      assert.deepEqual(verifyAudio(file, [signer.key]), {
        verdict: 'unchanged',
        mark: expected,
        key: signer.key,
      });
      assert.equal(verifyAudio(file, []).verdict, 'foreign');
    });

    const isSigned = !UNSIGNED_STREAMS.includes(name);
    it(`${isSigned ? 'follows the audio of' : 'is absent in'} a streamed ${name}, which has the mark`, async () => {
      const stream = await fileOf(name, false);
      assert.equal(verdictOf(stream), isSigned ? 'unchanged' : 'unsigned');
      assert.equal(verifyAudio(stream, []).mark?.voice, 'Zoë');
    });

    it(`detects damage in a ${name}, and never takes other audio for the signed audio`, async () => {
      for (const isWhole of isSigned ? [true, false] : [true]) {
        const file = await fileOf(name, isWhole);
        const plain = decoded(file);
        fc.assert(
          fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
            const damaged = Buffer.from(file);
            damaged[at] = (damaged[at] ?? 0) ^ change;
            verdictOf(damaged.subarray(0, at));
            return verdictOf(damaged) !== 'unchanged' || soundsSame(damaged, plain);
          }),
          { numRuns: 150 },
        );
        fc.assert(
          fc.property(fc.nat(file.length - 1), (length) => {
            const cut = file.subarray(0, length);
            return verdictOf(cut) !== 'unchanged' || soundsSame(cut, plain);
          }),
        );
      }
    });

    it(`leaves the sound of ${name} unchanged, without a warning of ffmpeg`, async () => {
      for (const isWhole of [true, false]) {
        const signed = decodedWithWarnings(await fileOf(name, isWhole));
        const plain = decodedWithWarnings(await fileUnsigned(name, isWhole));
        assert.ok(signed.sound.length > RATE && signed.sound.equals(plain.sound));
        assert.equal(signed.warnings, plain.warnings);
      }
    });
  }

  it('fits a short text as well as a long one', async () => {
    for (const name of MARKED)
      for (const lengths of [[1], [480], [7 * RATE]])
        assert.equal(verdictOf(await fileOf(name, true, lengths)), 'unchanged', `${name} ${String(lengths)}`);
  });

  async function fileUnsigned(name: keyof typeof formats, isWhole: boolean): Promise<Buffer> {
    const { pieces, encode } = formats[name];
    const parts = [];
    const source = piecesOf(pieces === 'mp3' ? 'mp3' : 'pcm', [RATE / 2, RATE / 3]);
    for await (const part of encode(source, { isWhole, mark: undefined, closing })) parts.push(part);
    return Buffer.concat(parts);
  }

  /** Whether a damage has changed only metadata, such as a seek table, or the silence of an encoder at the ends of the sound. */
  function soundsSame(damaged: Buffer, plain: Buffer): boolean {
    try {
      const sound = decoded(damaged);
      return plain.includes(sound) || sound.includes(plain);
    } catch {
      return true; // Damage in a header: no player plays anything else instead.
    }
  }
});

function decodedWithWarnings(file: Buffer): { sound: Buffer; warnings: string } {
  const args = ['-v', 'warning', '-i', '-', '-f', 's16le', '-'];
  const { status, stdout, stderr } = spawnSync('ffmpeg', args, { input: file, maxBuffer: 1e8 });
  assert.equal(status, 0, stderr.toString());
  return { sound: stdout, warnings: withoutAddress(stderr) };
}

/** ffmpeg names addresses of its memory. */
const withoutAddress = (text: Buffer): string => text.toString().replaceAll(/0x[0-9a-f]+/g, '');
