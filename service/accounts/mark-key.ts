import path from 'node:path';
import { MARK_KEY_FILE, MarkSigner, newMarkKey } from '@herald-speech/client/audio';
import { readOrCreate } from '@herald-speech/client/files';
import { asStoreError } from '../kit/store-error.js';

/**
 * Returns the key that signs the marks of synthetic speech, in the file DIR/mark-key.pem. Creates the file if missing; only its owner
 * can read it. The nodes of Node-RED use the same file.
 * @param create returns the content of a new file
 * @throws Error if the file contains anything else; StoreError
 */
export function openMarkKey(folder: string, create = newMarkKey): MarkSigner {
  const file = path.join(folder, MARK_KEY_FILE);
  let pem: string;
  try {
    pem = readOrCreate(file, create);
  } catch (error) {
    throw asStoreError(error, file);
  }
  try {
    return new MarkSigner(pem);
  } catch (cause) {
    throw new Error(`${file} does not contain a key: delete the file to get a new key`, { cause });
  }
}
