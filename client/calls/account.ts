import { throwIfAborted, withDeadline } from '../abort.js';
import { createCreditLatch, type CreditLatch } from './credit-latch.js';
import { download, type DownloadOptions } from '../http/download.js';
import { asSpeechError, SpeechError } from '../errors.js';
import { type AcquireOptions, createLimiter, type Limiter } from './limiter.js';
import type { NetworkOptions } from '../http/network.js';
import type { Operation, RequestOf, ResponseOf } from '../interface/operation.js';
import type { Settings } from '../options.js';
import { readReply } from '../http/reply.js';
import { checkRequest, toWire, type WireRequest } from '../http/request.js';
import { createRetryBudget, retry, type RetryBudget } from './retry.js';
import { createWire, type Wire, type WireOptions } from '../http/transport.js';

/** What a call is doing: waiting for the rate limit or a retry, on the wire, or making one of several chunks. */
export type Progress =
  | { state: 'waiting'; seconds: number }
  | { state: 'sending' }
  | { state: 'speaking'; done: number; count: number };

export interface CallOptions {
  /** Ends the call at once, wherever it is. */
  signal?: AbortSignal | undefined;
  /** Higher goes first where calls wait for the rate limit, 0 if not given; equals keep their order. */
  priority?: number | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** How far paid speech stands behind free calls of its priority: these are short, and not stuck behind a long text. */
const PAID_STEP_BACK = 0.5;

/** One call on its way: how often it was sent, and when last (`performance.now()`). */
interface Course {
  attempts: number;
  sentAt: number;
}

/** What all calls of one account share: connections, limits, retries in hand, and what is known of its credits. */
export class Account {
  private readonly wire: Wire;
  private readonly fetch: (address: string, options: WireOptions, signal: AbortSignal) => Promise<Buffer>;
  private readonly limiter: Limiter;
  private readonly budget: RetryBudget;
  private readonly credits: CreditLatch = createCreditLatch();
  private readonly closing = new AbortController();

  constructor(
    private readonly settings: Settings,
    apiKey: string,
    network: NetworkOptions,
  ) {
    this.wire = createWire(settings.url, apiKey, settings, network);
    // A closure, as the wire is one: no property holds the secrets of the network.
    this.fetch = (address, options, signal) => download(address, settings.url, options, network, signal);
    this.limiter = createLimiter(settings);
    this.budget = createRetryBudget(settings.retryBudget);
  }

  /** Check, retry, limit, send, check. @throws SpeechError */
  async call<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    options: CallOptions = {},
  ): Promise<ResponseOf<O>> {
    const course: Course = { attempts: 0, sentAt: 0 };
    try {
      const wireRequest = toWire(operation, checkRequest(operation.request, request));
      return await this.deliver(operation, wireRequest, options, course);
    } catch (thrown) {
      throw asSpeechError(thrown).with({ operation: operation.name, attempts: course.attempts });
    }
  }

  /** Fetches a file that the service named. It counts against no rate limit: it need not be the service's own. */
  download(address: string, options: DownloadOptions = {}): Promise<Buffer> {
    const { signal: caller, timeout = this.settings.totalTimeout, maxBytes } = options;
    const limits = { ...this.settings, maxReplyBytes: maxBytes ?? this.settings.maxReplyBytes };
    return withDeadline(timeout, [caller, this.closing.signal], (signal) =>
      this.fetch(address, limits, signal),
    );
  }

  /** Aborts every call, whether it runs or waits, and ends every connection. */
  async close(): Promise<void> {
    this.limiter.close();
    this.closing.abort(new SpeechError('aborted', 'the client was closed'));
    await this.wire.close();
  }

  private deliver<O extends Operation>(
    operation: O,
    request: WireRequest,
    { signal: caller, priority, onProgress }: CallOptions,
    course: Course,
  ): Promise<ResponseOf<O>> {
    const onWait = (seconds: number) => onProgress?.({ state: 'waiting', seconds });
    return withDeadline(
      this.settings.totalTimeout,
      [caller, this.closing.signal],
      async (signal, deadline) => {
        throwIfAborted(signal);
        const send = () => {
          onProgress?.({ state: 'sending' });
          course.attempts += 1;
          course.sentAt = performance.now();
          return this.exchange(operation, request, signal);
        };
        return retry({
          admit: () => this.admit(operation, { signal, deadline, onWait, priority }),
          send,
          options: this.settings,
          budget: this.budget,
          idempotent: operation.idempotent,
          signal,
          deadline,
          onWait,
          onFailure: (error, wait) => this.learnFailure(operation, error, wait, course.sentAt),
        });
      },
    );
  }

  /** Waits for a place in the rate limit, as long as there are credits. */
  private admit(operation: Operation, options: AcquireOptions): Promise<void> {
    const priority = (options.priority ?? 0) - (operation.paid ? PAID_STEP_BACK : 0);
    return this.credits.guard(operation, options.signal, (signal) =>
      this.limiter.acquire(operation.bucket, { ...options, priority, signal }),
    );
  }

  private async exchange<O extends Operation>(
    operation: O,
    request: WireRequest,
    signal: AbortSignal,
  ): Promise<ResponseOf<O>> {
    const reply = readReply(operation, await this.wire.exchange(request, signal));
    this.credits.succeeded(operation, reply);
    return reply;
  }

  private learnFailure(operation: Operation, error: SpeechError, wait: number, sentAt: number): void {
    this.credits.failed(error);
    if (error.status !== 429) return;
    this.limiter.stepDown(operation.bucket, sentAt);
    this.limiter.pause(operation.bucket, performance.now() + wait);
  }
}
