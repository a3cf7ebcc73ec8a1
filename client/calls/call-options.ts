import type { Deliver } from '../http/transport.js';
import type { TransportOptions } from '../http/transport-options.js';
import type { LimiterOptions } from './limiter.js';
import type { Progress } from './progress.js';
import type { RetryOptions } from './retry.js';

export interface CallOptions {
  /** Stops the call at once, in any state. */
  signal?: AbortSignal | undefined;
  /** Order in the queue of the rate limit: higher first, equal in order of arrival. Default 0. */
  priority?: number | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Maximum number of attempts, in place of the client's option `attempts`. */
  attempts?: number | undefined;
  /** Whether `speak` and `predict` remove SSML, HTML, Markdown and emoji from the text, or read them. Default `read`. */
  markup?: 'remove' | 'read' | undefined;
  /** Whether the request already passed `checkRequest` with the operation's schema. The client then skips that check. */
  checked?: boolean | undefined;
}

/** The options of a checked request. */
export interface SendOptions extends CallOptions {
  /** Default: the transport of the account. */
  deliver?: Deliver | undefined;
}

/** The settings of all calls of an account. */
export interface CallSettings extends RetryOptions, TransportOptions, LimiterOptions {
  /** Milliseconds of one call, waiting included. */
  totalTimeout: number;
  /** Milliseconds for all pages of a list. */
  listTimeout: number;
}
