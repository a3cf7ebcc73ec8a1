import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';

const SECONDS = { timeout: 20_000 };

const probed = z.object({
  streams: z.tuple([
    z.object({
      codec_name: z.string(),
      sample_rate: z.coerce.number(),
      channels: z.number(),
      duration: z.coerce.number(),
    }),
  ]),
});

/** Runs `work` with the path of a file that has this content. */
function withFile<Result>(name: string, content: Uint8Array, work: (file: string) => Result): Result {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-format-'));
  try {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return work(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the only audio stream of a file as ffprobe sees it.
 * @param options flags for raw audio, which has no header
 */
export function ffprobe(name: string, content: Uint8Array, options: readonly string[] = []) {
  const flags = ['-v', 'error', '-show_streams', '-of', 'json', ...options];
  return withFile(name, content, (file) => {
    const [stream] = probed.parse(JSON.parse(run('ffprobe', [...flags, file]))).streams;
    const { codec_name: codec, sample_rate: sampleRate, channels, duration } = stream;
    return { codec, sampleRate, channels, duration };
  });
}

/**
 * Decodes a file with sox.
 * @param options flags for raw audio
 * @returns samples from -1 to 1
 */
export function soxSamples(name: string, content: Uint8Array, options: readonly string[] = []): Float32Array {
  const to = ['-t', 'f32', '-L', '-'];
  const bytes = withFile(name, content, (file) =>
    execFileSync('sox', ['-V1', ...options, file, ...to], { ...SECONDS, maxBuffer: 2 ** 26 }),
  );
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

/** Returns the root mean square of samples. Speech has about 0.05 to 0.2, silence less than 0.001. */
export function levelOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/**
 * Checks a WAV as the strictest versions of Asterisk do: `fmt ` comes first and describes 16-bit PCM with one channel and 8,000
 * samples per second, and only `fact` may precede the data.
 */
export function checkAsteriskWav(file: Buffer): void {
  const word = (at: number) => file.toString('latin1', at, at + 4);
  assert.deepEqual([word(0), word(8), word(12)], ['RIFF', 'WAVE', 'fmt ']);
  const size = file.readUInt32LE(16);
  assert.ok(size >= 16);
  assert.deepEqual(
    [file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt32LE(24), file.readUInt16LE(32)],
    [1, 1, 8000, 2],
  );
  let chunk = 20 + size;
  while (word(chunk) === 'fact') chunk += 8 + file.readUInt32LE(chunk + 4);
  assert.equal(word(chunk), 'data');
  assert.ok(chunk + 8 + file.readUInt32LE(chunk + 4) <= file.length, 'the data is shorter than stated');
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { ...SECONDS, encoding: 'utf8' });
}
