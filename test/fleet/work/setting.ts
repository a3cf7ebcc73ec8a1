import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechError } from '@herald-speech/client';
import type { WorkLimits } from '../../../fleet/work/limits.js';
import { type RedisServer, withRedis } from '../../support/programs/redis.js';
import { join, type Member, performAt, quick, type Service, type Task, withService } from './members.js';

export interface Setting {
  redis: RedisServer;
  service: Service;
  /** Submits tasks. */
  submitter: Member;
  /** Joins another member. It serves unless `concurrency` is 0. */
  member(concurrency: number): Promise<Member & { stop: () => void }>;
}

/**
 * Runs `work` with Redis, a service and members that leave at the end.
 * @param commandMs milliseconds until a reply of Redis is late
 */
export async function setting(
  work: (setting: Setting) => Promise<void>,
  limits: Partial<WorkLimits> = {},
  commandMs?: number,
): Promise<void> {
  await withRedis((redis) =>
    withService(async (service) => {
      const members: Member[] = [];
      const member = async (concurrency: number): Promise<Member & { stop: () => void }> => {
        const joined = await join(redis.url, { ...quick, ...limits }, commandMs);
        members.push(joined);
        const stop = new AbortController();
        if (concurrency > 0) joined.serve(performAt(service.url), { concurrency, signal: stop.signal });
        return { ...joined, stop: () => stop.abort() };
      };
      try {
        await work({ redis, service, member, submitter: await member(0) });
      } finally {
        await Promise.all(members.map((each) => each.close()));
      }
    }),
  );
}

export const signal = new AbortController().signal;

/** Submits a task, as soon as a member serves. */
export function submit(
  member: Member,
  task: Task,
  options = { signal },
): Promise<{ result: unknown; data: Uint8Array }> {
  return submitAs(member, task, options);
}

async function submitAs(
  member: Member,
  task: Task,
  options: { signal: AbortSignal },
): Promise<{ result: unknown; data: Uint8Array }> {
  // A member that has just joined is not yet registered.
  for (let tries = 0; ; tries++) {
    try {
      return await member.submit(task.text, task, options);
    } catch (error) {
      if (!/no member/.test(String(error)) || tries > 50) throw error;
      await sleep(50);
    }
  }
}

/** Returns whether a value is a SpeechError with a code. */
export const codeIs = (code: string) => (error: unknown) =>
  error instanceof SpeechError && error.code === code;
