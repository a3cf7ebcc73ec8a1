/** Reads and writes folders for the build. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const IGNORED = /(^|\/)(node_modules|dist)(\/|$)/;

/**
 * @param {string} folder
 * @returns {string[]} files below the folder as relative paths with `/`; empty if the folder does not exist
 */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !IGNORED.test(file));
}

/**
 * Writes the files and deletes all other files that match `owned`. Unchanged files keep their modification time.
 * @param {string} folder
 * @param {ReadonlyMap<string, string>} files content by path relative to the folder
 * @param {RegExp} owned paths that the caller generates
 */
export function writeExactly(folder, files, owned) {
  const stale = filesBelow(folder).filter((file) => owned.test(file) && !files.has(file));
  for (const file of stale) rmSync(path.join(folder, file));
  for (const [file, content] of files) writeIfChanged(path.join(folder, file), content);
}

/**
 * @param {string} file
 * @param {string} content
 */
function writeIfChanged(file, content) {
  if (existsSync(file) && readFileSync(file, 'utf8') === content) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
