import { SpeechError } from './errors.js';
import type { Operation } from './operation.js';
import { getCredits } from './operations.js';

/** How long one 402 speaks for the account: after this, one paid call may ask again. */
const LATCH_MS = 60_000;

/**
 * Remembers that the account is out of credits, so that a workflow stops instead of asking again and again
 * (service-api.md, 7: "stop the workflow on 402"). In this process now; one shared between processes has the same shape.
 */
export interface CreditLatch {
  /** @throws SpeechError `out-of-credits` when the operation takes credits and there are none */
  check(operation: Operation): void;
  /** A call failed: a 402 closes the account's paid calls. */
  failed(error: SpeechError): void;
  /** A call succeeded: a balance above zero opens them again. */
  succeeded(operation: Operation, reply: unknown): void;
}

/** A latch that starts open. */
export function createCreditLatch(): CreditLatch {
  let closedUntil = 0;
  return {
    check({ paid }) {
      const left = closedUntil - performance.now();
      if (!paid || left <= 0) return;
      throw new SpeechError('out-of-credits', 'the account is out of credits: nothing was sent', {
        retryAfter: Math.ceil(left / 1000),
      });
    },
    failed({ code, status }) {
      if (code === 'out-of-credits' && status === 402) closedUntil = performance.now() + LATCH_MS;
    },
    succeeded(operation, reply) {
      if (operation.name !== getCredits.name) return;
      const seen = getCredits.response.safeParse(reply);
      if (seen.success && (seen.data.balance ?? 0) > 0) closedUntil = 0;
    },
  };
}
