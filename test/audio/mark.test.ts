import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  checkDressing,
  type OutputFormat,
  parseFormat,
  render,
  renderEach,
  type RenderOptions,
} from '@herald-speech/audio';
import {
  inspectAudio,
  type Mark,
  MarkSigner,
  newMarkKey,
  parseWav,
  readMark,
  verifyAudio,
  withoutMark,
} from '@herald-speech/client/audio';
import { MPEGDecoder } from 'mpg123-decoder';
import { describeWith } from '../support/programs/describe-with.js';
import { probe, type Rendered, Source, tone, wav, withFile } from './tools.js';

const run = promisify(execFile);

const mark: Mark = { product: 'Herald', voice: 'Zoë "the 1st"; 👩‍🎤', language: 'en-us' };
const FORMATS = ['unchanged', 'asterisk-wav', 'yeastar', 'hermes', 'wav-8000-mulaw', 'alexa', 'mp3-64'];
const RAW = ['asterisk-sln', 'asterisk-sln16', 'asterisk-ulaw', 'asterisk-alaw', 'twilio', 'snapcast'];
const pieces = () => new Source([wav(tone({ seconds: 0.3 })), wav(tone({ seconds: 0.2001, hertz: 300 }))]);

/** Renders a file of two pieces. Without a mark, the file is otherwise equal. */
async function rendered(format: unknown, options: { mark?: Mark; live?: boolean }): Promise<Rendered> {
  const { mark: own, live = false } = options;
  const { parts, header, trailer, close, ...type } = await render(pieces(), {
    format: parseFormat(format),
    live,
    ...(own && { mark: () => own }),
  });
  const all = [];
  for await (const part of parts) all.push(part);
  await close();
  const data = Buffer.concat(all.map((part) => part.data));
  assert.equal(header(undefined).length, header(data.length).length);
  const bytes = Buffer.concat([header(data.length), data, trailer(data.length)]);
  return { ...type, bytes, header: header(data.length), parts: all };
}

/** Returns the samples that Asterisk plays of a WAV: the rules of its `formats/format_wav.c`, with their faults. */
function asteriskPlays(file: Buffer): Buffer {
  assert.equal(file.toString('latin1', 0, 4), 'RIFF');
  assert.equal(file.toString('latin1', 8, 16), 'WAVEfmt ');
  assert.ok(file.readUInt16LE(20) === 1 && file.readUInt16LE(22) === 1 && file.readUInt16LE(32) === 2);
  let at = 20 + file.readUInt32LE(16);
  // It skips chunks without their pad byte.
  while (file.toString('latin1', at, at + 4) !== 'data') at += 8 + file.readUInt32LE(at + 4);
  // It takes the length of the data for the position of its end.
  return file.subarray(at + 8, file.readUInt32LE(at + 4));
}

/** Returns all that ffprobe knows about a file. */
const described = (audio: Rendered): Promise<{ duration: string; tags: Record<string, string> }> =>
  withFile(audio, async (file) => {
    const { stdout, stderr } = await run('ffprobe', ['-v', 'warning', '-show_format', '-of', 'json', file]);
    assert.equal(stderr, '');
    return (JSON.parse(stdout) as { format: { duration: string; tags: Record<string, string> } }).format;
  });

