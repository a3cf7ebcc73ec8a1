import path from 'node:path';
import { makePrivateFolder } from '@herald-speech/client';
import { withTimeLimit } from './time-limit.js';
import { withErrors } from './files.js';

/**
 * Creates a folder of Herald, with access for its owner only.
 * @throws SpeechError `bad-request`, or `timed-out` if the file system does not answer
 */
export function makeOwnFolder(folder: string, signal: AbortSignal): Promise<void> {
  const place = path.join(folder, 'folder');
  return withErrors(folder, () => withTimeLimit(place, signal, () => makePrivateFolder(folder)));
}
