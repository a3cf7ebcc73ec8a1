import path from 'node:path';
import { MARK_KEY_FILE, MarkSigner, newMarkKey } from '@herald-speech/client/audio';
import { readOrCreate } from '@herald-speech/client/files';
import type { Closers } from '../kit/closers.js';
import { lockDataFolder } from '../kit/data-lock.js';
import { asStoreError } from '../kit/store-error.js';
import { openKey } from './key.js';
import { openLedger } from './ledger.js';
import { SampleFiles } from './sample-files.js';

/** Name of the account of the key file. The nodes use this account by default. */
export const LOCAL_ACCOUNT = 'local';

/**
 * Opens the data folder of a service. Locks it first, and releases the lock last.
 * @param patience milliseconds to wait until another service, which is stopping, releases the folder
 * @returns the ledger, the samples of custom voices, the key in the folder, the identifier of its account and the key of marks
 * @throws StoreError if the folder is unusable or another service uses it
 */
export async function openData(data: string, patience: number, closers: Closers) {
  const lock = await lockDataFolder(data, { patience });
  closers.add(() => lock.release());
  const ledger = openLedger(lock);
  closers.add(() => ledger.close());
  const { keys, freeing } = ledger;
  const signer = freeing(() => openMarkKey(data));
  const key = openKey(data, { isRevoked: (key) => keys.isRevoked(key), freeing });
  const local = ledger.accounts.unlimited(LOCAL_ACCOUNT).id;
  freeing(() => keys.adopt(local, key));
  const samples = await SampleFiles.open(path.join(data, 'clones'), (id) => ledger.customVoices.has(id));
  return { ledger, samples, key, signer, local };
}

/**
 * Returns the key that signs the marks of synthetic speech, in the file DIR/mark-key.pem. Creates the file if missing; only its owner
 * can read it. The nodes of Node-RED use the same file.
 * @throws Error if the file contains anything else; StoreError
 */
function openMarkKey(folder: string): MarkSigner {
  const file = path.join(folder, MARK_KEY_FILE);
  let pem: string;
  try {
    pem = readOrCreate(file, newMarkKey);
  } catch (error) {
    throw asStoreError(error, file);
  }
  try {
    return new MarkSigner(pem);
  } catch (cause) {
    throw new Error(`${file} does not contain a key: delete the file to get a new key`, { cause });
  }
}
