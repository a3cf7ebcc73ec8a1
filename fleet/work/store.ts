import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asSpeechError, type FailureCode, failures, SpeechError, type Text } from '@herald-speech/client';
import type { Argument, Redis } from '../redis/redis.js';
import type { WorkLimits } from './limits.js';
import { type WorkScript, workScripts } from './scripts.js';
import type { TaskResult } from './task.js';

/** A chunk must pass a slow network within the deadline of a command. A task reserves one for its result. */
const CHUNK_BYTES = 256 * 1024;

const states = ['done', 'failed', 'queued', 'missing', 'full', 'apart'] as const;

/** `missing`: the submitter must add the task. `full`: Redis has no room for it. `apart`: no member serves. */
export type TaskState = (typeof states)[number];

/** A task that a member has taken. */
export interface TakenTask {
  id: string;
  /** The JSON value of the submitter. */
  task: unknown;
  /** Tries that failed. */
  tries: number;
  /** Members that ended while they did the task. */
  stalls: number;
}

/** The state of the tasks in Redis. Each method rejects after the deadline of a command. */
export class TaskStore {
  /** Prefix of the keys, and the channel of all announcements. */
  readonly root: string;

  constructor(
    private readonly redis: Redis,
    private readonly limits: WorkLimits,
    queue: string,
  ) {
    this.root = redis.key(queue);
  }

  /** Registers a submitter of a task with `bytes` of JSON. */
  async enter(id: string, submitter: string, bytes: number): Promise<TaskState> {
    const { submitterMs, totalBytes } = this.limits;
    return stateOf(await this.run('enter', [id, submitter, submitterMs, CHUNK_BYTES + bytes, totalBytes]));
  }

  /** Adds a task as JSON, after `enter`. */
  async add(id: string, json: Uint8Array): Promise<void> {
    const { data, chunks } = await this.write(json);
    await this.run('add', [id, data, chunks, this.limits.submitterMs]);
  }

  /** Takes a task for a member. If there is none, returns milliseconds after which to ask again. */
  async take(member: string): Promise<TakenTask | number> {
    const { lockMs, pollMs } = this.limits;
    const taken = await this.run('take', [member, lockMs, pollMs]);
    if (!Array.isArray(taken)) return Number(taken);
    const [id = '', data = '', chunks, tries, stalls] = taken.map(textOf);
    const json = await this.readData(data, Number(chunks));
    // A task that has disappeared meanwhile has no submitter.
    if (!json) return 0;
    const task: unknown = JSON.parse(json.toString());
    return { id, task, tries: Number(tries), stalls: Number(stalls) };
  }

  /** Gives a running task back with the number of tries that failed. It can start after a pause in milliseconds. */
  async release(id: string, member: string, pause: number, tries: number): Promise<void> {
    await this.run('release', [id, member, pause, tries]);
  }

  /** Keeps a submitter registered. Returns the states of its tasks in the order of `ids`. */
  async poll(submitter: string, ids: readonly string[]): Promise<TaskState[]> {
    const found = await this.run('poll', [submitter, this.limits.submitterMs, ...ids]);
    return Array.isArray(found) ? found.map(stateOf) : [];
  }

  /** Ends the wait of a submitter. */
  async leave(id: string, submitter: string): Promise<void> {
    await this.run('leave', [id, submitter]);
  }

  /** Registers a serving member, and renews the locks of its tasks. */
  async attend(member: string, ids: readonly string[]): Promise<void> {
    const { memberMs, lockMs, submitterMs } = this.limits;
    await this.run('attend', [member, memberMs, lockMs, submitterMs, ...ids]);
  }

  /** Removes a serving member. */
  async retire(member: string): Promise<void> {
    await this.run('attend', [member, 0, 0, 0]);
  }

