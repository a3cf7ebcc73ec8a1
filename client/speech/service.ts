import type { Budget } from '../budget/budget.js';
import type { PieceCache } from '../cache/piece-cache.js';
import type { Account } from '../calls/account.js';

/** A service that speaks for one account. */
export interface SpeechService {
  account: Pick<Account, 'send'>;
  settings: SpeechSettings;
  /** The audio of former requests. */
  cache: PieceCache | undefined;
  /** The limits of speech per day and per text. */
  budget: Budget | undefined;
}

/** The settings of a text. */
export interface SpeechSettings {
  /** Concurrent requests of one text. */
  concurrency: number;
  /** UTF-16 code units of a text for `speak` and `predict`. */
  maxTextLength: number;
  /** Bytes of audio for `speak`. */
  maxAudioBytes: number;
  /** Whether to replace "#" by a space. */
  replaceHash: boolean;
}
