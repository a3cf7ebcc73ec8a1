import { onAbort, reasonOf } from '@herald-speech/client/sharing';

/** A member that waits for the end of a call. */
interface Listening {
  /**
   * Resolves when the call has ended, also before `wait` was called, or after the time.
   * @throws SpeechError the signal's reason
   */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** The calls of all members that end, by key. */
export class EndedCalls {
  private readonly listeners = new Map<string, Set<() => void>>();

  /** Wakes the waits for a key. */
  ended(key: string): void {
    for (const listener of this.listeners.get(key) ?? []) listener();
  }

  /** Listens from now on. */
  listen(key: string): Listening {
    let isEnded = false;
    let wake: (() => void) | undefined;
    const listener = () => {
      isEnded = true;
      wake?.();
    };
    this.add(key, listener);
    return {
      wait: (milliseconds, signal) =>
        new Promise<void>((resolve, reject) => {
          if (signal.aborted) return reject(reasonOf(signal));
          if (isEnded) return resolve();
          const end = () => {
            clearTimeout(timer);
            unlink();
            resolve();
          };
          const timer = setTimeout(end, milliseconds);
          const unlink = onAbort(signal, () => {
            clearTimeout(timer);
            reject(reasonOf(signal));
          });
          wake = end;
        }),
      stop: () => this.remove(key, listener),
    };
  }

  private add(key: string, listener: () => void): void {
    const listeners = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, listeners.add(listener));
  }

  private remove(key: string, listener: () => void): void {
    const listeners = this.listeners.get(key);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.listeners.delete(key);
  }
}
