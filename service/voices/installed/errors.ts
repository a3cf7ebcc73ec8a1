import { isErrno } from '@herald-speech/client/files';
import type { ErrorStatus } from '../../kit/errors.js';

/** Reasons why an operation on a natural voice fails, with the status of the error reply (docs/interface.md#errors). */
const statuses = {
  /** Size or digest of a file differ from the catalogue or from the record. */
  digest: 500,
  /** The source of the voices is unreachable, too slow, or sent a wrong reply. */
  network: 503,
  disk: 500,
  'not-found': 404,
  /** A folder to import from does not exist, or has no voices. */
  'no-folder': 404,
  'no-voices': 404,
  /** A folder or a file of a source that the service may not read. */
  unreadable: 403,
  /** Another process, or another request, installs or removes the same voice. The interface has no 409. */
  busy: 403,
  /** Too many jobs wait, or the service closes. */
  full: 503,
  /** A name, a path, a config or a catalogue that does not follow its rules. */
  invalid: 400,
  'read-only': 403,
  /** The user did not accept the present model card. */
  consent: 400,
  cancelled: 503,
} as const satisfies Record<string, ErrorStatus>;

export type NaturalVoiceFailure = keyof typeof statuses;

/** A failed operation on a natural voice. The message names the voice or the file, the cause and the fix. */
export class NaturalVoiceError extends Error {
  override readonly name = 'NaturalVoiceError';

  constructor(
    readonly kind: NaturalVoiceFailure,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options);
  }

  get status(): (typeof statuses)[NaturalVoiceFailure] {
    return statuses[this.kind];
  }
}

const advice: Readonly<Record<string, readonly [NaturalVoiceFailure, string]>> = {
  ENOSPC: ['disk', 'the disk is full: free some space and install the voice again'],
  EDQUOT: ['disk', 'the disk quota is exhausted: free some space and install the voice again'],
  EROFS: ['read-only', 'the folder is read-only: choose another folder with --voices'],
  EACCES: ['read-only', 'access denied: check the owner and the permissions, or choose another folder'],
  EPERM: ['read-only', 'access denied: check the owner and the permissions, or choose another folder'],
};

/**
 * Converts an error of the file system to a NaturalVoiceError. Returns a NaturalVoiceError unchanged.
 * @param subject the voice or the file that the message names
 * @param signal an aborted signal makes the kind `cancelled`
 */
export function asNaturalVoiceError(
  error: unknown,
  subject: string,
  signal?: AbortSignal,
): NaturalVoiceError {
  if (error instanceof NaturalVoiceError) return error;
  if (signal?.aborted === true) return cancelled(subject);
  const message = error instanceof Error ? error.message : String(error);
  const [kind, fix] = (isErrno(error) && advice[error.code]) || ['disk', 'unexpected error'];
  return new NaturalVoiceError(kind, `${subject}: ${fix} (${message})`, { cause: error });
}

export function cancelled(subject: string): NaturalVoiceError {
  return new NaturalVoiceError('cancelled', `${subject}: cancelled. Install the voice again to continue`);
}
