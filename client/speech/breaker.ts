import { type FailureCode, SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';

export const breakerDefaults = {
  /** Failures in a row that open the circuit. */
  failures: 3,
  /** Milliseconds until the first probe. The pause doubles after each failed probe. */
  firstPause: 15_000,
  /** Longest pause in milliseconds. */
  longestPause: 300_000,
};

export interface BreakerOptions extends Partial<typeof breakerDefaults> {
  /** Called once when the circuit opens, and once when it closes. */
  onChange?(change: CircuitChange): void;
}

/** `count` failures in a row opened the circuit; the next call is a probe after `seconds`. */
export type CircuitChange = { isOpen: true; count: number; seconds: number } | { isOpen: false };

/** The use of the circuit by one text. */
export interface Circuit {
  /** Reports audio of the service: closes the circuit. */
  succeeded(): void;
  /** Reports the failure of the text. Failures that say nothing about the service do not count. */
  failed(error: SpeechError): void;
  /** Releases the probe if neither audio nor a failure was reported. */
  end(): void;
}

/** Stops the calls to a dead service, and lets one call through from time to time. Uses no timers. */
export interface Breaker {
  /** @throws SpeechError with the code of the last failure and `retryAfter`, while the circuit is open */
  enter(): Circuit;
  /** Returns whether the circuit is open. */
  isOpen(): boolean;
}

/** Failures of a dead or unreachable service. */
const DEAD: readonly FailureCode[] = ['no-connection', 'service-failed', 'timed-out', 'no-reply'];

/** Creates a breaker with a closed circuit. */
export function createBreaker({ onChange, ...options }: BreakerOptions = {}): Breaker {
  const { failures, firstPause, longestPause } = { ...breakerDefaults, ...options };
  let count = 0;
  let pause = 0;
  /** `performance.now()` milliseconds of the next probe. */
  let until = 0;
  let last: FailureCode = 'no-connection';
  let isProbing = false;
  const close = () => {
    const wasOpen = pause > 0;
    [count, pause] = [0, 0];
    if (wasOpen) onChange?.({ isOpen: false });
  };
  const open = () => {
    const isFirst = pause === 0;
    pause = isFirst ? firstPause : Math.min(longestPause, pause * 2);
    until = performance.now() + pause;
    if (isFirst) onChange?.({ isOpen: true, count, seconds: pause / 1000 });
  };
  return {
    enter() {
      const isOpen = pause > 0;
      if (isOpen && (isProbing || performance.now() < until)) throw rejected(last, count, until);
      isProbing = isOpen;
      return circuitOf(isOpen, {
        close,
        failed({ code }) {
          count += 1;
          last = code;
          // A text that started before the circuit opened does not extend the pause.
          if (pause === 0 ? count >= failures : isOpen) open();
        },
        release: () => (isProbing = false),
      });
    },
    isOpen: () => pause > 0,
  };
}

interface Actions {
  close(): void;
  failed(error: SpeechError): void;
  release(): void;
}

function circuitOf(isProbe: boolean, { close, failed, release }: Actions): Circuit {
  const end = () => {
    if (isProbe) release();
    isProbe = false;
  };
  return {
    succeeded() {
      end();
      close();
    },
    failed(error) {
      if (DEAD.includes(error.code)) failed(error);
      // Any other reply comes from a living service.
      else if (error.status !== undefined) close();
      end();
    },
    end,
  };
}

function rejected(code: FailureCode, count: number, until: number): SpeechError {
  const seconds = Math.max(1, Math.ceil((until - performance.now()) / 1000));
  return new SpeechError(code, text('circuit-open', { count, seconds }), { retryAfter: seconds });
}
