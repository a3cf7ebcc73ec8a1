import type { SpeechError } from '@herald-speech/client';

/** Least milliseconds between the return of a message and its next failure. */
const LOOP_MS = 1000;
/** Maximum number of failures that wait. A further one leaves at once. */
const MAX_DELAYED = 1000;

/** Sends a failed message: with its own failure, or with the given reason. Must not throw. */
type Leave = (reason?: SpeechError) => void;

/**
 * Delays the failures of messages that came back, so that a loop without a delay uses neither the processor nor the service
 * without a limit. The next messages do not wait for them.
 */
export class DelayedFailures {
  private readonly delayed = new Map<NodeJS.Timeout, Leave>();

  get size(): number {
    return this.delayed.size;
  }

  /** Lets a message leave when a second has passed since its return (`performance.now()` milliseconds). */
  add(returnedAt: number, leave: Leave): void {
    const rest = LOOP_MS - (performance.now() - returnedAt);
    if (rest <= 0 || this.size >= MAX_DELAYED) {
      leave();
      return;
    }
    const timer = setTimeout(() => {
      this.delayed.delete(timer);
      leave();
    }, rest);
    this.delayed.set(timer, leave);
  }

  /** Lets all delayed messages leave at once as stopped: their failure would send them through the loop again. */
  stop(reason: SpeechError): void {
    const stopped = [...this.delayed];
    this.delayed.clear();
    for (const [timer, leave] of stopped) {
      clearTimeout(timer);
      leave(reason);
    }
  }
}
