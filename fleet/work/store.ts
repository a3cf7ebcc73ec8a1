import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asSpeechError, type FailureCode, failures, SpeechError, type Text } from '@herald-speech/client';
import type { Argument, Redis } from '../redis/redis.js';
import type { WorkLimits } from './limits.js';
import { type WorkScript, workScripts } from './scripts.js';
import type { TaskResult } from './task.js';

/** A chunk must pass a slow network within the deadline of a command. A task reserves one. */
const CHUNK_BYTES = 256 * 1024;

/** `missing`: BullMQ has no job for the task. `apart`: no member serves. */
export type TaskState = 'done' | 'failed' | 'queued' | 'missing' | 'apart';

/** The state of the tasks in Redis. Each method rejects after the deadline of a command. */
export class TaskStore {
  /** Prefix of the keys, and the channel of all announcements. */
  readonly root: string;

  constructor(
    private readonly redis: Redis,
    private readonly limits: WorkLimits,
  ) {
    this.root = redis.key('tasks');
  }

  /** Registers a submitter of a task with `bytes` of JSON. */
  async enter(id: string, submitter: string, bytes: number): Promise<'done' | 'queued' | 'full' | 'apart'> {
    const { submitterMs, totalBytes } = this.limits;
    const state = await this.run('enter', [id, submitter, submitterMs, CHUNK_BYTES + bytes, totalBytes]);
    return state === 'done' || state === 'queued' || state === 'full' ? state : 'apart';
  }

  /** Keeps a submitter registered. Returns the states of its tasks in the order of `ids`. */
  async poll(submitter: string, jobs: string, ids: readonly string[]): Promise<TaskState[]> {
    const states = await this.run('poll', [submitter, this.limits.submitterMs, jobs, ...ids]);
    return Array.isArray(states) ? states.map(String).filter(isTaskState) : [];
  }

  /** Ends the wait of a submitter. Returns whether the task has to be removed from BullMQ. */
  async leave(id: string, submitter: string): Promise<boolean> {
    return (await this.run('leave', [id, submitter, this.root])) === 1;
  }

  /** Returns whether a member has to do the task. */
  async begin(id: string): Promise<boolean> {
    return (await this.run('begin', [id])) === 'go';
  }

  /** Registers a serving member. */
  async attend(member: string): Promise<void> {
    await this.run('attend', [member, this.limits.memberMs]);
  }

  /** Removes a serving member. */
  async retire(member: string): Promise<void> {
    await this.run('attend', [member, 0]);
  }

  /** Stores a result. A result above the limit is a failure with which the submitter does the task itself. */
  async succeed(id: string, { result, data }: TaskResult): Promise<void> {
    if (data.length > this.limits.resultBytes) return this.fail(id, tooLarge(data.length));
    const text = JSON.stringify(result ?? null);
    const bytes = data.length + Buffer.byteLength(text);
    if (bytes > CHUNK_BYTES) await this.room(id, bytes);
    const audio = randomUUID();
    const chunks = await this.write(audio, data);
    await this.finish(id, ['done', text, audio, chunks, bytes, this.limits.resultMs]);
  }

  /** Waits until Redis has room for a result of more than one chunk: submitters collect the others. */
  private async room(id: string, bytes: number): Promise<void> {
    const { roomMs, fullMs, totalBytes } = this.limits;
    const deadline = performance.now() + roomMs;
    while ((await this.run('reserve', [id, bytes, totalBytes])) !== 1 && performance.now() < deadline)
      await sleep(fullMs);
  }

  /** Stores a failure. */
  fail(id: string, error: unknown): Promise<void> {
    const text = encodeFailure(error);
    return this.finish(id, ['failed', text, '', 0, Buffer.byteLength(text), this.limits.failureMs]);
  }

  /** Returns a stored result, or undefined if it has expired. Rejects with a stored failure. */
  async read(id: string): Promise<TaskResult | undefined> {
    const record = await this.run('read', [id]);
    if (!Array.isArray(record)) return undefined;
    const [state, text, audio, chunks] = record.map((field) => (field === null ? '' : String(field)));
    if (state === 'failed') throw decodeFailure(text ?? '');
    if (state !== 'done') return undefined;
    const data = await this.readData(audio ?? '', Number(chunks));
    const result: unknown = JSON.parse(text ?? 'null');
    return data && { result, data };
  }

  private async finish(id: string, fields: readonly (string | number)[]): Promise<void> {
    await this.run('finish', [id, ...fields, this.root]);
  }

  private async write(audio: string, data: Uint8Array): Promise<number> {
    const count = Math.ceil(data.length / CHUNK_BYTES);
    for (let number = 0; number < count; number++) {
      const chunk = Buffer.from(data.subarray(number * CHUNK_BYTES, (number + 1) * CHUNK_BYTES));
      await this.run('writeChunk', [audio, number, chunk, this.limits.failureMs]);
    }
    return count;
  }

  private async readData(audio: string, count: number): Promise<Uint8Array | undefined> {
    const chunks: Buffer[] = [];
    for (let number = 0; number < count; number++) {
      const chunk = await this.redis.runBinary(workScripts.readChunk, [this.root], [audio, number]);
      if (!Buffer.isBuffer(chunk)) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  private run(name: WorkScript, args: readonly Argument[]): Promise<unknown> {
    return this.redis.run(workScripts[name], [this.root], args);
  }
}

function isTaskState(state: string): state is TaskState {
  return ['done', 'failed', 'queued', 'missing', 'apart'].includes(state);
}

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
