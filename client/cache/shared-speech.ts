import type { CachedSpoken, Spoken } from './entry.js';
import type { CallContext, SharedCall } from '../calls/flights.js';
import type { SharedLimits } from '../calls/sharing.js';

/** The call of a piece, and its place in the local files. */
export interface SharedPiece {
  /** Looks into the local files again. @throws SpeechError the signal's reason */
  find(): Promise<Spoken | undefined>;
  /** Sends the request. @throws SpeechError */
  send: SharedCall<Spoken>;
  /** Stores new speech in the local files. Resolves when the file is written, also after a failed write. */
  keep(spoken: Spoken): Promise<void>;
}

/** Speech that several processes share. `speak` and `has` never fail by themselves: without the other processes, `speak` sends. */
export interface SharedSpeech {
  /**
   * Returns stored speech, the speech of an equal call in another process, or the speech of `send`. Keeps new speech.
   * @param key the key of the request in the cache
   * @throws SpeechError of `send`, or the signal's reason
   */
  speak(key: string, piece: SharedPiece, context: CallContext): Promise<CachedSpoken>;
  /** Returns whether `speak` will probably send no request. @throws SpeechError the signal's reason */
  has(key: string, signal?: AbortSignal): Promise<boolean>;
  /** Returns the number of shared entries and their bytes. @throws SpeechError `no-connection` */
  size(): Promise<{ bytes: number; entries: number }>;
  /** Deletes all shared entries, not the local files. @throws SpeechError `no-connection` */
  clear(): Promise<void>;
}

/** The state of an account that several processes share. */
export interface Sharing extends SharedLimits {
  /** Shares speech between processes, in addition to the cache folder. */
  speech?: SharedSpeech | undefined;
}
