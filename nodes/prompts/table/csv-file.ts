import type { NodeAPI } from 'node-red';
import { MAX_TABLE_BYTES } from './utf8.js';
import { readBounded, resolvePath } from '../../output/files/files.js';

/**
 * Reads a CSV file for `readTable`. A relative path starts at `fileWorkingDirectory` of the settings.
 * @throws SpeechError `bad-request` if the path is missing, is not a regular file, or is too large; `timed-out` if the file
 *   system does not answer
 */
export async function readCsvFile(RED: NodeAPI, file: string, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = await readBounded(resolvePath(RED, file), MAX_TABLE_BYTES, signal);
  // A copy, because the bytes are the start of a buffer of the maximum size.
  return Buffer.from(bytes);
}
