import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SpeechError } from '@herald-speech/client';

/** Maximum number of messages that wait at one node. A further message fails as `busy`. */
export const MAX_WAITING = 1000;

/** One message in the queue of a node. The queue calls exactly one of `run` and `drop`. */
export interface Job {
  /** Jobs of a higher priority run first. Equal priorities keep their order. */
  readonly priority: number;
  /** Processes the message. Must not reject, and must end soon after the signal fires. */
  run(signal: AbortSignal): Promise<void>;
  /** Called instead of `run` if the job is removed while it waits. Must not throw. */
  drop(reason: SpeechError): void;
}

/** Selects the jobs that `stop` affects. Default: all waiting jobs. */
export interface StopOptions {
  /** Only jobs that were added before this job and have no higher priority. */
  before?: Job;
  /** True to abort the running job as well. */
  running?: boolean;
}

interface Running {
  job: Job;
  controller: AbortController;
}

/** Runs one job at a time, so that announcements are spoken in the order in which their messages arrived. */
export class SerialQueue {
  private readonly queued: Job[] = [];
  /** Removed jobs that leave as soon as the aborted job has left. */
  private readonly leaving: (() => void)[] = [];
  private readonly arrivals = new WeakMap<Job, number>();
  private running: Running | undefined;
  private busy = false;
  private idle = Promise.resolve();
  private closedBy: SpeechError | undefined;
  private arrived = 0;

  constructor(private readonly maxWaiting = MAX_WAITING) {}

  /** Number of jobs that wait behind the running job. */
  get waiting(): number {
    return this.queued.length + this.leaving.length;
  }

  /** Number of jobs that wait or run. */
  get size(): number {
    return this.waiting + (this.running === undefined ? 0 : 1);
  }

  /**
   * Runs a job after all jobs before it. After `close`, drops the job at once.
   * @returns false if too many jobs wait. The queue then ignores the job.
   */
  add(job: Job): boolean {
    this.arrivals.set(job, this.arrived++);
    if (this.closedBy !== undefined) {
      this.drop([job], this.closedBy);
      return true;
    }
    if (this.size > this.maxWaiting) return false;
    const index = this.queued.findIndex(({ priority }) => priority < job.priority);
    this.queued.splice(index < 0 ? this.queued.length : index, 0, job);
    if (!this.busy) this.idle = this.work();
    return true;
  }

  /** Drops waiting jobs and, if requested, aborts the running job. The jobs leave in their order. */
  stop(reason: SpeechError, { before, running = false }: StopOptions = {}): void {
    const isAffected = (job: Job) => before === undefined || this.yields(job, before);
    const waiting = this.queued.splice(0);
    this.queued.push(...waiting.filter((job) => !isAffected(job)));
    if (running && this.running && isAffected(this.running.job)) this.running.controller.abort(reason);
    this.drop(waiting.filter(isAffected), reason);
  }

  /** Stops all jobs, and drops every job added later. Resolves when no job runs. */
  async close(reason: SpeechError): Promise<void> {
    this.closedBy = reason;
    this.stop(reason, { running: true });
    await this.idle;
  }

  private yields(job: Job, to: Job): boolean {
    return (this.arrivals.get(job) ?? 0) < (this.arrivals.get(to) ?? 0) && job.priority <= to.priority;
  }

  /** Drops jobs. If the running job is being aborted, they wait until it has left, so that all leave in order. */
  private drop(jobs: readonly Job[], reason: SpeechError): void {
    if (this.running?.controller.signal.aborted) {
      this.leaving.push(...jobs.map((job) => () => job.drop(reason)));
    } else {
      for (const job of jobs) job.drop(reason);
    }
  }

  private async work(): Promise<void> {
    this.busy = true;
    // Lets messages that arrive in the same tick be sorted by priority before the first job starts.
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
