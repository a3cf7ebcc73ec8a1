import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { AudioError, inspectAudio, parseWav } from '@herald-speech/client/audio';
import {
  formatPresets,
  noDressing,
  parseFormat,
  render,
  renderEach,
  sampleRates,
} from '@herald-speech/audio';
import { describeWith } from '../support/programs/describe-with.js';
import { startResampler } from '../../audio/sound/resampler.js';
import { played, probe, rendered, samplesOf, Source, soxSamples, tone, wav } from './tools.js';

const codecs = { pcm: 'pcm_s16le', mulaw: 'pcm_mulaw', alaw: 'pcm_alaw', mp3: 'mp3' } as const;

/** Three pieces of a continuous tone. The times are not multiples of a frame. */
const whole = tone({ seconds: 1.237, sampleRate: 22_050 });
const cuts = [0, 9001, 17_777, whole.length];
const files = cuts.slice(1).map((end, index) => wav(whole.subarray(cuts[index], end), 22_050));
const seconds = whole.length / 22_050;

const presets = new Map(formatPresets.map(({ id, format }) => [JSON.stringify(format), id]));
const names = [
  ...sampleRates.map((rate) => `wav-${rate}`),
  'wav-8000-mulaw',
  'wav-22050-alaw',
  'wav-44100-mulaw',
  'raw-8000',
  'raw-16000-mulaw',
  'raw-48000-alaw',
  'mp3',
  'mp3-16-8000',
  'mp3-96-22050',
  'mp3-320-48000',
  ...presets.values(),
];

const stereoFormat = { container: 'wav', encoding: 'pcm', sampleRate: 48_000, channels: 2 } as const;

describeWith(['ffmpeg', 'ffprobe', 'sox'], 'render', () => {
  for (const name of names) {
    it(`renders ${name}: codec, rate, channels, and the duration to one sample`, async () => {
      const format = parseFormat(name);
      assert.ok(format !== 'unchanged');
      const audio = await rendered(files, name);
      const { seconds: stated, ...facts } = await probe(audio);
      const { sampleRate, encoding, channels = 1 } = format;
      const samples = Math.round(seconds * sampleRate);
      assert.deepEqual(facts, { codec: codecs[encoding], sampleRate, channels, samples });
      if (audio.extension === 'wav') assert.equal(await soxSamples(audio), samples);
      // ffprobe counts the silence that an MP3 encoder adds: up to three frames.
      const frame = encoding === 'mp3' ? 3 * (sampleRate < 32_000 ? 576 : 1152) : 0.5;
      assert.ok(Math.abs(stated - seconds) <= frame / sampleRate, `${stated}`);
      const last = audio.parts.at(-1);
      assert.ok(Math.abs((last?.start ?? 0) + (last?.duration ?? 0) - seconds) < 1 / sampleRate);
    });
  }

  for (const name of ['wav-48000', 'wav-8000', 'wav-24000', 'mp3-128-24000']) {
    it(`renders a tone without a change at the seams as ${name}`, async () => {
      const audio = await rendered(files, name);
      const samples = await played(audio);
      const expected = tone({ seconds, sampleRate: audio.sampleRate });
      const limit = audio.extension === 'mp3' ? 0.03 : 0.001;
      const edge = Math.round(audio.sampleRate * 0.05);
      for (let at = edge; at < samples.length - edge; at += 1)
        assert.ok(Math.abs((samples[at] ?? 0) - (expected[at] ?? 0)) < limit, `sample ${at}`);
    });
  }

  it('copies the frames of unchanged MP3 files, with the true duration', async () => {
    const mp3 = (await rendered([files[0] ?? new Uint8Array()], 'mp3')).bytes;
    const one = await rendered([mp3]);
    assert.equal((await probe(one)).samples, Math.round((9001 / 22_050) * 24_000));
    const two = await rendered([mp3, mp3]);
    const { duration } = inspectAudio(two.bytes);
    assert.equal(Math.round(duration * 24_000), (await probe(two)).samples);
    const [first, second] = two.parts;
    assert.equal(first?.start, 0);
    assert.ok((second?.start ?? 0) >= (first?.duration ?? 0));
  });

  it('renders pieces of other formats in the format of the first piece', async () => {
    const [first = new Uint8Array(), ...rest] = files;
    const mp3 = (await rendered([first], 'mp3')).bytes;
    const fast = wav(tone({ seconds: 0.25, sampleRate: 48_000 }), 48_000);
    for (const order of [
      [first, mp3, fast, ...rest],
      [mp3, fast, first],
    ]) {
      const audio = await rendered(order);
      const { format, sampleRate } = inspectAudio(audio.bytes);
      assert.deepEqual([format, sampleRate], order[0] === mp3 ? ['mp3', 24_000] : ['wav', 22_050]);
      const samples = (await probe(audio)).samples / sampleRate;
      const last = audio.parts.at(-1);
      assert.ok(Math.abs(samples - ((last?.start ?? 0) + (last?.duration ?? 0))) < 0.001);
    }
  });
});

