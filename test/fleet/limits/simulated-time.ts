/** Numbers from 0 to 1 that depend only on the seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An event loop that runs one thing at a time. */
export interface Loop {
  /** Time at which it has done its present work. */
  busyUntil: number;
  isDead: boolean;
}

interface Task {
  at: number;
  order: number;
  loop: Loop | undefined;
  run: () => unknown;
}

const real = { setTimeout, clearTimeout, setImmediate, now: performance.now.bind(performance) };

/** Time and event loops of a simulation. While `run` works, the timers and the clock of this process are those of the simulation. */
export class World {
  now = 0;
  /** The event loop whose code runs now. */
  private loop: Loop | undefined;
  private readonly tasks = new Map<number, Task>();
  /** Tasks that `setTimeout` has set. */
  private readonly timers = new Set<number>();
  private orders = 0;

  constructor(readonly random: () => number) {}

  /** The number of timers that have neither ended nor been cancelled. */
  get pendingTimers(): number {
    return [...this.timers].filter((order) => this.tasks.has(order)).length;
  }

  /** Runs a function later on an event loop, or outside all of them. */
  at(at: number, loop: Loop | undefined, run: () => unknown): number {
    const order = (this.orders += 1);
    this.tasks.set(order, { at, order, loop, run });
    return order;
  }

  /** A random number between two numbers; small ones are as frequent as large ones. */
  between(low: number, high: number): number {
    return low * (high / low) ** this.random();
  }

  async run(until: number): Promise<void> {
    this.replaceTimers();
    try {
      for (let task = this.next(); task !== undefined && task.at < until; task = this.next())
        await this.perform(task);
    } finally {
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
      Object.assign(globalThis, { setImmediate: real.setImmediate });
      performance.now = real.now;
    }
  }

  private next(): Task | undefined {
    let first: Task | undefined;
    for (const task of this.tasks.values())
      if (first === undefined || task.at < first.at || (task.at === first.at && task.order < first.order))
        first = task;
    return first;
  }

  private async perform(task: Task): Promise<void> {
    const { at, order, loop, run } = task;
    if (loop !== undefined && loop.busyUntil > at) {
      task.at = loop.busyUntil;
      return;
    }
    this.tasks.delete(order);
    this.now = Math.max(this.now, at);
    if (loop?.isDead) return;
    if (loop !== undefined) loop.busyUntil = this.now + this.stall();
    this.loop = loop;
    await run();
    this.loop = loop;
    // All promises that can settle now.
    await new Promise((resolve) => real.setImmediate(resolve));
    this.loop = undefined;
  }

  /** Milliseconds for which a turn of an event loop takes: mostly none, sometimes seconds. */
  private stall(): number {
    const luck = this.random();
    if (luck < 0.002) return this.between(100, 3000);
    return luck < 0.05 ? this.between(0.1, 100) : 0;
  }

  private replaceTimers(): void {
    const later = (run: () => void, milliseconds = 0) => {
      if (this.loop === undefined) return real.setTimeout(run, milliseconds);
      const order = this.at(this.now + Math.max(1, milliseconds), this.loop, run);
      this.timers.add(order);
      return order;
    };
    // A timer from before the simulation is a real one.
    const cancel = (timer: NodeJS.Timeout | number) => {
      if (typeof timer === 'number') this.tasks.delete(timer);
      else real.clearTimeout(timer);
    };
    const soon = (run: () => void) =>
      this.loop === undefined
        ? real.setImmediate(run)
        : this.at(Math.max(this.now, this.loop.busyUntil), this.loop, run);
    Object.assign(globalThis, { setTimeout: later, clearTimeout: cancel, setImmediate: soon });
    performance.now = () => this.now;
  }
}
