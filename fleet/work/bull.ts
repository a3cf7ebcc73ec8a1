import type * as Bull from 'bullmq';
import type { Redis as Client } from 'ioredis';
import { failureOf } from '../redis/failure.js';
import type { Redis } from '../redis/redis.js';
import { apart, inTime } from './deadline.js';
import type { WorkLimits } from './limits.js';

/** Name of the queue in BullMQ's keys. */
const QUEUE = 'work';

/** BullMQ keeps a stream of events, which Herald does not read. */
const MAX_EVENTS = 100;

/** A task in BullMQ. Its id is the id of the task. */
export type BullJob = Bull.Job<unknown, void>;

/** Pause before BullMQ connects again, in milliseconds. */
const reconnectMs = (attempts: number): number => Math.min(attempts * 200, 2000);

/**
 * BullMQ with its own connections. They connect again forever and keep commands meanwhile, because BullMQ's workers need that.
 * Therefore each command gets a deadline here, and `close` does not wait for Redis.
 */
export class BullConnections {
  /** All connections, also the copies that BullMQ makes. With #: inspect() does not show their password. */
  readonly #clients = new Set<Client>();
  #main: Client | undefined;
  #queue: Bull.Queue | undefined;
  private isClosed = false;

  constructor(
    private readonly redis: Redis,
    private readonly limits: WorkLimits,
  ) {}

  /** The key of a job without its id. */
  get jobs(): string {
    return this.redis.key(`${QUEUE}:`);
  }

  /** Adds a task, unless BullMQ has it. @throws SpeechError `no-connection` */
  async add(id: string, task: unknown): Promise<void> {
    const options = {
      jobId: id,
      attempts: this.limits.tries,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      removeOnFail: true,
      // A stack has paths of this machine.
      stackTraceLimit: 0,
    };
    await this.command(() => this.openQueue().add('task', task, options));
  }

  /** Removes a task that no member has started. @throws SpeechError `no-connection` */
  async remove(id: string): Promise<void> {
    await this.command(() => this.openQueue().remove(id));
  }

  /**
   * Gives a running task back, so that another member starts it.
   * @throws Error that keeps BullMQ from finishing the job
   */
  async giveBack(job: BullJob, token: string): Promise<never> {
    await this.command(() => job.moveToWait(token));
    const { WaitingError } = bullmq();
    throw new WaitingError();
  }

  /** Starts a worker. The caller must handle its `error` events and end it with `close(true)`. */
  work(
    processor: (job: BullJob, token: string) => Promise<void>,
    concurrency: number,
    backoff: (error: unknown) => number,
  ): Bull.Worker {
    const { lockMs, stalledMs, stalls } = this.limits;
    const { Worker } = bullmq();
    return new Worker(QUEUE, (job: BullJob, token = '') => processor(job, token), {
      ...this.options(),
      concurrency,
      lockDuration: lockMs,
      stalledInterval: stalledMs,
      // The processor counts the stalls, because it has to announce the failure.
      maxStalledCount: stalls * 10,
      runRetryDelay: 1000,
      drainDelay: 2,
      settings: { backoffStrategy: (_tries, _type, error) => backoff(error) },
    });
  }

  /** Ends all connections at once. Their commands reject. */
  close(): void {
    this.isClosed = true;
    void this.#queue?.close().catch(() => {});
    for (const client of this.#clients) client.disconnect();
  }

  /** Runs a command of BullMQ. All its errors, such as a full memory, mean that the fleet is apart. */
  private async command(run: () => Promise<unknown>): Promise<void> {
    try {
      await inTime(run(), this.limits.commandMs);
    } catch (error) {
      throw apart('Redis did not accept a command', failureOf(error, this.redis.prefix));
    }
  }

  private openQueue(): Bull.Queue {
    if (this.#queue) return this.#queue;
    const { Queue } = bullmq();
    this.#queue = new Queue(QUEUE, { ...this.options(), streams: { events: { maxLen: MAX_EVENTS } } });
    this.#queue.on('error', () => {});
    return this.#queue;
  }

  private options() {
    if (this.isClosed) throw apart('the fleet is closed');
    this.#main ??= this.track(
      this.redis.client({
        lazyConnect: false,
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
        retryStrategy: reconnectMs,
        disconnectTimeout: this.limits.closeMs,
      }),
    );
    return { connection: this.#main, prefix: this.redis.prefix, skipVersionCheck: true };
  }

  /** Keeps a connection and its copies for `close`, and handles their errors: the fleet itself reports failures of Redis. */
  private track(client: Client): Client {
    this.#clients.add(client);
    client.on('error', () => {});
    client.once('end', () => this.#clients.delete(client));
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (override) => this.track(duplicate(override));
    return client;
  }
}

/** Loads BullMQ at its first use. */
function bullmq(): typeof Bull {
  return require('bullmq');
}
