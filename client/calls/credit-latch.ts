import { linked } from '../base/abort.js';
import { SpeechError } from '../base/errors.js';
import type { Operation } from '../interface/operation.js';
import { getCredits } from '../interface/operations.js';
import { text } from '../base/messages.js';

/** Milliseconds for which a 402 stops the account's paid calls. */
const LATCH_MS = 60_000;

/**
 * Remembers that the account is out of credits, so that paid calls fail without being sent (docs/interface.md#errors: a
 * client stops on 402). The state is per process, unless the client has the option `sharing`.
 */
export interface CreditLatch {
  /** @throws SpeechError `out-of-credits` for a paid operation while the latch is closed */
  check(operation: Operation): void;
  /**
   * Runs `wait` before a call is sent. If the latch closes meanwhile, the wait of a paid operation ends.
   * @throws SpeechError `out-of-credits` for a paid operation when the latch closes
   */
  guard(
    operation: Operation,
    signal: AbortSignal,
    wait: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** Closes the latch if the service refused a call for lack of credits. */
  failed(error: SpeechError): void;
  /** Opens the latch if the reply is a balance above zero. */
  succeeded(operation: Operation, reply: unknown): void;
}

/** A credit latch that another process can close and open. */
export interface RemoteCreditLatch extends CreditLatch {
  /** Closes the latch for some milliseconds. 0 opens it. */
  closeFor(milliseconds: number): void;
}

/**
 * Creates an open latch.
 * @param announce receives the milliseconds for which a reply closed the latch, or 0 if a reply opened it
 */
export function createCreditLatch(announce: (milliseconds: number) => void = () => {}): RemoteCreditLatch {
  let closedUntil = 0;
  let stop = new AbortController();
  const check = ({ paid }: Operation) => {
    if (paid && performance.now() < closedUntil) throw outOfCredits(closedUntil);
  };
  const closeFor = (milliseconds: number) => {
    closedUntil = performance.now() + milliseconds;
    if (milliseconds === 0) return;
    stop.abort(outOfCredits(closedUntil));
    stop = new AbortController();
  };
  const change = (milliseconds: number) => {
    closeFor(milliseconds);
    announce(milliseconds);
  };
  return {
    check,
    closeFor,
    async guard(operation, signal, wait) {
      check(operation);
      await (operation.paid ? linked([signal, stop.signal], wait) : wait(signal));
    },
    failed({ code }) {
      if (code === 'out-of-credits') change(LATCH_MS);
    },
    succeeded({ name }, reply) {
      if (name === getCredits.name && balanceOf(reply) > 0) change(0);
    },
  };
}

/** Returns the balance in a checked reply of `getCredits`; 0 if the service counts no credits. */
function balanceOf(reply: unknown): number {
  const isBalance = typeof reply === 'object' && reply !== null && 'balance' in reply;
  return isBalance && typeof reply.balance === 'number' ? reply.balance : 0;
}

function outOfCredits(until: number): SpeechError {
  return new SpeechError('out-of-credits', text('call-not-sent'), {
    retryAfter: Math.ceil((until - performance.now()) / 1000),
  });
}
