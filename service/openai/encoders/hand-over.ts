/** Passes the parts of a file to its reader, one at a time. The writer waits until the reader has taken a part. */
export class HandOver {
  #part: Uint8Array | undefined;
  #isEnded = false;
  #isAbandoned = false;
  #wake: () => void = () => undefined;
  #taken: () => void = () => undefined;

  readonly writable = new WritableStream<{ data: Uint8Array }>({
    write: ({ data }) => this.#put(data),
    close: () => this.end(),
  });

  #put(part: Uint8Array): Promise<void> | undefined {
    if (this.#isAbandoned) return undefined;
    this.#part = part;
    this.#wake();
    return new Promise((resolve) => (this.#taken = resolve));
  }

  /** Ends the parts, also if the writer failed. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Ends all waits of the writer. Further parts are dropped. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#taken();
  }

  /** Yields the parts for one reader. */
  async *parts(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const part = this.#part;
      this.#part = undefined;
      if (part !== undefined) {
        this.#taken();
        yield part;
      } else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
