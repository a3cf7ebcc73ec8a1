import { SpeechError, type Text } from '@herald-speech/client';
import { Redis as Client } from 'ioredis';
import { fleetText } from './messages.js';
import { startDeadline } from './deadline.js';
import { evaluate, probeScript, selectDatabase } from './evaluate.js';
import { COMMAND_MS, failureOf, hung, slow } from './failure.js';
import type { Argument, ConnectionOptions, Redis, Script } from './redis.js';
import { checkedPrefix, connectionOptions, type RedisServer } from './server.js';
import { Subscriptions } from './subscriptions.js';

/** Milliseconds between two probes while Redis fails. */
const PROBE_MS = 500;
/** The longest interval of the probes, if Redis fails again and again. */
const MAX_PROBE_MS = 8000;
/** Milliseconds after which a connection counts as stable. */
const STABLE_MS = 10_000;
/** Probes without a reply after which the connection is made anew. */
const PATIENCE = 4;
/** Milliseconds after the deadline of a command in which its late reply still counts. */
const LATE_MS = 5000;

type Send = (client: Client) => Promise<unknown>;

/** A connection that counts as joined while Redis replies in time and accepts writes. */
export class RedisConnection implements Redis {
  readonly prefix: string;
  // Names with #: inspect() shows neither the password in the options nor in the clients.
  readonly #options: ConnectionOptions;
  readonly #commands: Client;
  private readonly subscriptions: Subscriptions;
  private readonly listeners = new Set<() => void>();
  /** Rejects the commands without a reply. */
  private readonly pending = new Set<(error: SpeechError) => void>();
  /** The hashes of the scripts that the current connection has sent. */
  private readonly sent = new Set<string>();
  private failure: SpeechError | undefined = new SpeechError('no-connection', fleetText('redis-connecting'));
  private timer: NodeJS.Timeout | undefined;
  private probeMs = PROBE_MS;
  private joinedAt = 0;
  private unanswered = 0;
  private isClosed = false;

