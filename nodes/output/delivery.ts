import path from 'node:path';
import { SpeechError, type Speech } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { say } from '../runtime/messages.js';
import { publishAudio, urlBase } from './audio-urls.js';
import { checkWritable, resolvePath, writeAtomically } from './files.js';

/** The destination of audio, as the properties of a node set it. */
export interface Destination {
  output: 'buffer' | 'file' | 'url';
  filename?: string | undefined;
  output_format?: Format | undefined;
  create_folder?: boolean | undefined;
  base_url?: string | undefined;
}

/** The payload of the result and fields of `msg.speech`. */
interface Delivered {
  payload: Buffer | string;
  filename?: string;
  url?: string;
}

/** Writes, publishes or returns the audio. @throws SpeechError */
type Deliver = (speech: Speech) => Promise<Delivered>;

/**
 * Checks a destination before the speech is requested and paid for. Creates missing folders if the node does so.
 * @throws SpeechError `bad-request` for a file that cannot be written, `not-configured` if Node-RED serves no URLs
 */
export async function prepareDelivery(
  RED: NodeAPI,
  destination: Destination,
  signal: AbortSignal,
): Promise<Deliver> {
  const { output, filename = '', create_folder: createFolder = false, base_url } = destination;
  if (output === 'file') {
    formatOf(filename, destination.output_format);
    const file = resolvePath(RED, filename);
    await checkWritable(file, { signal, createFolder });
    return async ({ audio }) => {
      await writeAtomically(file, audio, signal);
      return { payload: file, filename: file };
    };
  }
  if (output === 'url') {
    const base = urlBase(RED, base_url);
    return async ({ audio, mime, format }) => {
      const url = publishAudio(RED, { audio, mime }, format, base);
      return { payload: url, url };
    };
  }
  return async ({ audio }) => ({ payload: Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength) });
}

type Format = 'wav' | 'mp3';

/** Extensions of audio formats that no service delivers under this name. */
const OTHER_FORMATS: readonly string[] = ['aac', 'aif', 'aiff', 'flac', 'm4a', 'ogg', 'opus', 'wma'];

/**
 * Returns the format to request for a file: the format that the node sets, or else `mp3` for a file with this extension.
 * @throws SpeechError `bad-request` if the extension contradicts the format
 */
export function formatOf(filename: string, format: Format | undefined): Format | undefined {
  const extension = path.extname(filename).slice(1).toLowerCase();
  const other = format === 'mp3' ? 'wav' : 'mp3';
  const isWrong = OTHER_FORMATS.includes(extension) || (format !== undefined && extension === other);
  if (!isWrong) return format ?? (extension === 'mp3' ? 'mp3' : undefined);
  const values = { file: JSON.stringify(filename), format: (format ?? 'wav').toUpperCase() };
  throw new SpeechError('bad-request', say('file-format', values));
}
