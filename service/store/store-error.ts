/** What is in the way of the data folder. */
export type StoreErrorKind =
  /** Another process holds the folder. */
  | 'locked'
  /** No room: disk, quota or file size limit. */
  | 'full'
  | 'read-only'
  /** The database is damaged, or no database. It is left as it is. */
  | 'corrupt'
  /** Written by a later version of this program. */
  | 'too-new'
  /** Anything else that a file or a socket can do. */
  | 'failed';

/** The one error of the store. The message names the file or folder, what is wrong and what helps. */
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

/** Kinds by the code of a failed system call; EFBIG is a limit on the size of a file (`ulimit -f`). */
const kinds: Readonly<Record<string, StoreErrorKind>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
};

const advice = {
  full: 'there is no room left: free some space, nothing is damaged',
  'read-only': 'it can not be written: check who owns it and how it is mounted',
} as const;

/** A failed system call on `where`, a file or folder, as a StoreError. A StoreError stays what it is. */
export function asStoreError(error: unknown, where: string): StoreError {
  if (error instanceof StoreError) return error;
  const kind = (isErrno(error) && kinds[error.code]) || 'failed';
  const words = error instanceof Error ? error.message : String(error);
  const help = kind === 'full' || kind === 'read-only' ? advice[kind] : 'it can not be used';
  return new StoreError(kind, `${where}: ${help} (${words})`, { cause: error });
}

/** Whether a system call failed, and with one of `codes` where some are given. */
export function isErrno(error: unknown, ...codes: string[]): error is Error & { code: string } {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return false;
  return codes.length === 0 || codes.includes(error.code);
}
