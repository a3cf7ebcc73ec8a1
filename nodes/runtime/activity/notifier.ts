/** Milliseconds between two notifications: at most four per second. */
const INTERVAL_MS = 250;

/**
 * Notifies editors of changes. After a notification it waits until an editor has asked for the changes. Without an open
 * editor, changes thus cause neither notifications nor timers.
 */
export class Notifier {
  private current = 0;
  /** The latest revision in a reply to an editor. -1 before the first reply. */
  private lastSeen = -1;
  /** The revision of the latest notification. */
  private notified = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly notify: (revision: number) => void) {}

  /** Notes that an editor has the record up to a revision. */
  seen(revision: number): void {
    this.lastSeen = Math.max(this.lastSeen, revision);
  }

  changed(revision: number): void {
    this.current = revision;
    const isAwaited = this.lastSeen >= this.notified;
    if (isAwaited) this.timer ??= setTimeout(() => this.send(), INTERVAL_MS).unref();
  }

  private send(): void {
    this.timer = undefined;
    this.notified = this.current;
    this.notify(this.current);
  }
}
