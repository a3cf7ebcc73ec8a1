import path from 'node:path';
import type { Closers } from '../kit/closers.js';
import { lockDataFolder } from '../kit/data-lock.js';
import { openKey } from './key.js';
import { openLedger } from './ledger.js';
import { openMarkKey } from './mark-key.js';
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
