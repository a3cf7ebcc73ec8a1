import type { OutputFormat } from './format.js';

/** File extensions of raw audio by encoding, with the names of Asterisk for its sample rates. */
const rawExtensions: Readonly<Record<string, string>> = {
  'pcm 8000 1': 'sln',
  'pcm 16000 1': 'sln16',
  'pcm 24000 1': 'sln24',
  'pcm 44100 1': 'sln44',
  'pcm 48000 1': 'sln48',
};

/** Returns the file extension of raw audio without a dot. `sampleRate` is in hertz. */
export function rawExtension(format: { encoding: string; sampleRate: number; channels?: number }): string {
  const { encoding, sampleRate, channels = 1 } = format;
  if (encoding === 'mulaw') return 'ulaw';
  return encoding === 'alaw' ? 'alaw' : (rawExtensions[`${encoding} ${sampleRate} ${channels}`] ?? 'pcm');
}

/** Returns the file extension of a format without a dot, such as `wav`, `mp3` or `sln16`. */
export const extensionOf = (format: OutputFormat): string =>
  format.container === 'raw' ? rawExtension(format) : format.container;
