import path from 'node:path';
import { SpeechError } from '@herald-speech/client';
import { say } from '../runtime/messages.js';

/** The format in which the service sends the audio. */
export type ServiceFormat = 'wav' | 'mp3';

/** The format of the output: as the service sends it, or a format of `@herald-speech/audio`. */
export type Format =
  | 'unchanged'
  | { container: 'wav' | 'raw' | 'mp3'; encoding: 'pcm' | 'mulaw' | 'alaw' | 'mp3'; sampleRate: number };

/** Returns the container and the encoding behind an extension, or undefined for an extension without a meaning. */
function contentOf(extension: string): string | undefined {
  if (/^sln\d*$/.test(extension)) return 'raw pcm';
  return contents[extension];
}

/** Extensions of audio files. The output has none of the formats marked `other`. */
const contents: Readonly<Record<string, string>> = {
  wav: 'wav',
  wave: 'wav',
  mp3: 'mp3',
  pcm: 'raw pcm',
  raw: 'raw',
  ulaw: 'raw mulaw',
  ul: 'raw mulaw',
  mulaw: 'raw mulaw',
  alaw: 'raw alaw',
  al: 'raw alaw',
  ...Object.fromEntries(
    ['aac', 'aif', 'aiff', 'au', 'flac', 'm4a', 'ogg', 'opus', 'wma'].map((name) => [name, 'other']),
  ),
};

/**
 * Checks that the extension of a file fits the format of the audio.
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
  const content = contentOf(extension);
  if (content === undefined || name === content || name.startsWith(`${content} `)) return delivered;
  const values = { file: JSON.stringify(file), format: name.toUpperCase() };
  throw new SpeechError('bad-request', say('file-format', values));
}

/** Returns the container of a format, for raw audio also its encoding. */
function nameOf(format: Format, delivered: ServiceFormat): string {
  if (format === 'unchanged') return delivered;
  return format.container === 'raw' ? `raw ${format.encoding}` : format.container;
}