describe('rendered audio', () => {
  it('has the extensions and media types of the players', async () => {
    const types: Record<string, string> = {};
    for (const { id } of formatPresets) {
      const { extension, mime } = await rendered(files, id);
      types[id] = `${extension} ${mime}`;
    }
    assert.deepEqual(types, {
      'asterisk-wav': 'wav audio/wav',
      'asterisk-sln': 'sln application/octet-stream',
      'asterisk-sln16': 'sln16 application/octet-stream',
      'asterisk-ulaw': 'ulaw audio/basic',
      'asterisk-alaw': 'alaw audio/x-alaw-basic',
      twilio: 'ulaw audio/basic',
      yeastar: 'wav audio/wav',
      alexa: 'mp3 audio/mpeg',
      snapcast: 'pcm application/octet-stream',
      hermes: 'wav audio/wav',
    });
  });

  it('copies the samples of unchanged WAV files', async () => {
    const audio = await rendered(files);
    assert.deepEqual(
      samplesOf(audio.bytes),
      Int16Array.from(whole, (sample) => Math.round(sample * 32_767)),
    );
    assert.deepEqual(audio.header.length, 44);
  });

  it('reads all sample formats of WAV, and mixes channels', async () => {
    const { bytes } = await rendered(files, 'snapcast');
    const stereo = parseWav((await rendered(files, stereoFormat)).bytes);
    assert.deepEqual([stereo.format.channels, stereo.data.length], [2, bytes.length]);
    const again = await rendered([(await rendered(files, stereoFormat)).bytes], 'wav-48000');
    assert.deepEqual(samplesOf(again.bytes), samplesOf((await rendered(files, 'wav-48000')).bytes));
  });

  it('has the first part before it reads the second piece', async () => {
    for (const format of ['wav-8000', 'mp3', 'unchanged'] as const) {
      const source = new Source(files);
      const { parts } = await render(source, { format: parseFormat(format) });
      const reader = parts[Symbol.asyncIterator]();
      const first = await reader.next();
      assert.ok(first.done !== true && first.value.data.length > 0);
      assert.equal(source.read, 1);
      await reader.return?.();
      assert.ok(source.isReturned);
    }
  });

  it('ends with the reason of its signal, and returns the source', async () => {
    const source = new Source(files);
    const controller = new AbortController();
    const { parts } = await render(source, { format: parseFormat('mp3'), signal: controller.signal });
    const reader = parts[Symbol.asyncIterator]();
    await reader.next();
    controller.abort(new Error('enough'));
    await assert.rejects(reader.next(), /enough/);
    assert.ok(source.isReturned);
  });

  it('returns the source if it is closed before a part was read', async () => {
    for (const start of [render, renderEach]) {
      const source = new Source(files);
      const { close } = await start(source, { format: parseFormat('mp3') });
      await close();
      assert.ok(source.isReturned);
      await close();
    }
  });

  it('rejects pieces without audio, and no pieces', async () => {
    const source = new Source([Buffer.from('<html>')]);
    await assert.rejects(render(source), AudioError);
    assert.ok(source.isReturned);
    await assert.rejects(render(new Source([])), /at least one piece/);
  });

  it('renders two outputs at a time', async () => {
    const [one, two] = await Promise.all([rendered(files, 'mp3'), rendered(files, 'mp3')]);
    assert.deepEqual(one.bytes, two.bytes);
  });
});

