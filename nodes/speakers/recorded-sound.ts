import { readFile } from 'node:fs/promises';
import { type OutputFormat, render } from '@herald-speech/audio';
import type { Sound } from '@herald-speech/speakers';
import type { AudioRecording } from '../output/urls/recording.js';

type Pcm = Awaited<ReturnType<Sound['pcm']>>;

/**
 * Returns a recording as the sound of an announcement. Speakers of the network fetch it; others get its samples.
 * @param duration seconds
 */
export function recordedSound(recording: AudioRecording, url: string, duration: number): Sound {
  return {
    duration,
    url,
    isFetched: () => recording.isFetched,
    pcm: async (format) => samplesOf(await readFile(recording.path), format),
  };
}

/** Decodes a file. @throws AudioError if it is neither WAV nor MP3 */
async function samplesOf(file: Uint8Array, format: Omit<Pcm, 'data'> | undefined): Promise<Pcm> {
  const { sampleRate, channels } = format ?? { ...(await typeOf(file)), channels: 1 };
  const raw: OutputFormat = {
    container: 'raw',
    encoding: 'pcm',
    sampleRate,
    channels: channels === 2 ? 2 : 1,
  };
  const { parts } = await render(once(file), { format: raw });
  const data: Uint8Array[] = [];
  for await (const part of parts) data.push(part.data);
  return { data: Buffer.concat(data), sampleRate, channels };
}

async function typeOf(file: Uint8Array): Promise<{ sampleRate: number }> {
  const { sampleRate, close } = await render(once(file));
  await close();
  return { sampleRate };
}

async function* once(audio: Uint8Array): AsyncGenerator<{ audio: Uint8Array }, void, undefined> {
  yield { audio };
}