  /**
   * @param id the identity of the account
   * @param commandMs milliseconds until a reply is late
   */
  constructor(
    server: RedisServer,
    id: string,
    private readonly commandMs: number,
  ) {
    this.prefix = `${checkedPrefix(server.prefix)}{${id}}`;
    this.#options = connectionOptions(server);
    this.#commands = this.client({
      enableOfflineQueue: false,
      enableReadyCheck: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: this.commandMs + LATE_MS,
    });
    this.#commands.on('ready', () => {
      this.sent.clear();
      void this.probe();
    });
    this.#commands.on('error', (error) => this.fail(failureOf(error, this.prefix)));
    this.#commands.on('close', () => {
      if (this.isJoined) this.fail(failureOf(new Error('the connection closed'), this.prefix));
    });
    this.subscriptions = new Subscriptions(
      this.client({ enableReadyCheck: false, maxRetriesPerRequest: null }),
    );
    this.#commands.connect().catch(() => {});
  }

  get isJoined(): boolean {
    return this.failure === undefined;
  }

  get reason(): Text | undefined {
    return this.failure?.text;
  }

  key(name: string): string {
    return `${this.prefix}:${name}`;
  }

  run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.joinedOnly((client) => evaluate(client, 'call', script, keys, args, this.sent));
  }

  runBinary(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.joinedOnly((client) => evaluate(client, 'callBuffer', script, keys, args, this.sent));
  }

  subscribe(channel: string, listener: (message: string) => void): () => void {
    return this.subscriptions.add(channel, listener);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Ends all connections and timers, and rejects the commands without a reply. */
  close(): void {
    if (this.isClosed) return;
    this.fail(new SpeechError('aborted', fleetText('fleet-closed')));
    this.isClosed = true;
    clearTimeout(this.timer);
    this.listeners.clear();
    this.subscriptions.close();
    this.#commands.disconnect();
  }

  /** Returns a connection that is not yet connected. */
  private client(extra: ConnectionOptions): Client {
    const client = new Client({ ...this.#options, ...extra });
    // Without a listener, the library prints each error.
    client.on('error', () => {});
    return client;
  }

  private async joinedOnly(send: Send): Promise<unknown> {
    if (this.failure?.text?.key === 'redis-connecting') await this.firstAttempt();
    if (this.failure !== undefined) throw apart(this.failure);
    try {
      return await this.inTime(send);
    } catch (thrown) {
      const failure = failureOf(thrown, this.prefix);
      this.fail(failure);
      throw apart(failure);
    }
  }

  /** Waits until the first connection succeeds or fails, at most for the deadline of a command. */
  private firstAttempt(): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        stop();
        unlisten();
        resolve();
      };
      const unlisten = this.onChange(end);
      const stop = startDeadline(end, this.commandMs);
    });
  }

  /** Sends a command. Rejects after the deadline, or when another command shows that Redis fails. */
  private inTime(send: Send): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const end = () => {
        stop();
        this.pending.delete(reject);
      };
      const stop = startDeadline(() => {
        isLate = true;
        this.pending.delete(reject);
        reject(hung());
      }, this.commandMs);
      this.pending.add(reject);
      send(this.#commands)
        .finally(end)
        .then((reply) => {
          if (isLate) this.answeredLate();
          resolve(reply);
        }, reject);
    });
  }

  private answeredLate(): void {
    this.unanswered = 0;
    if (this.failure?.text?.key === 'redis-hung') this.fail(slow(this.commandMs));
  }

  /** Checks whether Redis replies in time and accepts writes. */
  private async probe(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isClosed || this.isJoined) return;
    this.timer = setTimeout(() => void this.probe(), this.probeMs);
    if (this.#commands.status !== 'ready') return;
    try {
      await this.inTime(selectDatabase);
      await this.inTime((client) =>
        evaluate(client, 'call', probeScript, [this.key('probe')], [], this.sent),
      );
      this.join();
    } catch (thrown) {
      const failure = failureOf(thrown, this.prefix);
      const isSlow = this.failure?.text?.key === 'redis-slow' && failure.text?.key === 'redis-hung';
      if (!isSlow) this.fail(failure);
      this.renew(failure);
    }
  }

  /** Makes the connection anew if it may be dead. */
  private renew({ code }: SpeechError): void {
    this.unanswered = code === 'no-connection' ? this.unanswered + 1 : 0;
    if (this.unanswered < PATIENCE || this.isClosed) return;
    this.unanswered = 0;
    this.#commands.disconnect(true);
    this.subscriptions.renew();
  }

  private join(): void {
    clearTimeout(this.timer);
    if (this.isClosed || this.isJoined) return;
    this.failure = undefined;
    this.unanswered = 0;
    this.joinedAt = performance.now();
    this.changed();
  }

  private fail(failure: SpeechError): void {
    if (this.isClosed) return;
    const former = this.failure?.message;
    if (this.isJoined) {
      const isStable = performance.now() - this.joinedAt > STABLE_MS;
      this.probeMs = isStable ? PROBE_MS : Math.min(this.probeMs * 2, MAX_PROBE_MS);
      this.timer = setTimeout(() => void this.probe(), this.probeMs);
    }
    this.failure = failure;
    for (const reject of this.pending) reject(failure);
    if (former !== failure.message) this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Returns the error of a command: the caller goes on without Redis. */
const apart = (failure: SpeechError): SpeechError =>
  new SpeechError('no-connection', failure.text ?? failure.message, { cause: failure });

/**
 * Connects a member to Redis in the background.
 * @param commandMs milliseconds until a reply is late
 * @throws SpeechError `not-configured` for an invalid option
 */
export const connect = (server: RedisServer, id: string, commandMs: number = COMMAND_MS): RedisConnection =>
  new RedisConnection(server, id, commandMs);
