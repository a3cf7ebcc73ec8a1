import type { Redis } from '../redis/redis.js';
import { type WorkLimits, workLimits } from './limits.js';
import { MemberAtWork } from './serve.js';
import { TaskStore } from './store.js';
import { Submissions } from './submissions.js';
import { type Perform, type ServeOptions, taskId, type TaskResult, type WorkQueue } from './task.js';

export type { Perform, TaskResult, WorkQueue } from './task.js';

/** The work queue of a member. */
class MemberQueue implements WorkQueue {
  private readonly store: TaskStore;
  private readonly submissions: Submissions;
  /** The first works. The others wait until it ends: a member does not do more tasks at a time because it serves twice. */
  private readonly members: MemberAtWork[] = [];
  private readonly endings: readonly (() => void)[];

  constructor(
    private readonly redis: Redis,
    private readonly limits: WorkLimits,
    queue: string,
  ) {
    this.store = new TaskStore(redis, limits, queue);
    this.submissions = new Submissions(redis, this.store, limits);
    this.endings = [
      redis.subscribe(this.store.root, (message) => this.announced(message)),
      redis.onChange(() => this.changed()),
    ];
  }

  serve(perform: Perform, options: ServeOptions): void {
    const { redis, store, limits } = this;
    const member = new MemberAtWork({ redis, store, limits, perform, ...options });
    this.members.push(member);
    if (this.members.length === 1) void this.work();
  }

  submit(id: string, task: unknown, { signal }: { signal: AbortSignal }): Promise<TaskResult> {
    return this.submissions.submit(taskId(id), task, signal);
  }

  async close(): Promise<void> {
    this.submissions.close();
    await Promise.all(this.members.map((member) => member.stop()));
    for (const end of this.endings) end();
  }

  private async work(): Promise<void> {
    for (let first = this.members[0]; first; first = this.members[0]) {
      await first.run();
      this.members.shift();
    }
  }

  private announced(message: string): void {
    const [state = '', id = ''] = message.split(' ');
    if (state === 'queued') this.members[0]?.wake();
    else if (state === 'cancelled') this.members[0]?.cancel(id);
    else this.submissions.announced(id, state);
  }

  private changed(): void {
    if (!this.redis.isJoined) this.submissions.reject();
    if (this.redis.isJoined) this.members[0]?.joined();
  }
}

/**
 * Returns the work queue of a member. `close` gives running tasks back. It waits for Redis at most `closeMs`.
 * @param queue name in Redis; members of other queues do other tasks
 */
export function createWorkQueue(
  redis: Redis,
  changed: Partial<WorkLimits> = {},
  queue = 'tasks',
): WorkQueue & { close: () => Promise<void> } {
  return new MemberQueue(redis, { ...workLimits, ...changed }, queue);
}
