import assert from 'node:assert/strict';
import { type Piece, renderEach } from '@herald-speech/audio';
import { createClient, readMark } from '@herald-speech/client';
import { inspectAudio, measureLoudness, parseWav, wavHeader } from '@herald-speech/client/audio';
import { describeWith } from '../support/programs/describe-with.js';
import { startTestService } from '../support/service/service.js';
import { played, probe, rendered, samplesOf, Source } from './tools.js';

const texts = [
  'The train leaves from platform nine.',
  'We apologise for the delay of the train.',
  'The washing machine has finished.',
];

/** The formats in which services send their pieces, and the volume of each service in percent: they differ by 10 dB. */
const services = [
  ['wav-22050', 100],
  ['wav-24000', 32],
  ['wav-16000', 70],
  ['wav-48000 stereo', 32],
  ['mp3', 60],
  ['mp3-128-44100', 32],
] as const;

/** Returns a WAV of 16-bit PCM with two equal channels. */
function inStereo(mono: Uint8Array): Uint8Array {
  const { data, format } = parseWav(mono);
  const samples = samplesOf(mono);
  const both = Int16Array.from({ length: 2 * samples.length }, (_, at) => samples[at >> 1] ?? 0);
  return Buffer.concat([wavHeader({ ...format, channels: 2 }, 2 * data.length), Buffer.from(both.buffer)]);
}

/** Returns the speaker of a piece: each piece has another one. */
const speaker = ({ index = 0 }: Piece): string => `service ${index}`;
const mark = () => ({ voice: 'rms', language: 'en' });

describeWith(['ffmpeg', 'ffprobe'], 'pieces of several services', () => {
  const pieces: Uint8Array[] = [];
  before(async () => {
    const service = await startTestService();
    const client = createClient({ url: service.url, apiKey: service.key });
    try {
      for (const [index, [format, volume]] of services.entries()) {
        const text = texts[index % texts.length] ?? '';
        const { audio } = await client.speak({ voice_id: 'rms', text, language: 'en' });
        const [name, stereo] = format.split(' ');
        const { bytes } = await rendered([audio], name, { volume });
        pieces.push(stereo === undefined ? bytes : inStereo(bytes));
      }
    } finally {
      await client.close();
      await service.close();
    }
  });

  /** The pieces, with another service first. */
  const from = (first: number): Uint8Array[] => [...pieces.slice(first), ...pieces.slice(0, first)];

  const joined = (files: readonly Uint8Array[], format: unknown, dressing = {}) =>
    rendered(files, format, dressing, { speaker, mark });

  /** Returns the loudness of each piece in a rendered file, in LUFS. */
  async function levels(...rendering: Parameters<typeof joined>): Promise<number[]> {
    return levelsIn(await joined(...rendering));
  }

  async function levelsIn(audio: Awaited<ReturnType<typeof joined>>): Promise<number[]> {
    const samples = await played(audio);
    return audio.parts.map(({ start, duration }) => {
      const at = (seconds: number) => Math.round(seconds * audio.sampleRate);
      return measureLoudness(samples.subarray(at(start), at(start + duration)), audio.sampleRate);
    });
  }

  const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

  for (const [index, [first]] of services.entries())
    it(`have one sample rate, one loudness and the mark in a file that begins with ${first}`, async () => {
      // Six orders of three pieces have each service in each place.
      const files = from(index).slice(0, 3);
      const audio = await joined(files, 'unchanged');
      const { sampleRate, channels } = inspectAudio(files[0] ?? new Uint8Array());
      assert.deepEqual([audio.sampleRate, audio.channels], [sampleRate, channels]);
      const seconds = files.reduce((sum, file) => sum + inspectAudio(file).duration, 0);
      const probed = await probe(audio);
      assert.ok(Math.abs(probed.seconds - seconds) < 0.5, `${probed.seconds} s of ${seconds} s`);
      assert.equal(readMark(audio.bytes)?.voice, 'rms');
      const loudness = await levelsIn(audio);
      assert.ok(spread(loudness) <= 1, loudness.map((level) => level.toFixed(1)).join(', '));
    });

  for (const format of ['wav-8000-mulaw', 'wav-48000', 'mp3', 'mp3-128-44100'])
    it(`have one loudness as ${format}`, async () => {
      const loudness = await levels(from(1).slice(0, 3), format);
      assert.ok(spread(loudness) <= 1, loudness.map((level) => level.toFixed(1)).join(', '));
    });

  it('have the loudness of the first service, whose pieces stay unchanged', async () => {
    const alone = await levels(from(0).slice(0, 1), 'wav-24000');
    const all = await levels(from(0), 'wav-24000');
    for (const level of all) assert.ok(Math.abs(level - (alone[0] ?? 0)) <= 0.5, all.join(', '));
  });

  it('have the loudness of the dressing if it has one', async () => {
    for (const level of await levels(from(0).slice(0, 3), 'wav-24000', { loudness: -20 }))
      assert.ok(Math.abs(level + 20) <= 0.5, `${level} LUFS`);
  });

  it('follow the volume of the dressing', async () => {
    const loudness = await levels(from(0).slice(0, 3), 'wav-24000', {
      volume: 50,
      silenceBefore: 1,
      chime: 'gong',
    });
    assert.ok(spread(loudness) <= 1, loudness.join(', '));
  });

  it('have one loudness in each repetition', async () => {
    const loudness = await levels(from(0).slice(0, 3), 'unchanged', { repeat: 2 });
    assert.equal(loudness.length, 6);
    assert.ok(spread(loudness) <= 1, loudness.join(', '));
  });

  it('have one sample rate, one loudness and the mark as separate files', async () => {
    const { parts } = await renderEach(new Source(from(1)), { speaker, mark });
    const loudness: number[] = [];
    for await (const { data } of parts) {
      const { sampleRate, format, channels } = inspectAudio(data);
      assert.deepEqual([format, sampleRate, channels], ['wav', 24_000, 1]);
      assert.equal(readMark(data)?.language, 'en');
      const file = { bytes: Buffer.from(data), header: data, parts: [], mime: 'audio/wav', extension: 'wav' };
      const samples = await played({ ...file, sampleRate, channels, encoding: 'pcm' });
      loudness.push(measureLoudness(samples, sampleRate));
    }
    assert.equal(loudness.length, services.length);
    assert.ok(spread(loudness) <= 1, loudness.join(', '));
  });

  it('of one speaker keep their bytes', async () => {
    const file = pieces[0] ?? new Uint8Array();
    const { bytes } = await rendered([file, file], 'unchanged', {}, { speaker: () => 'one' });
    assert.ok(bytes.includes(Buffer.from(file).subarray(200, -200)));
  });

  it('after silence of the first service keep their loudness', async () => {
    const silence = (await rendered([pieces[0] ?? new Uint8Array()], 'wav-22050', { volume: 0 })).bytes;
    const [, second = 0, third = 0] = await levels([silence, ...from(1).slice(0, 2)], 'unchanged');
    const [alone = 0] = await levels(from(1).slice(0, 1), 'wav-22050');
    assert.ok(Math.abs(second - alone) <= 0.5 && Math.abs(third - alone) <= 1, `${second}, ${third}`);
  });
});
