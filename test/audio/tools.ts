import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type AudioType,
  checkDressing,
  type Dressing,
  type Part,
  parseFormat,
  type Piece,
  render,
  type RenderOptions,
} from '@herald-speech/audio';
import { parseWav, wavHeader } from '@herald-speech/client/audio';

const run = promisify(execFile);

/** Returns samples of a sine, from -1 to 1. */
export function tone({
  seconds = 0.5,
  hertz = 440,
  level = 0.5,
  sampleRate = 16_000,
  phase = 0,
} = {}): Float32Array {
  const step = (2 * Math.PI * hertz) / sampleRate;
  return Float32Array.from(
    { length: Math.round(seconds * sampleRate) },
    (_, at) => level * Math.sin(step * at + phase),
  );
}

/** Returns a WAV of 16-bit PCM with one channel. */
export function wav(samples: Float32Array, sampleRate = 16_000): Uint8Array {
  const data = Int16Array.from(samples, (sample) => Math.round(sample * 32_767));
  const format = { encoding: 'pcm', channels: 1, sampleRate, bitsPerSample: 16 } as const;
  return Buffer.concat([wavHeader(format, data.byteLength), Buffer.from(data.buffer)]);
}

/** Yields files as pieces, and counts the pieces that were read. */
export class Source implements AsyncIterable<Piece> {
  read = 0;
  isReturned = false;

  constructor(
    readonly files: readonly Uint8Array[],
    readonly isCounted = true,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Piece, void, undefined> {
    try {
      for (const [index, audio] of this.files.entries()) {
        this.read += 1;
        yield this.isCounted ? { audio, index, count: this.files.length } : { audio };
      }
    } finally {
      this.isReturned = true;
    }
  }
}

/** A rendered file. */
export interface Rendered extends AudioType {
  bytes: Buffer;
  header: Uint8Array;
  parts: Part<Piece>[];
}

/** Renders files with the settings of a node. */
export async function rendered(
  files: readonly Uint8Array[] | Source,
  format: unknown = 'unchanged',
  dressing: Partial<Dressing> = {},
  more: Pick<RenderOptions, 'speaker' | 'mark'> = {},
): Promise<Rendered> {
  const source = files instanceof Source ? files : new Source(files);
  const options = { format: parseFormat(format), dressing: checkDressing(dressing), ...more };
  const { parts: reader, header, trailer, ...type } = await render(source, options);
  const parts: Part<Piece>[] = [];
  for await (const part of reader) parts.push(part);
  const data = Buffer.concat(parts.map((part) => part.data));
  assert.equal(header(undefined).length, header(data.length).length);
  return {
    ...type,
    header: header(data.length),
    parts,
    bytes: Buffer.concat([header(data.length), data, trailer(data.length)]),
  };
}

/** The arguments with which ffmpeg reads raw audio. */
function rawArguments({ extension, encoding, sampleRate, channels }: AudioType): string[] {
  if (extension === 'wav' || extension === 'mp3') return [];
  const format = encoding === 'pcm' ? 's16le' : encoding;
  return ['-f', format, '-ar', String(sampleRate), '-ac', String(channels)];
}

/** Runs `work` with a temporary file of the audio. */
export async function withFile<Result>(
  { bytes, extension }: Pick<Rendered, 'bytes' | 'extension'>,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-audio-'));
  try {
    const file = path.join(folder, `audio.${extension}`);
    await writeFile(file, bytes);
    return await work(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The properties of a file as `ffprobe` reads them. */
export interface Probed {
  codec: string;
  sampleRate: number;
  channels: number;
  seconds: number;
  /** Samples that a player plays. */
  samples: number;
}

/** Returns the properties of a file. Fails if `ffprobe` reports an error. */
export function probe(audio: Rendered): Promise<Probed> {
  return withFile(audio, async (file) => {
    const entries = 'stream=codec_name,sample_rate,channels,duration:frame=nb_samples';
    const args = ['-v', 'error', ...rawArguments(audio), '-show_entries', entries, '-of', 'csv', file];
    const { stdout, stderr } = await run('ffprobe', args, { maxBuffer: 1e8 });
    assert.equal(stderr, '');
    const rows = stdout.split('\n').map((line) => line.split(','));
    const frames = rows.filter(([kind]) => kind === 'frame').map(([, samples]) => Number(samples));
    const [, codec = '', sampleRate, channels, seconds] = rows.find(([kind]) => kind === 'stream') ?? [];
    return {
      codec,
      sampleRate: Number(sampleRate),
      channels: Number(channels),
      seconds: Number(seconds),
      samples: frames.reduce((sum, count) => sum + count, 0),
    };
  });
}

/** Returns the samples that `ffmpeg` plays, one channel. */
export function played(audio: Rendered): Promise<Float32Array> {
  return withFile(audio, async (file) => {
    const args = ['-v', 'error', ...rawArguments(audio), '-i', file, '-ac', '1', '-f', 'f32le', '-'];
    const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 1e9 });
    return new Float32Array(Uint8Array.from(stdout).buffer);
  });
}

/** Returns the integrated loudness in LUFS and the true peak in dBTP as `ffmpeg` measures them. */
export function loudnessOf(audio: Rendered): Promise<{ loudness: number; peak: number }> {
  return withFile(audio, async (file) => {
    const filter = ['-af', 'ebur128=peak=true', '-f', 'null', '-'];
    const args = ['-hide_banner', '-nostats', ...rawArguments(audio), '-i', file, ...filter];
    const { stderr } = await run('ffmpeg', args, { maxBuffer: 1e8 });
    const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
    const [, loudness] = /I:\s+(\S+) LUFS/.exec(summary) ?? [];
    const [, peak] = /Peak:\s+(\S+) dBFS/.exec(summary) ?? [];
    return { loudness: Number(loudness), peak: Number(peak) };
  });
}

/** Returns the true peak in dBTP as `sox` measures it: the highest sample at 384 kHz, half as loud so that nothing is clipped. */
export async function soxPeakOf(audio: Rendered): Promise<number> {
  const samples = await played(audio);
  const half = samples.map((sample) => sample / 2);
  const raw = { bytes: Buffer.from(half.buffer), extension: 'f32' };
  return withFile(raw, async (file) => {
    const format = ['-t', 'f32', '-r', String(audio.sampleRate), '-c', '1'];
    const { stderr } = await run('sox', [...format, file, '-n', 'rate', '-v', '384000', 'stats']);
    return Number(/Pk lev dB\s+(\S+)/.exec(stderr)?.[1]) + 20 * Math.log10(2);
  });
}

/** Returns the samples of a WAV as `sox` reads it. */
export function soxSamples(audio: Rendered): Promise<number> {
  return withFile(audio, async (file) => Number((await run('sox', ['--i', '-s', file])).stdout));
}

/** Returns the samples of a WAV of 16-bit PCM. */
export function samplesOf(bytes: Uint8Array): Int16Array {
  const { data } = parseWav(bytes);
  return new Int16Array(Uint8Array.from(data).buffer);
}

/** Returns the highest difference between neighbouring samples. */
export function highestStep(samples: ArrayLike<number>): number {
  let highest = 0;
  for (let at = 1; at < samples.length; at += 1)
    highest = Math.max(highest, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)));
  return highest;
}
