import type { CreditLatch } from './credit-latch.js';
import type { Limiter, LimiterOptions } from './limiter.js';

/** The limits of an account that several processes share. */
export interface SharedLimits {
  /**
   * Returns the limiter of a client. `tryAcquire` returns false if the limiter must ask another process.
   * @param options the limits of the account
   */
  limiter(options: LimiterOptions): Limiter;
  /** Returns the credit latch of a client. */
  credits(): CreditLatch;
}
