/** Lets work wait while the user has paused it. */
export class Gate {
  isPaused = false;
  /** Called when a pause starts or ends. */
  onChange = () => {};
  private readonly waiting = new Set<() => void>();
  private pausedAt = 0;
  private paused = 0;

  /** Milliseconds of all pauses until now. */
  get pausedMs(): number {
    return this.paused + (this.isPaused ? performance.now() - this.pausedAt : 0);
  }

  pause(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.pausedAt = performance.now();
    this.onChange();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.paused = this.pausedMs;
    this.isPaused = false;
    for (const go of this.waiting) go();
    this.waiting.clear();
    this.onChange();
  }

  /** Resolves at once, or when the pause ends. Rejects with the reason of the signal. */
  async pass(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isPaused) return;
    let go = () => {};
    await new Promise<void>((resolve) => {
      go = resolve;
      this.waiting.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
    this.waiting.delete(go);
    signal.removeEventListener('abort', go);
    return this.pass(signal);
  }
}
