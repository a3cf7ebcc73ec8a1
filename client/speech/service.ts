import type { Budget } from '../budget/budget.js';
import type { PieceCache } from '../cache/piece-cache.js';
import type { AccountCalls } from '../calls/account.js';
import type { CallOptions } from '../calls/call-options.js';
import type { Features } from '../upstreams/upstream.js';
import type { Reading } from '../text/reading.js';
import type { VoiceLookup } from '../voices/voice-lookup.js';

/** A service that speaks for one account, as data. Speech of any length needs no more of it. */
export interface SpeechService {
  /** Speaks one piece, and predicts the duration of one. */
  account: Pick<AccountCalls, 'send'>;
  /** Finds the voice whose name a request has as its id. */
  voices: Pick<VoiceLookup, 'named'>;
  /** The abilities of the service. */
  features: Features;
  settings: SpeechSettings;
  /** The form in which the service gets the text. Default: as written. */
  reading?: Reading | undefined;
  /** The audio of former requests. */
  cache: PieceCache | undefined;
  /** The limits of speech per day and per text. */
  budget: Budget | undefined;
}

/** The settings of a text. */
interface SpeechSettings {
  /** Concurrent requests of one text. */
  concurrency: number;
  /** UTF-16 code units of a text for `speak` and `predict`. */
  maxTextLength: number;
  /** Bytes of audio for `speak`. */
  maxAudioBytes: number;
  /** Whether to replace "#" by a space. */
  replaceHash: boolean;
}

export interface PieceOptions extends CallOptions {
  /** Whether to read and fill the cache, if the client has a cache. Default true. */
  cache?: boolean | undefined;
  /**
   * Whether paid requests outlive this program: after `kill -9`, another process stores their audio in the cache, where the next
   * program finds it. Without a cache, they do not. Default false.
   */
  outlives?: boolean | undefined;
}
