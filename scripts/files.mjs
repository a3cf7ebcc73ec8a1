/** What the build does with files. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const LEFT_OUT = /(^|\/)(node_modules|dist)(\/|$)/;

/** The files below a folder, as paths relative to it with `/`; none when there is no such folder. */
export function filesBelow(folder) {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
      )
      .filter((file) => !LEFT_OUT.test(file));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Makes `folder` hold these files among those that `owned` names, and no others; what is right is left untouched. */
export function writeExactly(folder, files, owned) {
  const stale = filesBelow(folder).filter((file) => owned.test(file) && !files.has(file));
  for (const file of stale) rmSync(path.join(folder, file));
  for (const [file, content] of files) writeIfChanged(path.join(folder, file), content);
}

function writeIfChanged(file, content) {
  if (contentOf(file) === content) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
