import { withTimeLimit } from '../../output/files/time-limit.js';
import { statsOf, withErrors } from '../../output/files/files.js';
import { removeAbandoned } from '../../output/files/temporary-files.js';
import path from 'node:path';
import { foldersOf, promptPath } from './check-file.js';

/**
 * Removes the temporary files that killed runs left on this machine, in the folder and in the folders of the given files.
 * @param filenames relative paths from the table and the manifest
 * @throws SpeechError `bad-request`, `timed-out`, or the reason of the signal
 */
export async function removeLeftovers(
  folder: string,
  filenames: Iterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const names = new Set(['', ...[...filenames].flatMap(foldersOf)]);
  for (const name of names) {
    const inner = promptPath(folder, name);
    const work = async () => {
      // A link can lead to a folder of another owner.
      if ((await statsOf(inner))?.isDirectory() === true) await removeAbandoned(inner, true);
    };
    await withErrors(inner, () => withTimeLimit(path.join(inner, 'any'), signal, work));
  }
}
