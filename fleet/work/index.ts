import type { Redis } from '../redis/redis.js';
import { BullConnections } from './bull.js';
import { type WorkLimits, workLimits } from './limits.js';
import { MemberAtWork } from './serve.js';
import { TaskStore } from './store.js';
import { Submissions } from './submissions.js';
import { taskId, type WorkQueue } from './task.js';

export type { Perform, ServeOptions, TaskResult, WorkQueue } from './task.js';

/**
 * Returns the work queue of a member. It loads BullMQ and connects when it is first used.
 * `close` gives running tasks back, ends the connections, and never waits for Redis.
 */
export function createWorkQueue(
  redis: Redis,
  changed: Partial<WorkLimits> = {},
): WorkQueue & { close: () => Promise<void> } {
  const limits = { ...workLimits, ...changed };
  const store = new TaskStore(redis, limits);
  const bull = new BullConnections(redis, limits);
  const submissions = new Submissions(redis, store, bull, limits);
  const members = new Set<MemberAtWork>();
  const endings = [
    redis.subscribe(store.root, (message) => {
      const { id, state } = announcementOf(message);
      submissions.announced(id, state);
      if (state === 'cancelled') for (const member of members) member.cancel(id);
    }),
    redis.onChange(() => {
      if (!redis.isJoined) submissions.reject();
      for (const member of members) member.changed();
    }),
  ];
  return {
    serve(perform, options) {
      const member = new MemberAtWork({
        redis,
        store,
        bull,
        limits,
        perform,
        concurrency: options.concurrency,
      });
      members.add(member);
      void member.run(options.signal).finally(() => members.delete(member));
    },
    submit: (id, task, { signal }) => submissions.submit(taskId(id), task, signal),
    async close() {
      submissions.close();
      await Promise.all([...members].map((member) => member.stop()));
      for (const end of endings) end();
      bull.close();
    },
  };
}

function announcementOf(message: string): { id: string; state: string } {
  const { id, state }: { id?: unknown; state?: unknown } = JSON.parse(message);
  return { id: String(id), state: String(state) };
}
