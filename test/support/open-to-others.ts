import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Returns the files and folders of a folder that other users may use, with their rights. The folder itself is ".". */
export function openToOthers(folder: string): string[] {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })];
  return names.flatMap((name) => {
    const found = lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink() || (found.mode & 0o077) === 0) return [];
    return [`${name} ${(found.mode & 0o777).toString(8)}`];
  });
}
