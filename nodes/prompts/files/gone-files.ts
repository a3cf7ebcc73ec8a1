import { realpath, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { withTimeLimit } from '../../output/files/time-limit.js';
import { statsOf } from '../../output/files/files.js';
import { fileKey } from '../table/filename.js';
import { foldersOf, hasContent, promptPath } from './check-file.js';
import type { Manifest } from './manifest.js';
import type { PromptPlan } from './plan.js';

/**
 * Deletes the gone files of a plan that still have the content that a run made. Files that a user has changed, links, and files
 * behind a link to a folder stay. Then removes folders that are empty, if a run has made them. Deletes nothing if the table is partial or
 * has wrong rows, because a wrong row can hide the name of its file.
 * @param folder absolute path
 * @returns the deleted files, as in the plan
 * @throws SpeechError `bad-request` if the manifest is not writable, `timed-out`, or the reason of the signal
 */
export async function deleteGone(
  folder: string,
  plan: Pick<PromptPlan, 'gone' | 'wrong' | 'isPartial'>,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<string[]> {
  if (plan.isPartial || plan.wrong.length > 0) return [];
  const deleted: string[] = [];
  for (const name of plan.gone) {
    const result = await deleteFile(folder, name, manifest, signal);
    if (result !== 'kept') await manifest.remove([name]);
    if (result === 'deleted') deleted.push(name);
  }
  await removeFolders(folder, deleted, manifest, signal);
  return deleted;
}

function deleteFile(
  folder: string,
  filename: string,
  manifest: Manifest,
  signal: AbortSignal,
): Promise<'deleted' | 'kept' | 'missing'> {
  const file = promptPath(folder, filename);
  return withTimeLimit(file, signal, async (limit) => {
    const made = manifest.get(filename);
    const found = await statsOf(file).catch(() => undefined);
    if (made === undefined || found === undefined) return 'missing';
    if (!found.isFile() || !(await hasNoLink(folder, file))) return 'kept';
    // An unreadable file stays.
    const isMade =
      Number(found.size) === made.bytes && (await hasContent(file, made, limit).catch(() => false));
    limit.throwIfAborted();
    if (!isMade) return 'kept';
    return rm(file).then(
      () => 'deleted',
      () => 'kept',
    );
  });
}

/** Whether no link leads to the folder of the file: behind a link, the file can be the one of another row. */
async function hasNoLink(folder: string, file: string): Promise<boolean> {
  const real = path.relative(await realpath(folder), await realpath(path.dirname(file)));
  return fileKey(real) === fileKey(path.relative(folder, path.dirname(file)));
}

/** Removes the folders of deleted files that runs have made and that are empty now, from the inner to the outer. */
async function removeFolders(
  folder: string,
  deleted: readonly string[],
  manifest: Manifest,
  signal: AbortSignal,
) {
  const names = new Set(deleted.flatMap(foldersOf).filter((name) => manifest.folders.has(name)));
  const deepestFirst = [...names].sort((one, other) => other.length - one.length);
  for (const name of deepestFirst) {
    const inner = promptPath(folder, name);
    const isRemoved = await withTimeLimit(inner, signal, () =>
      rmdir(inner).then(
        () => true,
        () => false,
      ),
    );
    if (isRemoved) await manifest.removeFolder(name);
  }
}
