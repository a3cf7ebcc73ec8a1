import { linked } from '../abort.js';
import { SpeechError } from '../errors.js';
import type { Operation } from '../interface/operation.js';
import { getCredits } from '../interface/operations.js';

/** How long one 402 speaks for the account: after this, paid calls may ask again. */
const LATCH_MS = 60_000;

/**
 * Remembers that the account is out of credits, so that a workflow stops instead of asking again and again
 * (docs/interface.md#errors: a client stops on 402). In this process now; one shared between processes has the same shape.
 */
export interface CreditLatch {
  /**
   * Waits before a call is sent; a 402 that another call meets meanwhile ends the wait of a paid one.
   * @throws SpeechError `out-of-credits` when the operation takes credits and there are none
   */
  guard(
    operation: Operation,
    signal: AbortSignal,
    wait: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** A call failed: a 402 closes the account's paid calls. */
  failed(error: SpeechError): void;
  /** A call succeeded: a balance above zero opens them again. */
  succeeded(operation: Operation, reply: unknown): void;
}

/** A latch that starts open. */
export function createCreditLatch(): CreditLatch {
  let closedUntil = 0;
  let stop = new AbortController();
  return {
    async guard({ paid }, signal, wait) {
      if (!paid) return wait(signal);
      if (performance.now() < closedUntil) throw outOfCredits(closedUntil);
      await linked([signal, stop.signal], wait);
    },
    failed({ status }) {
      if (status !== 402) return;
      closedUntil = performance.now() + LATCH_MS;
      stop.abort(outOfCredits(closedUntil));
      stop = new AbortController();
    },
    succeeded(operation, reply) {
      if (operation.name !== getCredits.name) return;
      const seen = getCredits.response.safeParse(reply);
      if (seen.success && (seen.data.balance ?? 0) > 0) closedUntil = 0;
    },
  };
}

function outOfCredits(until: number): SpeechError {
  return new SpeechError('out-of-credits', 'the account is out of credits: the call was not sent', {
    retryAfter: Math.ceil((until - performance.now()) / 1000),
  });
}
