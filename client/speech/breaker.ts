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

/** The state of a circuit. `failures` counts the failures in a row. */
type State =
  | { is: 'closed'; failures: number }
  /** No text may use the service before `until` (`performance.now()` milliseconds). */
  | { is: 'open'; failures: number; pause: number; until: number; last: FailureCode }
  /** One text tries whether the service works again. */
  | { is: 'probing'; failures: number; pause: number; until: number; last: FailureCode };

/** Creates a breaker with a closed circuit. */
export const createBreaker = ({ onChange, ...options }: BreakerOptions = {}): Breaker =>
  new ServiceBreaker({ ...breakerDefaults, ...options }, onChange);

class ServiceBreaker implements Breaker {
  private state: State = { is: 'closed', failures: 0 };

  constructor(
    private readonly options: typeof breakerDefaults,
    private readonly onChange: BreakerOptions['onChange'],
  ) {}

  enter(): Circuit {
    const { state } = this;
    if (state.is === 'closed') return this.circuit('text');
    if (state.is === 'probing' || performance.now() < state.until) throw rejected(state);
    this.state = { ...state, is: 'probing' };
    return this.circuit('probe');
  }

  isOpen(): boolean {
    return this.state.is !== 'closed';
  }

  /** Returns the circuit of a text. A probe ends with its first report. */
  private circuit(user: 'text' | 'probe'): Circuit {
    const end = () => {
      if (user === 'probe' && this.state.is === 'probing') this.state = { ...this.state, is: 'open' };
      user = 'text';
    };
    return {
      end,
      succeeded: () => {
        end();
        this.close();
      },
      failed: (error) => {
        if (DEAD.includes(error.code)) this.fail(error.code, user);
        // Any other reply comes from a living service.
        else if (error.status !== undefined) this.close();
        end();
      },
    };
  }

  private close(): void {
    const wasOpen = this.isOpen();
    this.state = { is: 'closed', failures: 0 };
    if (wasOpen) this.onChange?.({ isOpen: false });
  }

  private fail(last: FailureCode, user: 'text' | 'probe'): void {
    const { firstPause, longestPause, failures: most } = this.options;
    const { state } = this;
    const failures = state.failures + 1;
    if (state.is === 'closed') {
      if (failures < most) this.state = { is: 'closed', failures };
      else this.open(failures, firstPause, last);
    } else if (user === 'probe') this.open(failures, Math.min(longestPause, state.pause * 2), last);
    // A text that started before the circuit opened does not extend the pause.
    else this.state = { ...state, failures, last };
  }

  private open(failures: number, pause: number, last: FailureCode): void {
    const isFirst = !this.isOpen();
    this.state = { is: 'open', failures, pause, until: performance.now() + pause, last };
    if (isFirst) this.onChange?.({ isOpen: true, count: failures, seconds: pause / 1000 });
  }
}

function rejected({ last, failures: count, until }: Exclude<State, { is: 'closed' }>): SpeechError {
  const seconds = Math.max(1, Math.ceil((until - performance.now()) / 1000));
  return new SpeechError(last, text('circuit-open', { count, seconds }), { retryAfter: seconds });
}
