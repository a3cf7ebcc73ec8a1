/** The common start of an announcement on several speakers. */

/** Milliseconds for which ready speakers wait for the others. */
const WAIT_MS = 2000;

/** Lets speakers start together. A speaker that fails must leave. */
export class Barrier {
  private waiting = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param missing the number of speakers */
  constructor(private missing: number) {}

  /** Resolves when all speakers are ready or have left, at latest two seconds after the first one was ready. */
  ready(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.add(resolve);
      this.timer ??= setTimeout(() => this.open(), WAIT_MS);
      this.leave();
    });
  }

  /** Counts a speaker that does not start. */
  leave(): void {
    this.missing -= 1;
    if (this.missing <= 0) this.open();
  }

  private open(): void {
    clearTimeout(this.timer);
    for (const start of this.waiting) start();
    this.waiting = new Set();
  }
}
