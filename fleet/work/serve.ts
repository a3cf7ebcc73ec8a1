import { randomUUID } from 'node:crypto';
import { asSpeechError, mayRetry, SpeechError } from '@herald-speech/client';
import { Flights, linked, onAbort } from '@herald-speech/client/sharing';
import type { Worker } from 'bullmq';
import { fleetText } from '../redis/messages.js';
import type { Redis } from '../redis/redis.js';
import type { BullConnections, BullJob } from './bull.js';
import { inTime } from './deadline.js';
import { Deferred } from './deferred.js';
import type { WorkLimits } from './limits.js';
import type { TaskStore } from './store.js';
import type { Perform, ServeOptions, TaskResult } from './task.js';

/** Bytes of results that wait in this process until Redis accepts them. */
const MAX_KEPT_BYTES = 32_000_000;

interface Dependencies extends ServeOptions {
  redis: Redis;
  store: TaskStore;
  bull: BullConnections;
  limits: WorkLimits;
  perform: Perform;
}

/** A retryable failure. BullMQ starts the task again after `milliseconds`. Redis gets only its code. */
class TryAgain extends Error {
  constructor(
    { code, retryAfter }: SpeechError,
    retryMs: number,
    readonly milliseconds = retryAfter === undefined ? retryMs : retryAfter * 1000,
  ) {
    super(code);
  }
}

/** Does tasks of all members. */
export class MemberAtWork {
  private readonly member = randomUUID();
  /** Aborts all running tasks. */
  private readonly stopping = new AbortController();
  private readonly stopped = new Deferred<void>();
  private readonly cancels = new Map<string, AbortController>();
  private readonly active = new Set<Promise<void>>();
  /** A task that is taken over by the member that does it already must not run twice. */
  private readonly flights = new Flights<TaskResult>();
  /** Results that Redis does not yet have, oldest first. */
  private readonly kept = new Map<string, TaskResult>();
  // With #: inspect() does not show the password of its connection.
  #worker: Worker | undefined;
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(private readonly use: Dependencies) {}

  /** Works until the signal aborts or `stop` is called. */
  async run(): Promise<void> {
    const unlink = onAbort(this.use.signal, () => void this.stop());
    if (!this.stopping.signal.aborted) {
      this.heartbeat = setInterval(() => void this.attend(), this.use.limits.memberMs / 3);
      this.changed();
    }
    await this.stopped.promise;
    unlink();
  }

  /** Starts the worker when the fleet is joined, and stores the results of the time before. */
  changed(): void {
    const { redis, bull, concurrency } = this.use;
    if (!redis.isJoined || this.stopping.signal.aborted) return;
    if (!this.#worker) {
      const backoff = (error: unknown) =>
        error instanceof TryAgain ? error.milliseconds : this.use.limits.retryMs;
      this.#worker = bull.work((job, token) => this.track(this.process(job, token)), concurrency, backoff);
      // Failures of Redis are reported by the fleet. A task whose lock was lost is taken over.
      this.#worker.on('error', () => {});
    }
    void this.attend();
    void this.storeKept();
  }

  /** Stops a running task that no submitter waits for. */
  cancel(id: string): void {
    this.cancels.get(id)?.abort();
  }

  /** Aborts the running tasks, gives them back and ends the worker. Each step has a time limit. */
  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) return this.stopped.promise;
    this.stopping.abort(new SpeechError('aborted', 'the member stops'));
    clearInterval(this.heartbeat);
    const { store, limits } = this.use;
    const quietly = (work: Promise<unknown>) => inTime(work, limits.closeMs).catch(() => {});
    if (this.#worker) {
      await quietly(this.#worker.pause(true));
      await quietly(store.retire(this.member));
      await quietly(Promise.allSettled(this.active));
      await quietly(this.#worker.close(true));
    }
    this.stopped.resolve();
  }

  private async track(work: Promise<void>): Promise<void> {
    this.active.add(work);
    try {
      await work;
    } finally {
      this.active.delete(work);
    }
  }

  private async process(job: BullJob, token: string): Promise<void> {
    const { store, limits } = this.use;
    const { id = '' } = job;
    if (this.stopping.signal.aborted) return this.use.bull.giveBack(job, token);
    const { concurrencyOf, concurrency } = this.use;
    if (this.#worker) this.#worker.concurrency = concurrencyOf?.(job.data) ?? concurrency;
    if (!(await store.begin(id))) return;
    if (job.stalledCounter > limits.stalls) return store.fail(id, stalledTooOften(job.stalledCounter));
    const result = this.kept.get(id) ?? (await this.result(id, job, token));
    if (result) await this.deliver(id, result);
  }

  /** Returns undefined if the task failed or was cancelled. */
  private async result(id: string, job: BullJob, token: string): Promise<TaskResult | undefined> {
    const cancelled = new AbortController();
    this.cancels.set(id, cancelled);
    try {
      return await this.perform(id, job.data, cancelled.signal);
    } catch (error) {
      if (this.stopping.signal.aborted) return await this.use.bull.giveBack(job, token);
      if (!cancelled.signal.aborted) await this.failed(id, job, error);
      return undefined;
    } finally {
      this.cancels.delete(id);
    }
  }

  private async perform(id: string, task: unknown, cancelled: AbortSignal): Promise<TaskResult> {
    return linked([this.stopping.signal, cancelled], async (signal) => {
      const call = (context: { signal: AbortSignal }) => this.use.perform(task, context.signal);
      const { result } = await this.flights.share(id, this, { signal }, call, () => Promise.resolve());
      return result;
    });
  }

  /** Stores a result. Keeps it until Redis has it: BullMQ may start the task again meanwhile, and it was paid. */
  private async deliver(id: string, result: TaskResult): Promise<void> {
    this.keep(id, result);
    await this.use.store.succeed(id, result);
    this.kept.delete(id);
  }

  private keep(id: string, result: TaskResult): void {
    this.kept.set(id, result);
    let bytes = 0;
    for (const { data } of this.kept.values()) bytes += data.length;
    for (const [oldest, { data }] of this.kept) {
      if (bytes <= MAX_KEPT_BYTES) return;
      this.kept.delete(oldest);
      bytes -= data.length;
    }
  }

  private async storeKept(): Promise<void> {
    for (const [id, result] of this.kept) {
      try {
        await this.deliver(id, result);
      } catch {
        return;
      }
    }
  }

  /**
   * Only an error that says that nothing was paid leads to another try. The task itself has its own retries.
   */
  private async failed(id: string, job: BullJob, thrown: unknown): Promise<void> {
    const { store, limits } = this.use;
    const error = asSpeechError(thrown);
    const isLast = job.attemptsMade + 1 >= limits.tries;
    if (mayRetry(error, false) && !isLast) throw new TryAgain(error, limits.retryMs);
    await store.fail(id, error);
  }

  private async attend(): Promise<void> {
    if (!this.use.redis.isJoined || this.stopping.signal.aborted) return;
    // The next heartbeat tries again.
    await this.use.store.attend(this.member).catch(() => {});
  }
}

function stalledTooOften(count: number): SpeechError {
  return new SpeechError('no-reply', fleetText('work-stalled', { count }));
}
