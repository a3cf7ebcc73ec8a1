import path from 'node:path';
import { SpeechError } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';

/** The format in which the service sends the audio. */
export type ServiceFormat = 'wav' | 'mp3';

/** The format of the output: as the service sends it, or a format of `@herald-speech/audio`. */
export type Format =
  | 'unchanged'
  | { container: 'wav' | 'raw' | 'mp3'; encoding: 'pcm' | 'mulaw' | 'alaw' | 'mp3'; sampleRate: number };

/** Sample rates of Asterisk's raw formats by extension, in hertz. */
const slnRates: Readonly<Record<string, number>> = {
  sln: 8000,
  sln8: 8000,
  sln12: 12_000,
  sln16: 16_000,
  sln24: 24_000,
  sln32: 32_000,
  sln44: 44_100,
  sln48: 48_000,
};

/** The content that an extension promises: the start of the name of a format. The output has none of the formats `other`. */
const contents: Readonly<Record<string, string>> = {
  wav: 'WAV',
  wave: 'WAV',
  mp3: 'MP3',
  raw: 'raw',
  pcm: 'raw pcm',
  ulaw: 'raw mulaw',
  ul: 'raw mulaw',
  mulaw: 'raw mulaw',
  alaw: 'raw alaw',
  al: 'raw alaw',
  ...Object.fromEntries(Object.entries(slnRates).map(([name, rate]) => [name, `raw pcm ${rate} Hz`])),
  ...Object.fromEntries(
    ['aac', 'aif', 'aiff', 'au', 'flac', 'm4a', 'ogg', 'opus', 'wma'].map((name) => [name, 'other']),
  ),
};

/** The extensions that belong to a format, without a dot. */
export const knownExtensions: readonly string[] = Object.keys(contents);

/** Returns the format of raw audio with an extension that names it; undefined for other extensions. Hertz. */
export function rawFormatOf(
  extension: string,
): { encoding: 'pcm' | 'mulaw' | 'alaw'; sampleRate: number } | undefined {
  const [, encoding] = (contents[extension] ?? '').split(' ');
  const sampleRate = slnRates[extension] ?? 8000;
  if (extension in slnRates) return { encoding: 'pcm', sampleRate };
  return encoding === 'mulaw' || encoding === 'alaw' ? { encoding, sampleRate } : undefined;
}

/** Whether an extension belongs to audio, also of a format that the output does not have. */
export const isAudioExtension = (extension: string): boolean =>
  Object.hasOwn(contents, extension.slice(1).toLowerCase());

/**
 * Checks that the extension of a file fits the format of the audio. An extension without a meaning fits every format.
 * @param requested the format that the node requests from the service
 * @returns the format to request: `mp3` for a file with this extension, if the node sets no format
 * @throws SpeechError `bad-request` if the extension belongs to another format
 */
export function checkExtension(
  file: string,
  format: Format,
  requested: ServiceFormat | undefined,
): ServiceFormat | undefined {
  const extension = path.extname(file).slice(1).toLowerCase();
  const delivered = requested ?? (extension === 'mp3' && format === 'unchanged' ? 'mp3' : undefined);
  const name = nameOf(format, delivered ?? 'wav');
  const content = contents[extension];
  if (content === undefined || name === content || name.startsWith(`${content} `)) return delivered;
  throw new SpeechError('bad-request', say('file-format', { file: JSON.stringify(file), format: name }));
}

/** Returns the container of a format, for raw audio also its encoding and sample rate. */
function nameOf(format: Format, delivered: ServiceFormat): string {
  if (format === 'unchanged') return delivered.toUpperCase();
  const { container, encoding, sampleRate } = format;
  return container === 'raw' ? `raw ${encoding} ${sampleRate} Hz` : container.toUpperCase();
}
