import path from 'node:path';
import {
  makePrivateFolder,
  MARK_KEY_FILE,
  MarkSigner,
  newMarkKey,
  readOrCreate,
} from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { dataFolderIn } from './connection.js';

/** The keys of this process by data folder. */
const signers = new Map<string, Promise<MarkSigner>>();
/** The data folders whose failure was reported. */
const reported = new Set<string>();

/**
 * Returns the key that signs the marks of synthetic speech, in the data folder. The local service uses the same file. Whoever comes
 * first creates it. Undefined, with one warning, if the folder has no readable key: speech must not fail without a signature.
 */
export async function markSigner(RED: NodeAPI): Promise<MarkSigner | undefined> {
  try {
    return await openMarkSigner(RED);
  } catch (error) {
    const folder = dataFolderIn(RED) ?? '';
    if (!reported.has(folder))
      RED.log.warn(`[herald] ${localize(RED, say('mark-unsigned', { problem: problemOf(error) }))}`);
    reported.add(folder);
    return undefined;
  }
}

/**
 * Returns the same key; undefined for an embedded Node-RED without user directory.
 * @throws Error if the key is not readable
 */
export async function openMarkSigner(RED: NodeAPI): Promise<MarkSigner | undefined> {
  const folder = dataFolderIn(RED);
  if (folder === undefined) return undefined;
  const opened = signers.get(folder) ?? open(folder);
  signers.set(folder, opened);
  try {
    return await opened;
  } catch (error) {
    signers.delete(folder);
    throw error;
  }
}

export const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function open(folder: string): Promise<MarkSigner> {
  await makePrivateFolder(folder);
  return new MarkSigner(readOrCreate(path.join(folder, MARK_KEY_FILE), newMarkKey));
}
