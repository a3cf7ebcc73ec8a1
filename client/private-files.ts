/** The rights of the files and folders that Herald writes for itself: keys, texts and audio belong to their user alone. Loads no HTTP client. */
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';

/** The access rights of a file of Herald. */
export const PRIVATE_FILE = 0o600;
/** The access rights of a folder of Herald. */
export const PRIVATE_FOLDER = 0o700;
/** The rights of other users, which a program that writes only such files takes away with `process.umask`. */
export const RIGHTS_OF_OTHERS = 0o077;

/**
 * The names of Herald in a data folder, of the nodes and of the local service. A user may choose a folder with other files, whose
 * rights must stay.
 */
const OWN_NAMES =
  /^(?:audio|budget|clones|measurements|prompts|run|voices|key(?:\.[0-9a-f]{12})?|herald\.sqlite.*|natural-catalogue\.json.*)$/;

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
    if (!hasCode(error, 'ENOENT') || parent === folder) throw error;
    await makePrivateFolder(parent);
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

const hasCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code;

/**
 * Takes all rights of other users from the files of Herald in a data folder, which earlier versions left readable. The folder
 * itself changes only if it has no other files. Follows no links. Never rejects: files of another user stay as they are.
 */
export async function tightenDataFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const names = await readdir(folder).catch(() => []);
  const own = names.filter((name) => OWN_NAMES.test(name));
  if (own.length > 0 && own.length === names.length) await tightenOne(folder);
  for (const name of own) await tighten(path.join(folder, name));
}

/** Tightens the content first: a folder without rights for others hides its content, and needs no second look. */
async function tighten(place: string): Promise<void> {
  const found = await lstat(place).catch(() => undefined);
  if (found === undefined || (found.mode & RIGHTS_OF_OTHERS) === 0) return;
  if (found.isDirectory())
    for (const name of await readdir(place).catch(() => [])) await tighten(path.join(place, name));
  await tightenOne(place);
}

async function tightenOne(place: string): Promise<void> {
  try {
    const found = await lstat(place);
    if (!found.isSymbolicLink()) await chmod(place, found.mode & ~RIGHTS_OF_OTHERS & 0o7777);
  } catch {
    // Another process may have removed the file, or another user owns it.
  }
}
