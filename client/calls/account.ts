import { type Stop, withDeadline } from '../base/abort.js';
import { asSpeechError, failures, SpeechError } from '../base/errors.js';
import { download, type DownloadOptions } from '../http/download.js';
import type { NetworkOptions } from '../http/network.js';
import type { Received } from '../http/reply.js';
import {
  type Deliver,
  type MovingConnection,
  movingConnection,
  type ServiceAddress,
} from '../http/transport.js';
import type { TransportOptions } from '../http/transport-options.js';
import { checkedRequest } from '../interface/check-request.js';
import type { CheckedRequest, Operation, RequestOf, ResponseOf } from '../interface/operation.js';
import { predictDuration } from '../interface/operations.js';
import { checkFeatures, checkOperation } from '../upstreams/features.js';
import { estimated } from '../upstreams/local-answers.js';
import type { Examination, StatedLimits, Upstream, UpstreamConnection } from '../upstreams/upstream.js';
import type { CallOptions, CallSettings, SendOptions } from './call-options.js';
import type { SharedLimits } from './sharing.js';
import { createCreditLatch, type CreditLatch } from './credit-latch.js';
import { createLimiter, type Limiter } from './limiter.js';
import type { AcquireOptions } from './queue.js';
import { createRetryBudget, type Failure, retry, type RetryBudget } from './retry.js';
import { messageOf, text } from '../base/messages.js';

/** @param signal aborts at the deadline of the call, or when the caller stops it */
export type BeforeTry = (signal: AbortSignal) => Promise<unknown>;

/**
 * Returns the current address of a service that may restart elsewhere. A rejection ends the call. The service at the former
 * address must have ended: its requests end at the next change.
 * @param signal as for `BeforeTry`
 */
export type Locate = (signal: AbortSignal) => Promise<ServiceAddress>;

/** A service at its first address. */
export interface CalledService {
  upstream: Upstream;
  address: ServiceAddress;
  network: NetworkOptions;
}

/** Priority that paid calls lose, so that short free calls do not wait for a long text of the same priority. */
const PAID_STEP_BACK = 0.5;

/** The tries of one call. */
interface Tries {
  count: number;
  /** Time of the last try in `performance.now()` milliseconds. */
  sentAt: number;
  /** Whether the service may have executed the call although a try failed. */
  mayBeDone: boolean;
}

/** The shared state of all calls of one account: connections, rate limit, retry budget and credit latch. */
export class AccountCalls {
  private readonly upstream: Upstream;
  private readonly connection: MovingConnection<UpstreamConnection>;
  private readonly fetch: (address: string, options: TransportOptions, stop: Stop) => Promise<Buffer>;
  private readonly limiter: Limiter;
  private readonly budget: RetryBudget;
  private readonly credits: CreditLatch;
  private readonly running = new Set<Stop>();
  /** The reason of all later calls to fail, after `close`. */
  private closed: SpeechError | undefined;

  constructor(
    readonly settings: CallSettings,
    { upstream, address, network }: CalledService,
    private readonly hooks: { beforeTry?: BeforeTry | undefined; locate?: Locate | undefined } = {},
    sharing?: SharedLimits,
  ) {
    this.upstream = upstream;
    this.connection = movingConnection(address, (at) => upstream.open(at));
    // A closure, like the connection: no property exposes the secrets in `network` to `inspect()`.
    this.fetch = (file, options, stop) => download(file, this.connection.url(), options, network, stop);
    this.limiter = sharing?.limiter(settings) ?? createLimiter(settings);
    this.credits = sharing?.credits() ?? createCreditLatch();
    this.budget = createRetryBudget(settings.retryBudget);
  }