  /** Stores a result. A result above the limit is a failure with which the submitter does the task itself. */
  async succeed(id: string, member: string, { result, data }: TaskResult): Promise<void> {
    if (data.length > this.limits.resultBytes) return this.fail(id, member, tooLarge(data.length));
    const text = JSON.stringify(result ?? null);
    const bytes = data.length + Buffer.byteLength(text);
    if (bytes > CHUNK_BYTES) await this.room(id, bytes);
    const audio = await this.write(data);
    await this.finish(id, [member, 'done', text, audio.data, audio.chunks, bytes, this.limits.resultMs]);
  }

  /** Waits until Redis has room for a result of more than one chunk: submitters collect the others. */
  private async room(id: string, bytes: number): Promise<void> {
    const { roomMs, fullMs, totalBytes } = this.limits;
    const deadline = performance.now() + roomMs;
    while ((await this.run('reserve', [id, bytes, totalBytes])) !== 1 && performance.now() < deadline)
      await sleep(fullMs);
  }

  /** Stores a failure. */
  fail(id: string, member: string, error: unknown): Promise<void> {
    const text = encodeFailure(error);
    return this.finish(id, [member, 'failed', text, '', 0, Buffer.byteLength(text), this.limits.failureMs]);
  }

  /** Returns a stored result, or undefined if it has expired. Rejects with a stored failure. */
  async read(id: string): Promise<TaskResult | undefined> {
    const record = await this.run('read', [id]);
    if (!Array.isArray(record)) return undefined;
    const [state, text, audio, chunks] = record.map(textOf);
    if (state === 'failed') throw decodeFailure(text ?? '');
    if (state !== 'done') return undefined;
    const data = await this.readData(audio ?? '', Number(chunks));
    const result: unknown = JSON.parse(text ?? 'null');
    return data && { result, data };
  }

  private async finish(id: string, fields: readonly (string | number)[]): Promise<void> {
    await this.run('finish', [id, ...fields]);
  }

  /** Stores chunks of data for a short time. A task or a result keeps them for longer. */
  private async write(bytes: Uint8Array): Promise<{ data: string; chunks: number }> {
    const data = randomUUID();
    const chunks = Math.ceil(bytes.length / CHUNK_BYTES);
    for (let number = 0; number < chunks; number++) {
      const chunk = Buffer.from(bytes.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES));
      await this.run('writeChunk', [data, number, chunk, this.limits.failureMs]);
    }
    return { data, chunks };
  }

  private async readData(data: string, count: number): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    for (let number = 0; number < count; number++) {
      const chunk = await this.redis.runBinary(workScripts.readChunk, [this.root], [data, number]);
      if (!Buffer.isBuffer(chunk)) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  private run(name: WorkScript, args: readonly Argument[]): Promise<unknown> {
    return this.redis.run(workScripts[name], [this.root], args);
  }
}

const textOf = (field: unknown): string =>
  typeof field === 'string' || typeof field === 'number' ? String(field) : '';

const stateOf = (reply: unknown): TaskState => states.find((state) => state === reply) ?? 'apart';

function tooLarge(bytes: number): SpeechError {
  return new SpeechError('no-connection', `result: ${bytes} bytes are too many for Redis`);
}

/** A SpeechError as plain JSON data. Neither it nor a SpeechError contains a key. */
interface Failure {
  code: FailureCode;
  message: string | Text;
  details: Pick<
    SpeechError,
    'operation' | 'status' | 'attempts' | 'retryAfter' | 'chunk' | 'service' | 'budget'
  >;
}

/** Returns an error as JSON. Its cause and stack stay in this process. */
function encodeFailure(thrown: unknown): string {
  const error = asSpeechError(thrown);
  const { code, operation, status, attempts, retryAfter, chunk, service, budget } = error;
  const details = { operation, status, attempts, retryAfter, chunk, service, budget };
  return JSON.stringify({ code, message: error.text ?? error.message, details } satisfies Failure);
}

/** Returns the error of `encodeFailure`. A member with another version may send an unknown code: `internal`. */
function decodeFailure(json: string): SpeechError {
  const { code, message, details }: Failure = JSON.parse(json);
  return new SpeechError(code in failures ? code : 'internal', message, details);
}
