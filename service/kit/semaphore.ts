/** A limited number of places, given in the order of the requests. */
export class Semaphore {
  readonly #waiting: Array<() => void> = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when the caller has a place. Call `leave` at the end of its work. @throws the reason of the signal */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free === 0) return this.#wait(signal);
    this.#free -= 1;
  }

  /** Gives the place of the caller to the next one. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      this.#waiting.push(start);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}
