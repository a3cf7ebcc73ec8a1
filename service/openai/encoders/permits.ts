/** A limit of work at a time. Further work waits in order. */
export class Permits {
  readonly #waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Resolves when the work may start. Call `give` at its end. */
  async take(): Promise<void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
