/** Runs works one after another, in the order of their calls. A failed work does not stop the next one. */
export class OneByOne {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs a work after all earlier ones. Resolves or rejects with its result. */
  run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves after all works until now. Never rejects. */
  async idle(): Promise<void> {
    await this.last;
  }
}
