import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpeechError } from '@herald-speech/client';
import { QueueEntry, type QueueJob } from './queue-entry.js';

/** Maximum number of messages that wait at one node. A further message fails as `busy`. */
export const MAX_WAITING = 1000;

/** Selects the jobs that `stop` affects. Default: all jobs except those that have or had the turn. */
interface StopOptions {
  /** Only jobs that were added before this job and have no higher priority. */
  before?: QueueJob;
  /** Only this job. */
  only?: QueueJob;
  /** True to abort also the jobs that have or had the turn, such as jobs that have left and still run. */
  running?: boolean;
}

/**
 * Runs several jobs at a time. They leave one after the other, in the order in which they would leave if only one job ran at
 * a time: the highest priority first, then the earliest arrival (docs/decisions/0063).
 */
export class OrderedQueue {
  /** All jobs in the order in which they leave. Jobs that have left and still run are at the start. */
  private readonly entries: QueueEntry[] = [];
  private readonly arrivals = new WeakMap<QueueJob, number>();
  private arrived = 0;
  /** The last job that became the first one. */
  private leader: QueueEntry | undefined;
  private isFilling = false;
  private closedBy: SpeechError | undefined;
  private readonly onIdle: (() => void)[] = [];

  /**
   * @param parallel most jobs at a time. As many finished jobs may wait for their turn.
   */
  constructor(
    private readonly maxWaiting = MAX_WAITING,
    public parallel = 1,
  ) {}

  /** Number of jobs behind the first running job. */
  get waiting(): number {
    return this.size - (this.entries[0]?.isStarted === true ? 1 : 0);
  }

  /** Number of all jobs. */
  get size(): number {
    return this.entries.length;
  }

  /**
   * Adds a job behind all jobs of its priority. After `close`, drops it.
   * @returns false if too many jobs wait. The queue then ignores the job.
   */
  add(job: QueueJob): boolean {
    if (this.closedBy === undefined && this.size > this.maxWaiting) return false;
    const entry = new QueueEntry(job, (this.arrived += 1));
    this.arrivals.set(job, entry.arrival);
    this.insert(entry);
    if (this.closedBy === undefined) void this.fillSoon();
    else {
      entry.stop(this.closedBy);
      this.update();
    }
    return true;
  }

  private insert(entry: QueueEntry): void {
    const { priority } = entry.job;
    const index = this.entries.findIndex((other) => !this.isFixed(other) && other.job.priority < priority);
    if (index < 0) this.entries.push(entry);
    else {
      this.entries[index]?.loseTurn();
      this.entries.splice(index, 0, entry);
    }
  }

  /** Jobs that run one at a time also keep the turn: some of them change data. */
  private isFixed(entry: QueueEntry): boolean {
    return entry.isFixed || (this.parallel === 1 && entry.hasTurn);
  }

  /** Drops waiting jobs and aborts running jobs. They leave in their order, before all other jobs. */
  stop(reason: SpeechError, { before, only, running = false }: StopOptions = {}): void {
    const isAffected = (entry: QueueEntry) =>
      (running || !entry.hadTurn) &&
      (only === undefined || entry.job === only) &&
      (before === undefined || this.yields(entry, before));
    for (const entry of this.entries.filter(isAffected)) entry.stop(reason);
    this.update();
  }

  /** Stops all jobs, and drops every job added later. Resolves when no job runs. */
  async close(reason: SpeechError): Promise<void> {
    this.closedBy = reason;
    this.stop(reason, { running: true });
    if (this.size > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
  }

  private yields({ arrival, job }: QueueEntry, to: QueueJob): boolean {
    return arrival < (this.arrivals.get(to) ?? 0) && job.priority <= to.priority;
  }

  private async fillSoon(): Promise<void> {
    if (this.isFilling) return;
    this.isFilling = true;
    // Lets messages that arrive in the same tick be sorted by priority before the first job starts.
    await nextTurn();
    this.isFilling = false;
    this.update();
  }

  private update(): void {
    this.dropStopped();
    for (let next = this.nextToStart(); next !== undefined; next = this.nextToStart()) this.start(next);
    this.giveTurn();
    const [first] = this.entries;
    if (first !== undefined) return this.lead(first);
    this.leader = undefined;
    for (const resolve of this.onIdle.splice(0)) resolve();
  }

  private lead(first: QueueEntry): void {
    if (first === this.leader || !first.isStarted) return;
    this.leader = first;
    first.job.lead?.();
  }

  /** Drops the stopped jobs that have not started, up to a stopped job that still runs: all leave in order. */
  private dropStopped(): void {
    for (let entry = this.firstStopped(); entry?.isStarted === false; entry = this.firstStopped()) {
      this.remove(entry);
      entry.drop();
    }
  }

  private firstStopped(): QueueEntry | undefined {
    return this.entries.find(({ isStopped, work }) => isStopped && work !== 'left');
  }

  /**
   * Returns the next job to start. Finished jobs in memory are limited. If running jobs wait for a job that has overtaken
   * them, it starts above the limit: otherwise all would wait for ever.
   */
  private nextToStart(): QueueEntry | undefined {
    const started = this.entries.filter(({ isStarted }) => isStarted);
    const first = this.firstToLeave();
    const isAwaited = first?.isStarted === false && started.some(({ work }) => work !== 'left');
    if (isAwaited) return first;
    const finished = started.filter(({ work }) => work === 'finished').length;
    if (started.length - finished >= this.parallel) return undefined;
    const next = this.entries.find(({ isStarted, isStopped }) => !isStarted && !isStopped);
    return finished < this.parallel || next === first ? next : undefined;
  }

  private firstToLeave(): QueueEntry | undefined {
    return this.entries.find(({ work }) => work !== 'left');
  }

  private start(entry: QueueEntry): void {
    const place = entry.begin(() => this.update());
    void entry.job.run(place).then(() => {
      this.remove(entry);
      this.update();
    });
  }

  private giveTurn(): void {
    const next = this.firstStopped() ?? this.firstToLeave();
    if (next?.isStarted === true) next.giveTurn();
  }

  private remove(entry: QueueEntry): void {
    const index = this.entries.indexOf(entry);
    if (index >= 0) this.entries.splice(index, 1);
  }
}