  /** Checks and sends a request. A missing operation counts before its fields. @throws SpeechError */
  async call<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    options: CallOptions = {},
  ): Promise<ResponseOf<O>> {
    checkOperation(this.upstream.features, operation);
    const { value } = await this.send(operation, checkedRequest(operation, request, options), options);
    return value;
  }

  /** Sends a checked request: waits for the rate limit, retries, checks the reply. @throws SpeechError */
  async send<O extends Operation>(
    operation: O,
    request: CheckedRequest,
    options: SendOptions = {},
  ): Promise<Received<O>> {
    const tries: Tries = { count: 0, sentAt: 0, mayBeDone: false };
    const { signal: caller, priority, onProgress, attempts, deliver } = options;
    const onWait = (seconds: number) => onProgress?.({ state: 'waiting', seconds });
    const { settings, budget } = this;
    const { features } = this.upstream;
    try {
      checkFeatures(features, operation, request);
      return await withDeadline(settings.totalTimeout, caller, this.running, async (stop, deadline) => {
        this.checkOpen(stop);
        // An estimate needs no place in the rate limit.
        if (features.estimates && operation.name === predictDuration.name)
          return estimated(operation, request);
        return retry({
          admit: () => this.admit(operation, stop, { deadline, onWait, priority }),
          send: () => {
            tries.count += 1;
            tries.sentAt = performance.now();
            onProgress?.({ state: 'sending' });
            return this.exchange(operation, request, stop, { deliver, ...tries });
          },
          options: attempts === undefined ? settings : { ...settings, attempts },
          budget,
          idempotent: operation.idempotent,
          stop,
          deadline,
          onWait,
          onEnd: (failure) => this.onEnd(operation, tries, failure),
        });
      });
    } catch (thrown) {
      const error = this.located(asSpeechError(thrown));
      throw error.with({ operation: operation.name, attempts: tries.count });
    }
  }

  /** Adds the base URL to a connection error: it is often the mistake, and a flow may have several accounts. */
  private located(error: SpeechError): SpeechError {
    if (error.code !== 'no-connection') return error;
    const url = this.connection.url();
    return error.with({ message: text('at-address', { failure: messageOf(error), url }) });
  }

  /** Downloads a file that the service named. Rate limits do not apply: it may be on another server. */
  download(address: string, options: DownloadOptions = {}): Promise<Buffer> {
    const { signal: caller, timeout = this.settings.totalTimeout, maxBytes } = options;
    const limits = { ...this.settings, maxReplyBytes: maxBytes ?? this.settings.maxReplyBytes };
    return withDeadline(timeout, caller, this.running, async (stop) => {
      this.checkOpen(stop);
      return this.fetch(address, limits, stop);
    });
  }

  /** Examines the service, without a retry. Rate limits do not apply: no speech is requested. Undefined if the kind needs no examination. */
  examine(signal: AbortSignal | undefined): Promise<Examination | undefined> {
    return withDeadline(this.settings.totalTimeout, signal, this.running, async (stop) => {
      this.checkOpen(stop);
      return this.connection.current().examine?.(stop);
    });
  }

  /** Aborts all calls, running and waiting, and ends all connections. */
  async close(): Promise<void> {
    this.limiter.close();
    this.closed = new SpeechError('aborted', text('client-closed'));
    for (const stop of this.running) stop.stop(this.closed);
    await this.connection.close();
  }

  /** @throws SpeechError the reason of a stop before the call, or of `close` */
  private checkOpen({ reason = this.closed }: Stop): void {
    if (reason !== undefined) throw reason;
  }

  /** Waits until the rate limit has a free place. Fails if the operation is paid and the account has no credits. */
  private async admit(
    operation: Operation,
    stop: Stop,
    options: Omit<AcquireOptions, 'signal'>,
  ): Promise<void> {
    const { beforeTry, locate } = this.hooks;
    if (beforeTry !== undefined) await beforeTry(stop.signal);
    if (locate !== undefined) this.connection.moveTo(await locate(stop.signal));
    this.credits.check(operation);
    if (this.limiter.tryAcquire(operation.bucket)) return;
    const priority = (options.priority ?? 0) - (operation.paid ? PAID_STEP_BACK : 0);
    await this.credits.guard(operation, stop.signal, (signal) =>
      this.limiter.acquire(operation.bucket, { ...options, priority, signal }),
    );
  }

  private async exchange<O extends Operation>(
    operation: O,
    request: CheckedRequest,
    stop: Stop,
    { mayBeDone, deliver }: Tries & { deliver: Deliver | undefined },
  ): Promise<Received<O>> {
    const onLimits = (limits: StatedLimits) => this.learn(operation, limits);
    const attempt = { stop, mayBeDone, deliver, onLimits };
    const received = await this.connection.current().send<O>(operation, request, attempt);
    this.credits.succeeded(operation, received.value);
    return received;
  }

  /** Follows the limits that the service states. A stated pause must not end a pause that is already longer. */
  private learn({ bucket }: Operation, { perMinute, pause }: StatedLimits): void {
    if (perMinute !== undefined) this.limiter.resize(bucket, perMinute);
    if (pause !== undefined && pause > 0) {
      const seconds = Math.min(pause, this.settings.maxRetryAfter);
      this.limiter.pause(bucket, performance.now() + seconds * 1000);
    }
  }

  private onEnd({ bucket, paid }: Operation, tries: Tries, failure?: Failure): void {
    const { sentAt } = tries;
    if (failure !== undefined) {
      // A free call needs no credits, so its 402 does not mean that the account has none.
      if (paid) this.credits.failed(failure.error);
      tries.mayBeDone ||= failures[failure.error.code].retry === 'if-idempotent';
    }
    if (failure?.error.code === 'rate-limited') {
      this.limiter.stepDown(bucket, sentAt);
      this.limiter.pause(bucket, performance.now() + failure.wait);
    }
    // After the pause: the end of a request may let the next one go.
    this.limiter.ended(bucket, sentAt);
  }
}
