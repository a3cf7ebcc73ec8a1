import { randomUUID } from 'node:crypto';
import { SpeechError } from '@herald-speech/client';
import { Flights, OneByOne, sleep, throwIfAborted, unlessAborted } from '@herald-speech/client/sharing';
import type { Redis } from '../redis/redis.js';
import { Deferred } from './deferred.js';
import type { WorkLimits } from './limits.js';
import type { TaskState, TaskStore } from './store.js';
import type { TaskResult } from './task.js';

/** A task that disappears, or whose result disappears, again and again, for example because Redis evicts keys, is left to the caller. */
const MAX_ROUNDS = 10;

/** The wait for the end of a task. */
class Wait extends Deferred<TaskState> {
  /** Whether Redis has the task. */
  isQueued = false;
}

/** The tasks that this member has submitted and not collected. */
export class Submissions {
  /** The name of this member in Redis. */
  private readonly submitter = randomUUID();
  /** Equal tasks of this process are one submission. */
  private readonly flights = new Flights<TaskResult>();
  private readonly waiting = new Map<string, Wait>();
  /** Tasks enter in turn, so only the first asks again while Redis is full. */
  private readonly entries = new OneByOne();
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private isClosed = false;

  constructor(
    private readonly redis: Redis,
    private readonly store: TaskStore,
    private readonly limits: WorkLimits,
  ) {}

  /** Submits a task (task.ts). */
  async submit(id: string, task: unknown, signal: AbortSignal): Promise<TaskResult> {
    throwIfAborted(signal);
    const call = (context: { signal: AbortSignal }) => this.run(id, task, context.signal);
    const { result } = await this.flights.share(id, this, { signal }, call, () => Promise.resolve());
    return result;
  }

  /** Receives an announcement of a member. */
  announced(id: string, state: string): void {
    if (state === 'done' || state === 'failed') this.waiting.get(id)?.resolve(state);
  }

  /** Rejects all submissions. Their callers do the tasks themselves. */
  reject(): void {
    for (const ended of this.waiting.values()) ended.resolve('apart');
  }

  close(): void {
    this.isClosed = true;
    this.reject();
    clearInterval(this.timer);
  }

  private async run(id: string, task: unknown, signal: AbortSignal): Promise<TaskResult> {
    const json = Buffer.from(JSON.stringify(task));
    if (json.length > this.limits.resultBytes)
      throw apart(`task: ${json.length} bytes are too many for Redis`);
    try {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        await this.finished(id, json, signal);
        const result = await this.store.read(id);
        if (result) return result;
        throwIfAborted(signal);
      }
      throw apart('the task disappears from Redis');
    } finally {
      // Redis forgets the submitter by itself if this fails. The fleet reports failures of Redis.
      this.store.leave(id, this.submitter).catch(() => {});
    }
  }

  /** Resolves when the task has a result, or has disappeared. */
  private async finished(id: string, json: Uint8Array, signal: AbortSignal): Promise<void> {
    // Before the task enters: a member may end it before the reply of Redis arrives.
    const wait = new Wait();
    this.waiting.set(id, wait);
    try {
      const entered = await this.entries.run(() => this.enter(id, json.length, signal));
      if (entered === 'done') return;
      if (entered === 'missing') await this.store.add(id, json);
      wait.isQueued = true;
      this.timer ??= setInterval(() => void this.poll(), this.limits.pollMs);
      const state = await unlessAborted(wait.promise, signal);
      if (state === 'apart') throw apart('the fleet is apart');
    } finally {
      this.waiting.delete(id);
      if (this.waiting.size === 0) this.stopPolling();
    }
  }

  /** Registers a task, as soon as Redis has room for its result. */
  private async enter(id: string, bytes: number, signal: AbortSignal): Promise<TaskState> {
    for (;;) {
      throwIfAborted(signal);
      if (this.isClosed || !this.redis.isJoined) throw apart('the fleet is apart');
      const state = await this.store.enter(id, this.submitter, bytes);
      if (state === 'apart') throw apart('no member of the fleet works on tasks');
      if (state !== 'full') return state;
      await sleep(this.limits.fullMs, signal);
    }
  }

  /** Asks for all tasks. Announcements can get lost, and a hung Redis announces nothing. */
  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    const asked = [...this.waiting].filter(([, { isQueued }]) => isQueued);
    try {
      const ids = asked.map(([id]) => id);
      const states = await this.store.poll(this.submitter, ids);
      asked.forEach(([, wait], index) => {
        const state = states[index];
        if (state !== undefined && state !== 'queued') wait.resolve(state);
      });
    } catch {
      this.reject();
    } finally {
      this.isPolling = false;
    }
  }

  private stopPolling(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Returns the error with which a submitter does its task itself. */
const apart = (reason: string): SpeechError => new SpeechError('no-connection', reason);
