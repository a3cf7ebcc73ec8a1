/** Maximum number of remembered stops. Flows use few priorities. */
const MAX_STOPS = 100;

/** Remembers which messages replaced or interrupted earlier ones, by priority. */
export class Replacements {
  private readonly newest = new Map<number, number>();

  /** Notes that a message stops all earlier messages of its priority or a lower one. */
  note(arrival: number, priority: number): void {
    for (const [other, before] of this.newest) {
      if (other <= priority && before <= arrival) this.newest.delete(other);
    }
    this.newest.set(priority, arrival);
    const [oldest] = this.newest.keys();
    if (this.newest.size > MAX_STOPS && oldest !== undefined) this.newest.delete(oldest);
  }

  /** Returns whether a later message has replaced or interrupted the message, for example during its retry loop. */
  covers(arrival: number, priority: number): boolean {
    return [...this.newest].some(([other, stop]) => other >= priority && stop > arrival);
  }
}