describe('renderEach', () => {
  for (const name of ['unchanged', 'wav-8000-alaw', 'mp3', 'raw-8000']) {
    it(`renders each piece as a complete file: ${name}`, async () => {
      const options = {
        format: parseFormat(name),
        dressing: {
          ...noDressing,
          silenceBefore: 1,
          gap: 0.25,
          repeat: 2,
        },
      };
      const { parts, ...type } = await renderEach(new Source(files), options);
      const lengths: number[] = [];
      for await (const { data, start } of parts) {
        const before = lengths.reduce((sum, length) => sum + length, 0);
        assert.ok(Math.abs(start - before - (before === 0 ? 1 : 0)) < 0.001, `${start}, not ${before}`);
        const isRaw = type.extension === 'sln';
        lengths.push(isRaw ? data.length / 2 / type.sampleRate : inspectAudio(data).duration);
      }
      const speech = cuts.slice(1).map((end, index) => (end - (cuts[index] ?? 0)) / 22_050);
      const pauses = [0.25, 0.25, 1, 0.25, 0.25, 0];
      for (const [index, length] of lengths.entries()) {
        const expected = (speech[index % 3] ?? 0) + (pauses[index] ?? 0) + (index === 0 ? 1 : 0);
        assert.ok(Math.abs(length - expected) <= 1 / type.sampleRate, `${index}: ${length}, not ${expected}`);
      }
      assert.equal(lengths.length, 6);
    });
  }
});

const large = 5_000_000_000;

describe('the header of a large WAV', () => {
  it('is RF64 with the true sizes above 4 GB, with the length of the other headers', async () => {
    const { header } = await render(new Source(files, false), { format: parseFormat('wav-48000') });
    const start = Buffer.from(header(large));
    assert.equal(start.toString('latin1', 0, 4), 'RF64');
    assert.equal(start.readBigUInt64LE(28), BigInt(large));
    assert.deepEqual(
      [header(undefined), header(1000), header(large)].map(({ length }) => length),
      [80, 80, 80],
    );
    assert.equal(Buffer.from(header(1000)).toString('latin1', 0, 4), 'RIFF');
  });

  it('has 44 bytes if the pieces cannot exceed 4 GB', async () => {
    const { header } = await rendered(files, 'asterisk-wav');
    assert.equal(header.length, 44);
  });
});

describeWith(['ffprobe', 'sox'], 'the header of a large WAV in programs', () => {
  it('is read by the client, sox and ffprobe with its reserve', async () => {
    const audio = await rendered(new Source(files, false), 'wav-48000');
    assert.equal(audio.header.length, 80);
    assert.equal(await soxSamples(audio), Math.round(seconds * 48_000));
    assert.ok(Math.abs((await probe(audio)).seconds - seconds) < 0.001);
    const { header } = await render(new Source(files, false), { format: parseFormat('wav-48000') });
    const rf64 = Buffer.from(header(large));
    const data = audio.bytes.subarray(80);
    rf64.writeBigUInt64LE(BigInt(data.length), 28);
    const { data: read, streaming } = parseWav(Buffer.concat([rf64, data]));
    assert.deepEqual([read.length, streaming], [data.length, false]);
  });
});

describe('startResampler', () => {
  const rates = fc.constantFrom(8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000);

  it('returns the input times the ratio, rounded, for any pieces and rates', () =>
    fc.assert(
      fc.asyncProperty(
        rates,
        rates,
        fc.array(fc.nat(20_000), { maxLength: 5 }),
        async (from, to, lengths) => {
          const resampler = await startResampler(from, to);
          let output = 0;
          for (const length of lengths)
            output += (await resampler.push(new Float32Array(length).fill(0.1))).length;
          output += resampler.end().length;
          const input = lengths.reduce((sum, length) => sum + length, 0);
          assert.equal(output, Math.round((input * to) / from));
        },
      ),
      { numRuns: 40 },
    ));
});
