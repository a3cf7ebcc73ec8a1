import type { IncomingMessage } from 'node:http';
import type { Caller, Keys } from '../accounts/keys.js';
import { type RateKind, RateLimiter } from '../accounts/rate-limiter.js';
import { tiers } from '../accounts/tiers.js';
import { ServiceError } from '../kit/errors.js';

/** The request header that contains the key (docs/interface.md#authentication). */
export const KEY_HEADER = 'x-sup-api-key';

/** The message for a request without an active key. */
export const KEY_REQUIRED = `${KEY_HEADER} is missing or is not an active key: create a key in the console`;

export interface GateOptions {
  keys: Keys;
  /** Returns the caller of a request without a key. Returns undefined if the request has no console session. */
  localCaller(incoming: IncomingMessage): Caller | undefined;
}

/** The access control of the operations: keys, tiers and rate limits. */
export class AccessGate {
  readonly #options: GateOptions;
  readonly #limiter = new RateLimiter();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /**
   * Returns the caller of a request, and counts the request (docs/interface.md#authentication, docs/interface.md#limits).
   * @throws ServiceError 401 without an active key, 429 if the account exceeds its rate
   */
  admit(incoming: IncomingMessage): Caller {
    const key = incoming.headers[KEY_HEADER];
    return typeof key === 'string'
      ? this.admitKey(key)
      : this.admitCaller(this.#options.localCaller(incoming));
  }

  /**
   * Returns the caller with a key, and counts the request. For protocols that send the key in another header.
   * @param required message for a missing or unknown key
   * @throws ServiceError like `admit`
   */
  admitKey(key: string | undefined, required = KEY_REQUIRED): Caller {
    return this.admitCaller(key === undefined ? undefined : this.#options.keys.authenticate(key), required);
  }

  /**
   * Counts a request of a caller. For protocols without keys.
   * @throws ServiceError like `admit`
   */
  admitCaller(caller: Caller | undefined, required = KEY_REQUIRED): Caller {
    if (caller === undefined) throw new ServiceError(401, required);
    this.#count(caller, 'request');
    return caller;
  }

  /**
   * Checks and counts a clone request, before the service reads its sample (docs/interface.md#clone).
   * @throws ServiceError 403 on the Free tier, 429 if the account exceeds the clone rate
   */
  admitClone(caller: Caller): void {
    const { tier } = caller.account;
    if (!tiers[tier].mayClone) {
      throw new ServiceError(
        403,
        `the tier "${tier}" does not include cloning: use an account of another tier`,
      );
    }
    this.#count(caller, 'clone');
  }

  #count({ account }: Caller, kind: RateKind): void {
    const decision = this.#limiter.take(account, kind);
    if (decision.allowed) return;
    const { retryAfter } = decision;
    const limit = `${tiers[account.tier][kind]} ${kind}s per minute`;
    const message = `the account exceeds its limit of ${limit}: try again in ${retryAfter} s`;
    throw new ServiceError(429, message, { retryAfter });
  }
}
