/** Writes small files as a whole: a reader finds the old or the new content, also after a crash. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { promisify } from 'node:util';

/** `node:fs/promises` takes more processor time. */
const writeFile = promisify(fs.writeFile);
const rename = promisify(fs.rename);
const rm = promisify(fs.rm);

interface WholeFileOptions {
  /** Access rights of the file. Default: the rights of the umask. */
  mode?: number;
  /** True to wait for the disk, so that the content outlives a power failure. */
  flush?: boolean;
  /** The temporary file in the same folder. Default: the file with a point and 12 random hexadecimal digits. */
  draft?: string;
}

const draftOf = (file: string): string => `${file}.${randomBytes(6).toString('hex')}`;

/** Writes a file, or replaces it. The folder must exist. @throws the error of the system; no temporary file remains then */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  { draft = draftOf(file), ...options }: WholeFileOptions = {},
): Promise<void> {
  try {
    await writeFile(draft, content, { ...options, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** `writeWhole` for callers that cannot wait. @throws the error of the system; no temporary file remains then */
export function writeWholeSync(
  file: string,
  content: string | Uint8Array,
  { draft = draftOf(file), ...options }: WholeFileOptions = {},
): void {
  try {
    fs.writeFileSync(draft, content, { ...options, flag: 'wx' });
    fs.renameSync(draft, file);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}
