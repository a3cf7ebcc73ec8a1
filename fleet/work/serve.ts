import { randomUUID } from 'node:crypto';
import { asSpeechError, mayRetry, SpeechError } from '@herald-speech/client';
import { onAbort, unlessAborted } from '@herald-speech/client/sharing';
import { fleetText } from '../redis/messages.js';
import type { Redis } from '../redis/redis.js';
import { Deferred } from './deferred.js';
import type { WorkLimits } from './limits.js';
import type { TakenTask, TaskStore } from './store.js';
import type { Perform, ServeOptions, TaskResult } from './task.js';

/** Bytes of results that wait in this process until Redis accepts them. */
const MAX_KEPT_BYTES = 32_000_000;

interface Dependencies extends ServeOptions {
  redis: Redis;
  store: TaskStore;
  limits: WorkLimits;
  perform: Perform;
}

/** A task that goes back: the tries that failed, and the milliseconds before the next one. */
interface Again {
  tries: number;
  pause: number;
}

/** Does tasks of all members. */
export class MemberAtWork {
  /** The name of this member in Redis. */
  private readonly member = randomUUID();
  private readonly stopped = new Deferred<void>();
  /** The tasks whose locks this member renews. */
  private readonly running = new Map<string, AbortController>();
  /** Tasks at a time, as the last task states. */
  private places: number;
  /** All that `stop` waits for. */
  private readonly active = new Set<Promise<void>>();
  /** Results that Redis does not yet have, oldest first. */
  private readonly kept = new Map<string, TaskResult>();
  private heartbeat: NodeJS.Timeout | undefined;
  private pause: NodeJS.Timeout | undefined;
  private isTaking = false;
  /** Whether a task may have come since the last question. */
  private hasNews = false;
  private isStopping = false;

  constructor(private readonly use: Dependencies) {
    this.places = use.concurrency;
  }

  /** Works until the signal aborts or `stop` is called. */
  async run(): Promise<void> {
    const unlink = onAbort(this.use.signal, () => void this.stop());
    if (!this.isStopping) {
      const { memberMs, lockMs } = this.use.limits;
      this.heartbeat = setInterval(() => void this.attend(), Math.min(memberMs / 3, lockMs / 2));
      this.joined();
    }
    await this.stopped.promise;
    unlink();
  }

  /** Serves when the fleet is joined. */
  joined(): void {
    void this.attend();
    this.wake();
  }

  /** Takes tasks, because one may have come. */
  wake(): void {
    this.hasNews = true;
    if (!this.isTaking) this.track(this.takeTasks());
  }

  /** Stops a running task that no submitter waits for. */
  cancel(id: string): void {
    this.running.get(id)?.abort();
  }

  /** Aborts the running tasks and gives them back, within a time limit. */
  async stop(): Promise<void> {
    if (this.isStopping) return this.stopped.promise;
    this.isStopping = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.pause);
    const { store, limits } = this.use;
    for (const running of this.running.values())
      running.abort(new SpeechError('aborted', 'the member stops'));
    const ended = Promise.allSettled([store.retire(this.member), ...this.active]);
    await unlessAborted(ended, AbortSignal.timeout(limits.closeMs)).catch(() => {});
    this.stopped.resolve();
  }

  private isServing(): boolean {
    return this.use.redis.isJoined && !this.isStopping;
  }

  private track(work: Promise<void>): void {
    const tracked: Promise<void> = work.catch(() => {}).finally(() => this.active.delete(tracked));
    this.active.add(tracked);
  }

  /** Takes tasks while this member has a free place. Asks again after a pause, because announcements can get lost. */
  private async takeTasks(): Promise<void> {
    this.isTaking = true;
    clearTimeout(this.pause);
    let pause = this.use.limits.pollMs;
    try {
      // First: a task whose result is kept must not start again.
      if (this.isServing()) await this.storeKept();
      while (this.isServing() && this.running.size < this.places) {
        this.hasNews = false;
        const taken = await this.use.store.take(this.member);
        if (typeof taken !== 'number') await this.start(taken);
        else if (taken > 0 && !this.hasNews) {
          pause = taken;
          break;
        }
      }
    } catch {
      // The fleet reports failures of Redis.
    }
    this.isTaking = false;
    if (!this.isStopping) this.pause = setTimeout(() => this.wake(), pause);
  }

  /** Starts a task. A task of a member that stops goes back. */
  private async start(taken: TakenTask): Promise<void> {
    if (this.isStopping) return this.giveBack(taken, { tries: taken.tries, pause: 0 });
    // The lock of a task that this member does may have ended, because this process was blocked.
    if (this.running.has(taken.id)) return;
    const { concurrencyOf, concurrency } = this.use;
    this.places = concurrencyOf?.(taken.task) ?? concurrency;
    this.track(this.process(taken));
  }

  private async process(taken: TakenTask): Promise<void> {
    const running = new AbortController();
    this.running.set(taken.id, running);
    let again: Again | undefined;
    try {
      again = await this.attempt(taken, running.signal);
    } finally {
      this.running.delete(taken.id);
      this.wake();
    }
    if (again) await this.giveBack(taken, again);
  }

  private giveBack({ id }: TakenTask, { tries, pause }: Again): Promise<void> {
    return this.use.store.release(id, this.member, pause, tries);
  }

  /** Does a task. Returns undefined if it has ended. */
  private async attempt(taken: TakenTask, signal: AbortSignal): Promise<Again | undefined> {
    const { id, tries } = taken;
    let result = this.kept.get(id);
    try {
      result ??= await unlessAborted(this.perform(taken, signal), signal);
    } catch (thrown) {
      // If no submitter waits, there is no task to give back.
      return signal.aborted ? { tries, pause: 0 } : this.failed(taken, asSpeechError(thrown));
    }
    this.keep(id, result);
    await this.deliver(id, result);
    return undefined;
  }

  private async perform({ task, stalls }: TakenTask, signal: AbortSignal): Promise<TaskResult> {
    if (stalls > this.use.limits.stalls) throw stalledTooOften(stalls);
    return this.use.perform(task, signal);
  }

  /** Only an error that says that nothing was paid leads to another try. The task itself has its own retries. */
  private async failed({ id, tries }: TakenTask, error: SpeechError): Promise<Again | undefined> {
    const { store, limits } = this.use;
    if (mayRetry(error, false) && tries + 1 < limits.tries)
      return { tries: tries + 1, pause: pauseOf(error, limits) };
    await store.fail(id, this.member, error);
    return undefined;
  }

  /** Stores a result in Redis. */
  private async deliver(id: string, result: TaskResult): Promise<void> {
    await this.use.store.succeed(id, this.member, result);
    this.kept.delete(id);
  }

  /** Keeps a result until Redis has it: a member may start the task again meanwhile, and it was paid. */
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

  /** Stores the results of tasks that have ended without Redis. */
  private async storeKept(): Promise<void> {
    for (const [id, result] of this.kept) if (!this.running.has(id)) await this.deliver(id, result);
  }

  private async attend(): Promise<void> {
    if (!this.isServing()) return;
    // The next heartbeat tries again.
    await this.use.store.attend(this.member, [...this.running.keys()]).catch(() => {});
  }
}

const pauseOf = ({ retryAfter }: SpeechError, { retryMs }: WorkLimits): number =>
  retryAfter === undefined ? retryMs : retryAfter * 1000;

function stalledTooOften(count: number): SpeechError {
  return new SpeechError('no-reply', fleetText('work-stalled', { count }));
}
