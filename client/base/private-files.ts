/** The rights of the files and folders that Herald writes for itself: keys, texts and audio belong to their user alone. Loads no HTTP client. */
import { randomBytes } from 'node:crypto';
import {
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { isErrno } from './errno.js';

export { isErrno };
export { writeWhole, writeWholeSync } from './whole-file.js';

/** The access rights of a file of Herald. */
export const PRIVATE_FILE = 0o600;
/** The access rights of a folder of Herald. */
export const PRIVATE_FOLDER = 0o700;
/** The rights of other users, which a program that writes only such files takes away with `process.umask`. */
export const RIGHTS_OF_OTHERS = 0o077;

/**
 * Creates a folder and its missing parents. An existing folder remains unchanged.
 * Node's `mkdir` with `recursive` never ends if an existing parent rejects the folder with ENOENT, as /proc does.
 * @throws the error of the system
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  try {
    await makeOne(folder);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || parent === folder) throw error;
    await makePrivateFolder(parent);
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
}

/**
 * Returns the content of a small file of Herald. Creates a missing file, complete or not at all: if several processes do so at the same
 * time, all of them get the content of the first one.
 * @param create returns the content of a new file
 * @throws the error of the system
 */
export function readOrCreate(file: string, create: () => string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, create(), { mode: PRIVATE_FILE, flag: 'wx', flush: true });
    nameOnce(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}

/** Gives a file another name, unless another file has it. */
function nameOnce(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) nameInTurn(file, name);
  }
}

/** Milliseconds between two looks at a guard. */
const LOOK_MS = 20;
/** Looks after which a guard belongs to a process that was killed. Its age could be wrong: the clock may have been set back. */
const DEAD_LOOKS = 250;

/**
 * `nameOnce` for a file system without hard links, such as exFAT: only the process that creates the folder `guard` renames its file, which
 * would replace the file of another process.
 */
function nameInTurn(file: string, name: string): void {
  const guard = `${name}.guard`;
  for (let looks = 0; !existsSync(name); looks += 1) {
    try {
      mkdirSync(guard, { mode: PRIVATE_FOLDER });
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
      if (looks < DEAD_LOOKS) continue;
      rmSync(guard, { recursive: true, force: true });
      looks = 0;
      continue;
    }
    try {
      if (!existsSync(name)) renameSync(file, name);
    } finally {
      rmSync(guard, { recursive: true, force: true });
    }
  }
}

/**
 * Takes all rights of other users from the files and folders of Herald in `folder`, which earlier versions left readable. A closed
 * folder hides its content. `folder` itself changes only if it contains no other names. Follows no links. Never rejects: files of
 * another user stay as they are.
 * @param own matches the names that the caller writes in `folder`. Users may keep other files there
 * @param signal ends the work
 */
export async function tightenFolder(folder: string, own: RegExp, signal?: AbortSignal): Promise<void> {
  if (process.platform === 'win32') return;
  const names = await readdir(folder).catch(() => []);
  const found = names.filter((name) => own.test(name));
  const places = found.map((name) => path.join(folder, name));
  if (found.length > 0 && found.length === names.length) places.unshift(folder);
  for (const place of places) if (!signal?.aborted) await tighten(place);
}

/** `O_NONBLOCK` returns at once for a named pipe without a writer. */
const TO_TIGHTEN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function tighten(place: string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(place, TO_TIGHTEN);
    const { mode } = await file.stat();
    if ((mode & RIGHTS_OF_OTHERS) !== 0) await file.chmod(mode & ~RIGHTS_OF_OTHERS & 0o7777);
  } catch {
    // Another process may have removed the file, another user may own it, or it is a link.
  } finally {
    await file?.close();
  }
}
