/** Undoes what was started, last first, once. */
export class Closers {
  readonly #closers: Array<() => unknown> = [];
  #closing: Promise<void> | undefined;

  /** Remembers how to end a thing. */
  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  /** Ends everything, whatever fails on the way. @throws the first failure, at the end */
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
