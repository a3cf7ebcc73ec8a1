import { isErrno } from '@herald-speech/client/files';

/** Reasons why the data folder is not usable. */
export type StoreErrorKind =
  /** Another process uses the folder. */
  | 'locked'
  /** The disk, the quota or the maximum file size is exhausted. */
  | 'full'
  | 'read-only'
  /** The file is damaged, or is not a database. It was not changed. */
  | 'corrupt'
  /** A later version of this program wrote the database. */
  | 'too-new'
  /** Any other failure of a file or socket. */
  | 'failed';

/** An error of the data folder. The message names the file or folder, the problem and the fix. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Kinds of errors by the code of the system call. EFBIG: the file exceeds the maximum size (`ulimit -f`). */
const kinds: Readonly<Record<string, StoreErrorKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
};

/** Problem and fix of errors that both system calls and SQLite report. */
export const advice = {
  full: 'the disk is full: free some space. Nothing is damaged',
  'read-only': 'it is not writable: check its owner, its permissions and its mount options',
} as const;

/** Converts an error of a system call on the file or folder `where` to a StoreError. Returns a StoreError unchanged. */
export function asStoreError(error: unknown, where: string): StoreError {
  if (error instanceof StoreError) return error;
  const kind = (isErrno(error) && kinds[error.code]) || 'failed';
  const message = error instanceof Error ? error.message : String(error);
  const help =
    kind === 'full' || kind === 'read-only' ? advice[kind] : 'it is not usable: choose another folder';
  return new StoreError(kind, `${where}: ${help} (${message})`, { cause: error });
}
