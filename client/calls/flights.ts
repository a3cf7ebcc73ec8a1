import { unlessAborted } from '../base/abort.js';
import type { Deliver } from '../http/transport.js';
import type { Progress } from './progress.js';
import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';

/** A caller that waits for a shared call. */
export interface Waiter {
  signal?: AbortSignal | undefined;
  /** A second signal: the end of the waiter's client. */
  closing?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Signal and progress of a call that several callers share. The signal aborts when the last caller leaves. */
export interface CallContext {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Sends the requests of the call. Default: the transport of the account. */
  deliver?: Deliver | undefined;
}

/** The call that several callers share. */
export type SharedCall<Result> = (context: CallContext) => Promise<Result>;

/** A shared result, and whether another caller had started the call. */
interface Shared<Result> {
  result: Result;
  joined: boolean;
}

/** Makes equal calls at the same time one call. */
export class Flights<Result> {
  private readonly flights = new Map<string, Flight<Result>>();

  /** Whether a call with this key is running. */
  has(key: string): boolean {
    return this.flights.has(key);
  }

  /**
   * Joins the running call with this key, or starts it.
   * @param owner the account of the caller. If the call of another account fails, for example because of its API key, this
   *   caller makes the call.
   * @param after runs with the result. Until it ends, callers get the result without a call. It must not reject.
   * @throws the error of the call, or the signal's reason as SpeechError
   */
  async share(
    key: string,
    owner: object,
    waiter: Waiter,
    call: SharedCall<Result>,
    after: (result: Result) => Promise<void>,
  ): Promise<Shared<Result>> {
    for (;;) {
      const running = this.flights.get(key);
      if (running === undefined)
        return { result: await this.start(key, owner, call, after).wait(waiter), joined: false };
      try {
        return { result: await running.wait(waiter), joined: true };
      } catch (error) {
        const hasLeft = waiter.signal?.aborted === true || waiter.closing?.aborted === true;
        if (hasLeft || running.owner === owner) throw error;
      }
    }
  }

  private start(
    key: string,
    owner: object,
    call: SharedCall<Result>,
    after: (result: Result) => Promise<void>,
  ): Flight<Result> {
    const end = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key);
    };
    const flight: Flight<Result> = new Flight(owner, call, end);
    this.flights.set(key, flight);
    flight.result.then(after, () => undefined).finally(end);
    return flight;
  }
}

/** One running call and its waiters. */
class Flight<Result> {
  readonly result: Promise<Result>;
  private readonly waiters = new Set<Waiter>();
  private readonly controller = new AbortController();
  private isOpen = true;

  /** @param end removes the call, so that the next caller starts a new one */
  constructor(
    readonly owner: object,
    call: SharedCall<Result>,
    private readonly end: () => void,
  ) {
    this.result = this.run(call);
  }

  private async run(call: SharedCall<Result>): Promise<Result> {
    const onProgress = (progress: Progress) => {
      for (const waiter of this.waiters) waiter.onProgress?.(progress);
    };
    try {
      // The first waiter comes before the call begins.
      await Promise.resolve();
      return await call({ signal: this.controller.signal, onProgress });
    } catch (error) {
      // Before the waiters get the error: one of them may call again.
      this.end();
      throw error;
    } finally {
      this.isOpen = false;
    }
  }

  async wait(waiter: Waiter): Promise<Result> {
    this.waiters.add(waiter);
    try {
      return await unlessAborted(this.result, waiter.signal, waiter.closing);
    } finally {
      this.waiters.delete(waiter);
      if (this.isOpen && this.waiters.size === 0) this.abandon();
    }
  }

  private abandon(): void {
    this.end();
    this.controller.abort(new SpeechError('aborted', text('caller-stopped')));
  }
}
