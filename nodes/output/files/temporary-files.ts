import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Stands for the machine or container: a process id has no meaning on other ones that share the folder. */
export const HOST = createHash('sha256').update(os.hostname()).digest('hex').slice(0, 8);
const NAME = new RegExp(`^\\.${HOST}-(\\d+)-[0-9a-f-]{36}\\.part$`);

/** The unfinished files of this process. */
const own = new Set<string>();
/** The folders in which this process has looked for abandoned files. */
const checked = new Set<string>();

/** Returns a new name in the folder of a file. It does not contain the file's name, which may have the maximum length. */
export function temporaryBeside(file: string): string {
  const name = `.${HOST}-${process.pid}-${randomUUID()}.part`;
  own.add(name);
  return path.join(path.dirname(file), name);
}

/** Removes an unfinished file, or ends its use after it got its name. */
export async function removeTemporary(file: string): Promise<void> {
  await rm(file, { force: true });
  own.delete(path.basename(file));
}

/**
 * Removes the unfinished files of processes that were killed on this machine. Looks once into each folder.
 * @param again whether to look into a folder again
 */
export async function removeAbandoned(folder: string, again = false): Promise<void> {
  if (checked.has(folder) && !again) return;
  checked.add(folder);
  for (const name of await readdir(folder)) {
    const [, writer] = NAME.exec(name) ?? [];
    if (writer === undefined || own.has(name) || isOther(Number(writer))) continue;
    await rm(path.join(folder, name), { force: true }).catch(() => undefined);
  }
}

const isOther = (id: number): boolean => id !== process.pid && !hasEnded(id);

/** Returns whether a process has ended. Containers reuse ids, so an id of this process can belong to an earlier one. */
export function hasEnded(id: number): boolean {
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
