import type { IncomingMessage } from 'node:http';
import type { Caller, Keys } from '../accounts/keys.js';
import { type RateKind, RateLimiter } from '../accounts/rate-limiter.js';
import { tiers } from '../accounts/tiers.js';
import { ServiceError } from '../errors.js';

/** The header that carries the key (docs/interface.md#authentication). */
export const KEY_HEADER = 'x-sup-api-key';

export interface GateOptions {
  keys: Keys;
  /** Who a request comes from that carries no key: the user of the console on this machine. */
  localCaller(incoming: IncomingMessage): Caller | undefined;
}

/** Who may come in, and how often. */
export class Gate {
  readonly #limiter = new RateLimiter();

  constructor(private readonly options: GateOptions) {}

  /**
   * Lets a request in (docs/interface.md#authentication, docs/interface.md#limits).
   * @throws ServiceError 401 without a key that opens an account, 429 past the account's rate
   */
  admit(incoming: IncomingMessage): Caller {
    const { keys, localCaller } = this.options;
    const key = incoming.headers[KEY_HEADER];
    const caller = typeof key === 'string' ? keys.authenticate(key) : localCaller(incoming);
    if (caller === undefined) {
      throw new ServiceError(401, `${KEY_HEADER} is missing or is no active key of this service`);
    }
    this.#count(caller, 'request');
    return caller;
  }

  /**
   * Lets a clone request on, before its sample is read (docs/interface.md#clone).
   * @throws ServiceError 403 on the Free tier, 429 past the rate of clones
   */
  admitClone(caller: Caller): void {
    const { tier } = caller.account;
    if (!tiers[tier].mayClone)
      throw new ServiceError(403, `accounts of the tier "${tier}" can't clone voices`);
    this.#count(caller, 'clone');
  }

  #count({ account }: Caller, kind: RateKind): void {
    const decision = this.#limiter.take(account, kind);
    if (decision.allowed) return;
    const words = `${tiers[account.tier][kind]} ${kind}s a minute are allowed: try again in ${decision.retryAfter} s`;
    throw new ServiceError(429, words, { retryAfter: decision.retryAfter });
  }
}
