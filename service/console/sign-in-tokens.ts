import { ServiceError } from '../kit/errors.js';
import { Secrets } from './secrets.js';

/** Milliseconds from the issue of a token to its expiry. The token that the service prints at its start has no time limit. */
export const TOKEN_LIFETIME = 10 * 60_000;
/** Maximum number of unused tokens. A further token removes the oldest one. */
export const MAX_TOKENS = 64;
/** Maximum number of wrong tokens per minute. */
export const MAX_WRONG_TOKENS = 10;

const MINUTE = 60_000;

const WRONG = [
  'the sign-in link was used, has expired, or is from an earlier start of the service',
  'print a new link with "herald-service console", or use an API key',
].join(': ');

/** The one-time tokens in the links to the console. Each one opens one session (docs/decisions/0047). */
export class SignInTokens {
  readonly #now: () => number;
  readonly #secrets: Secrets;
  /** Times of the wrong tokens in the last minute. */
  #wrong: readonly number[] = [];

  /** @param now returns milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#secrets = new Secrets({ max: MAX_TOKENS, now });
  }

  /** Returns a new token. @param lifetime milliseconds */
  issue(lifetime = TOKEN_LIFETIME): string {
    return this.#secrets.create(lifetime);
  }

  /**
   * Uses up a token. A valid token is accepted even after many wrong ones, so that no other program can lock the owner out.
   * @throws ServiceError 403 for a wrong token, 429 for too many wrong tokens
   */
  redeem(token: string): void {
    if (this.#secrets.take(token)) return;
    this.#wrong = this.#wrong.filter((time) => time > this.#now() - MINUTE);
    const [oldest] = this.#wrong;
    if (oldest === undefined || this.#wrong.length < MAX_WRONG_TOKENS) {
      this.#wrong = [...this.#wrong, this.#now()];
      throw new ServiceError(403, WRONG);
    }
    const retryAfter = Math.ceil((oldest + MINUTE - this.#now()) / 1000);
    throw new ServiceError(429, `too many wrong sign-in tokens: try again in ${retryAfter} s`, {
      retryAfter,
    });
  }
}