describeWith(['ffprobe', 'sox'], 'marked audio', () => {
  for (const format of FORMATS) {
    for (const live of [false, true]) {
      it(`is the same audio in ${format}${live ? ', also if it is read before its end' : ''}`, async () => {
        const marked = await rendered(format, { mark, live });
        const plain = await rendered(format, { live });
        assert.deepEqual(readMark(marked.bytes), mark);
        assert.equal(readMark(plain.bytes), undefined);
        assert.ok(plain.bytes.equals(withoutMark(marked.bytes)));
        assert.deepEqual(inspectAudio(marked.bytes), inspectAudio(plain.bytes));
        const [withMark, without] = await Promise.all([probe(marked), probe(plain)]);
        assert.deepEqual(withMark, without);
      });
    }

    it(`shows mark, voice and exact duration to ffprobe in ${format}`, async () => {
      const marked = await rendered(format, { mark });
      const plain = await rendered(format, {});
      const [{ duration, tags }, unmarked] = await Promise.all([described(marked), described(plain)]);
      assert.equal(duration, unmarked.duration);
      // ffprobe counts the delay of the decoder in the duration of an MP3.
      assert.ok(
        Math.abs(Number(duration) - inspectAudio(marked.bytes).duration) <
          (marked.extension === 'mp3' ? 0.1 : 1e-4),
      );
      assert.equal(tags['encoder'], 'Herald');
      if (marked.extension === 'mp3') {
        assert.equal(tags['synthetic-speech'], 'true');
        assert.equal(tags['voice'], mark.voice);
      } else {
        assert.match(
          tags['comment'] ?? '',
          /^synthetic-speech=true; .*voice=Zo%C3%AB%20%22the%201st%22%3B%20/,
        );
      }
    });
  }

  for (const format of RAW) {
    it(`has no mark in the raw format ${format}`, async () => {
      const [marked, plain] = [await rendered(format, { mark }), await rendered(format, {})];
      assert.ok(marked.bytes.equals(plain.bytes));
    });
  }

  it('leaves the header of a complete WAV at 44 bytes, so that Asterisk plays all that it plays without a mark', async () => {
    const [marked, plain] = [await rendered('asterisk-wav', { mark }), await rendered('asterisk-wav', {})];
    assert.equal(marked.header.length, 44);
    assert.ok(asteriskPlays(marked.bytes).equals(asteriskPlays(plain.bytes)));
    // A stream has its mark before the data, and Asterisk loses its length at the end.
    const live = asteriskPlays((await rendered('asterisk-wav', { mark, live: true })).bytes);
    assert.ok(live.length < asteriskPlays(plain.bytes).length);
    assert.ok(live.equals(asteriskPlays(plain.bytes).subarray(0, live.length)));
  });

  it('is read by sox without a warning', async () => {
    for (const [format, live] of [
      ['hermes', false],
      ['hermes', true],
      ['wav-8000-mulaw', false],
    ] as const) {
      const sample = (audio: Rendered) =>
        withFile(audio, async (file) => {
          const { stdout, stderr } = await run('sox', [file, '-t', 'raw', '-'], { encoding: 'buffer' });
          assert.equal(String(stderr), '');
          return stdout;
        });
      const plain = await sample(await rendered(format, {}));
      assert.ok(plain.equals(await sample(await rendered(format, { mark, live }))));
    }
  });

  it('plays without the silence of the encoder: decoders find the info frame behind the tag', async () => {
    const { bytes } = await rendered('mp3-64', { mark });
    const decoder = new MPEGDecoder({ enableGapless: true });
    await decoder.ready;
    const { samplesDecoded, sampleRate, errors } = decoder.decode(bytes);
    decoder.free();
    assert.equal(errors.length, 0);
    assert.equal(samplesDecoded, Math.round(inspectAudio(bytes).duration * sampleRate));
  });

  it('declares the length of the whole file, also with space for 4 GB', async () => {
    const format: OutputFormat = { container: 'wav', encoding: 'pcm', sampleRate: 8000 };
    const [bytes, large] = [100_001, 5_000_000_000];
    for (const live of [false, true]) {
      const uncounted = new Source([wav(tone()), wav(tone())], false);
      const { header, trailer, close } = await render(uncounted, { format, live, mark: () => mark });
      const view = Buffer.from(header(bytes));
      assert.equal(view.readUInt32LE(4) + 8, view.length + bytes + trailer(bytes).length);
      const rf64 = Buffer.from(header(large));
      assert.equal(rf64.toString('latin1', 0, 4), 'RF64');
      assert.equal(Number(rf64.readBigUInt64LE(20)) + 8, rf64.length + large + trailer(large).length);
      assert.deepEqual([rf64.length, view.length], [header(undefined).length, header(undefined).length]);
      assert.equal(
        readMark(live ? rf64 : Buffer.concat([view, Buffer.alloc(bytes), trailer(bytes)]))?.voice,
        mark.voice,
      );
      await close();
    }
  });

  it('is in each file of separate pieces, with the voice of the piece', async () => {
    const source = pieces();
    const voices = ['one', 'two'];
    const { parts } = await renderEach(source, { mark: ({ index = 0 }) => ({ voice: voices[index] ?? '' }) });
    const read = [];
    for await (const { data } of parts) read.push(readMark(data)?.voice);
    assert.deepEqual(read, voices);
  });
});

/** docs/outputs.md#signature */
describe('signed audio', () => {
  const signer = new MarkSigner(newMarkKey());
  const options = { mark: () => mark, signer };
  const verdictOf = (file: Uint8Array) => verifyAudio(file, [signer.key]).verdict;

  /** Renders two pieces. Returns the file as players read it while it grows, and the complete file. */
  async function signed(format: unknown, more: Partial<RenderOptions>): Promise<Uint8Array[]> {
    const rendering = await render(pieces(), { format: parseFormat(format), ...options, ...more });
    const first = rendering.header(undefined);
    const all = [];
    for await (const { data } of rendering.parts) all.push(data);
    await rendering.close();
    const data = Buffer.concat(all);
    const last = rendering.header(data.length);
    assert.equal(first.length, last.length);
    return [Buffer.concat([first, data]), Buffer.concat([last, data, rendering.trailer(data.length)])];
  }

  for (const format of FORMATS) {
    for (const dressing of [{}, { chime: 'gong', silenceAfter: 0.2, gap: 0.1, repeat: 2 } as const]) {
      const name = 'chime' in dressing ? ', with chime, silences and repetitions' : '';
      it(`is unchanged in ${format}${name}`, async () => {
        const [, complete] = await signed(format, { dressing: checkDressing(dressing) });
        assert.equal(verdictOf(complete ?? new Uint8Array()), 'unchanged');
      });
    }

    it(`gets its signature at its end in ${format} that players read earlier`, async () => {
      const [growing, complete] = await signed(format, { live: true });
      assert.equal(verdictOf(growing ?? new Uint8Array()), 'unsigned');
      assert.equal(verdictOf(complete ?? new Uint8Array()), 'unchanged');
    });

    it(`is unchanged in each of several files of ${format}`, async () => {
      const { parts } = await renderEach(pieces(), { format: parseFormat(format), ...options });
      for await (const { data } of parts) assert.equal(verdictOf(data), 'unchanged');
    });
  }

  it('has a short header in a complete WAV', async () => {
    const [growing] = await signed('asterisk-wav', {});
    assert.equal(parseWav(growing ?? new Uint8Array()).data.byteOffset - (growing?.byteOffset ?? 0), 44);
  });
});
