import { type RequestSource, isLoopbackRequest } from '../kit/loopback.js';
import { Secrets } from './secrets.js';

/** The header of a session's token. A page of another site cannot send it, because the service sends no CORS headers. */
const SESSION_HEADER = 'x-herald-session';

/** Maximum number of sessions. A further session ends the oldest one. */
export const MAX_SESSIONS = 64;
/** Milliseconds after the last request of a session. */
export const SESSION_LIFETIME = 12 * 3_600_000;

/** The open sessions of the console. They exist in memory only, so a restart ends them. */
export class Sessions {
  readonly #secrets: Secrets;

  /** @param now returns milliseconds of a monotonic clock */
  constructor(now?: () => number) {
    this.#secrets = new Secrets({ max: MAX_SESSIONS, now });
  }

  /** Opens a session and returns its token. */
  open(): string {
    return this.#secrets.create(SESSION_LIFETIME);
  }

  /** Returns whether a request has the token of an open session, and comes from the same computer. */
  admits(caller: RequestSource): boolean {
    const token = caller.headers[SESSION_HEADER];
    return (
      typeof token === 'string' && isLoopbackRequest(caller) && this.#secrets.renew(token, SESSION_LIFETIME)
    );
  }
}
