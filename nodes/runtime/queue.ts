import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpeechError } from '@herald-speech/client';

/** Messages that may wait at one node; a further one leaves at once as `busy`. */
export const MAX_WAITING = 1000;

/** One message at a node: it is worked on, or it is dropped before its turn. */
export interface Job {
  /** Higher goes first; equals keep their order. */
  readonly priority: number;
  /** Must not reject; has to end soon after the signal has fired. */
  run(signal: AbortSignal): Promise<void>;
  /** What happens instead of `run` to a job that is taken out while it waits. Must not throw. */
  drop(reason: SpeechError): void;
}

/** Which jobs are stopped. */
export interface Stop {
  /** Only those that came before this one, and are not of a higher priority. */
  before?: Job;
  /** Whether the one that runs is stopped as well. */
  running?: boolean;
}

/** Does one thing after the other: announcements come out in the order in which they came in. */
export interface Queue {
  /** How many wait behind the one that runs. */
  readonly waiting: number;
  /** How many wait or run. */
  readonly size: number;
  /**
   * Runs a job when everything before it is over. Once the queue is closed it is dropped.
   * @returns false, and nothing happens to the job, when too many wait
   */
  add(job: Job): boolean;
  /** Takes out jobs that wait, and stops the one that runs. They leave in their order. */
  stop(reason: SpeechError, which?: Stop): void;
  /** Stops all, and every job that comes later. Resolves when nothing runs. */
  close(reason: SpeechError): Promise<void>;
}

/** A queue of one at a time. */
export function createQueue(maxWaiting = MAX_WAITING): Queue {
  return new SerialQueue(maxWaiting);
}

interface Running {
  job: Job;
  controller: AbortController;
}

class SerialQueue implements Queue {
  private readonly queued: Job[] = [];
  /** Taken out, to leave as soon as the one before them has. */
  private readonly leaving: (() => void)[] = [];
  private readonly arrivals = new WeakMap<Job, number>();
  private running: Running | undefined;
  private busy = false;
  private over = Promise.resolve();
  private closedBy: SpeechError | undefined;
  private arrived = 0;

  constructor(private readonly maxWaiting: number) {}

  get waiting(): number {
    return this.queued.length + this.leaving.length;
  }

  get size(): number {
    return this.waiting + (this.running === undefined ? 0 : 1);
  }

  add(job: Job): boolean {
    this.arrivals.set(job, this.arrived++);
    if (this.closedBy !== undefined) {
      this.drop([job], this.closedBy);
      return true;
    }
    if (this.size > this.maxWaiting) return false;
    const behind = this.queued.findIndex(({ priority }) => priority < job.priority);
    this.queued.splice(behind < 0 ? this.queued.length : behind, 0, job);
    if (!this.busy) this.over = this.work();
    return true;
  }

  stop(reason: SpeechError, { before, running = false }: Stop = {}): void {
    const isMeant = (job: Job) => before === undefined || this.yields(job, before);
    const waiting = this.queued.splice(0);
    this.queued.push(...waiting.filter((job) => !isMeant(job)));
    if (running && this.running && isMeant(this.running.job)) this.running.controller.abort(reason);
    this.drop(waiting.filter(isMeant), reason);
  }

  async close(reason: SpeechError): Promise<void> {
    this.closedBy = reason;
    this.stop(reason, { running: true });
    await this.over;
  }

  private yields(job: Job, to: Job): boolean {
    return (this.arrivals.get(job) ?? 0) < (this.arrivals.get(to) ?? 0) && job.priority <= to.priority;
  }

  /** Behind one that is being stopped they wait, so that all leave in their order. */
  private drop(jobs: readonly Job[], reason: SpeechError): void {
    if (this.running?.controller.signal.aborted) {
      this.leaving.push(...jobs.map((job) => () => job.drop(reason)));
    } else {
      for (const job of jobs) job.drop(reason);
    }
  }

  private async work(): Promise<void> {
    this.busy = true;
    // What comes in at the same time is put in order before the first begins.
    await nextTurn();
    for (let job = this.queued.shift(); job !== undefined; job = this.queued.shift()) {
      const controller = new AbortController();
      this.running = { job, controller };
      await job.run(controller.signal);
      this.running = undefined;
      for (const leave of this.leaving.splice(0)) leave();
    }
    this.busy = false;
  }
}
