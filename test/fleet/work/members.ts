import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechError } from '@herald-speech/client';
import { connect } from '../../../fleet/redis/connection.js';
import { createWorkQueue, type Perform, type WorkQueue } from '../../../fleet/work/index.js';
import type { WorkLimits } from '../../../fleet/work/limits.js';
import { close, listen } from '../../support/net/fault-server.js';
import { PATIENT_MS } from '../../support/programs/redis.js';
import { until } from '../../support/waiting.js';

/** A task of the tests. The service answers after `ms` with `bytes` bytes that depend on the text. */
export interface Task {
  text: string;
  ms?: number;
  bytes?: number;
  /** The first `times` calls fail. */
  failure?: { times: number; code: 'rate-limited' | 'bad-request'; status: number; retryAfter?: number };
}

/** The audio that the service of the tests returns. */
export function audioOf({ text, bytes = 2000 }: Task): Buffer {
  return Buffer.alloc(bytes, createHash('sha512').update(text).digest());
}

/** Returns tasks of different lengths. */
export function manyTasks(count: number): readonly Task[] {
  return Array.from({ length: count }, (_, index) => ({
    text: `prompt ${index}`,
    ms: 20 + (index % 7) * 10,
    bytes: 5000 + index,
  }));
}

/** The scripted service. It counts the calls of each text. */
export interface Service {
  url: string;
  calls: Map<string, number>;
  /** Calls that end before the reply. */
  aborted: string[];
  count(): number;
  /** Keeps the replies back until the returned function is called. */
  hold(): () => void;
}

/** Runs `work` with a service that counts its calls. */
export async function withService<Result>(work: (service: Service) => Promise<Result>): Promise<Result> {
  const calls = new Map<string, number>();
  const aborted: string[] = [];
  let gate: Promise<void> | undefined;
  const hold = (): (() => void) => {
    let open = (): void => {};
    gate = new Promise((resolve) => (open = resolve));
    return open;
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => void answer(body));
    const answer = async (json: string): Promise<void> => {
      const task: Task = JSON.parse(json);
      const count = (calls.get(task.text) ?? 0) + 1;
      calls.set(task.text, count);
      const ended = new AbortController();
      response.on('close', () => {
        if (!response.writableFinished) aborted.push(task.text);
        ended.abort();
      });
      await sleep(task.ms ?? 0, undefined, { signal: ended.signal }).catch(() => undefined);
      await gate;
      const fails = count <= (task.failure?.times ?? 0);
      response.writeHead(fails ? (task.failure?.status ?? 500) : 200).end(fails ? '' : audioOf(task));
    };
  });
  const port = await listen(server);
  const count = (): number => [...calls.values()].reduce((sum, number) => sum + number, 0);
  try {
    return await work({ url: `http://127.0.0.1:${port}`, calls, aborted, count, hold });
  } finally {
    server.closeAllConnections();
    await close(server);
  }
}

/** Does a task of the tests by a call of the service. */
export function performAt(url: string): Perform {
  return async (value, signal) => {
    const task: Task = JSON.parse(JSON.stringify(value));
    const reply = await fetch(url, { method: 'POST', body: JSON.stringify(task), signal });
    const data = new Uint8Array(await reply.arrayBuffer());
    if (reply.ok) return { result: { text: task.text, seconds: 1.5 }, data };
    const { code = 'bad-request', retryAfter } = task.failure ?? {};
    throw new SpeechError(code, `refused ${task.text}`, { status: reply.status, retryAfter, attempts: 1 });
  };
}

export interface Member extends WorkQueue {
  isJoined(): boolean;
  close(): Promise<void>;
}

/** Limits with short times, so that tests are quick. */
export const quick: Partial<WorkLimits> = { lockMs: 2000, pollMs: 200, retryMs: 100 };

/** Limits of members in other processes: such a process may be blocked for longer. */
export const patient: Partial<WorkLimits> = { lockMs: 5000 };

/**
 * Joins the fleet of the tests in this process, and resolves when Redis answers.
 * @param commandMs milliseconds until a reply is late
 */
export async function join(
  url: string,
  limits: Partial<WorkLimits> = quick,
  commandMs = PATIENT_MS,
): Promise<Member> {
  const redis = connect({ url }, 'test', commandMs);
  const queue = createWorkQueue(redis, limits);
  await until(() => redis.isJoined);
  return {
    serve: (...args) => queue.serve(...args),
    submit: (...args) => queue.submit(...args),
    isJoined: () => redis.isJoined,
    async close() {
      await queue.close();
      redis.close();
    },
  };
}
