/** Cleanup functions, called once in reverse order of their registration. */
export class Closers {
  readonly #closers: Array<() => unknown> = [];
  #closing: Promise<void> | undefined;

  /** Registers a cleanup function. It may return a promise. */
  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /**
   * Calls every function, even if one of them fails. Further calls return the promise of the first call.
   * @throws the first failure, after the last function has returned
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#closeAll());
  }

  async #closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
