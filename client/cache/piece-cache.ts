import { throwIfAborted } from '../base/abort.js';
import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import type { SpeechRequest } from '../interface/operations.js';
import { cacheKey } from './cache-key.js';
import { type CachedSpoken, copied, isStorable, type Spoken } from './entry.js';
import type { Courier } from './courier.js';
import type { CallContext, SharedCall, Waiter } from '../calls/flights.js';
import type { SharedSpeech } from './shared-speech.js';
import type { OpenedStore } from './stores.js';

/** The cache of one client. */
export interface PieceCache {
  /**
   * Returns the speech of a request from the cache, from a running equal call, or from `send`. Stores new speech.
   * @param request the checked request of one piece
   * @param outlives whether the request outlives this program
   * @throws SpeechError of `send`, or the signal's reason
   */
  speak(
    request: SpeechRequest,
    waiter: Waiter,
    send: SharedCall<Spoken>,
    outlives?: boolean,
  ): Promise<CachedSpoken>;
  /** Returns whether `speak` will probably cost nothing. @throws SpeechError the signal's reason */
  isCached(request: SpeechRequest, signal?: AbortSignal): Promise<boolean>;
  /** Ends all waits, and resolves when new speech is stored. */
  close(): Promise<void>;
}

/**
 * Adds the number of sent requests to an error. A caller that stops gets its error before the call has ended, but the service
 * may charge the request.
 * @param work passes the context of its call through `counted`
 */
async function withAttempts<Result>(
  work: (counted: (context: CallContext) => CallContext) => Promise<Result>,
): Promise<Result> {
  let attempts = 0;
  const counted = ({ onProgress, ...others }: CallContext): CallContext => ({
    ...others,
    onProgress(progress) {
      if (progress.state === 'sending') attempts += 1;
      onProgress(progress);
    },
  });
  try {
    return await work(counted);
  } catch (thrown) {
    throw thrown instanceof SpeechError && thrown.attempts === 0 ? thrown.with({ attempts }) : thrown;
  }
}

/**
 * Returns the cache of one client.
 * @param service the identity of the service in the keys
 * @param account the account whose saved seconds are counted
 * @param shared the speech that other processes share
 * @param courier sends the requests that outlive this program
 */
export const createPieceCache = (
  opened: OpenedStore,
  service: string,
  account: string,
  shared?: SharedSpeech,
  courier?: Courier,
): PieceCache => new ClientCache(opened, service, account, shared, courier);

class ClientCache implements PieceCache {
  private readonly closing = new AbortController();

  constructor(
    private readonly opened: OpenedStore,
    private readonly service: string,
    private readonly account: string,
    private readonly shared: SharedSpeech | undefined,
    private readonly courier: Courier | undefined,
  ) {}

  async speak(
    request: SpeechRequest,
    waiter: Waiter,
    send: SharedCall<Spoken>,
    outlives = false,
  ): Promise<CachedSpoken> {
    const { signal: closing } = this.closing;
    throwIfAborted(closing);
    if (waiter.signal !== undefined) throwIfAborted(waiter.signal);
    const { store, flights } = this.opened;
    const key = cacheKey(this.service, request);
    const recalled = store.recall(key);
    if (recalled !== undefined) return this.saved({ ...recalled, cached: true });
    const courier = outlives ? this.courier : undefined;
    const { result, joined } = await withAttempts((counted) => {
      const call: SharedCall<CachedSpoken> = (context) =>
        courier === undefined
          ? this.lookUp(key, send, counted(context))
          : this.carry(courier, key, send, counted(context));
      return flights.share(key, this, { ...waiter, closing }, call, (spoken) => this.keep(key, spoken));
    });
    if (joined) return this.saved({ ...copied(result), cached: true });
    return result.cached ? this.saved(result) : result;
  }

  async isCached(request: SpeechRequest, signal?: AbortSignal): Promise<boolean> {
    const { store, flights } = this.opened;
    const key = cacheKey(this.service, request);
    if (flights.has(key) || (await store.has(key, signal))) return true;
    return this.shared?.has(key, signal) ?? false;
  }

  async close(): Promise<void> {
    this.closing.abort(new SpeechError('aborted', text('client-closed')));
    await Promise.all([this.opened.release(), this.courier?.close()]);
  }

  /** Looks up speech that a courier requests. Speech that the courier of a killed program requests is awaited, not paid again. */
  private async carry(
    courier: Courier,
    key: string,
    send: SharedCall<Spoken>,
    context: CallContext,
  ): Promise<CachedSpoken> {
    // The courier stores the speech before it removes its note.
    if (await courier.isRequested(key)) await courier.ended(key, context.signal);
    const deliver = courier.deliverer(key);
    try {
      return await this.lookUp(key, (call) => send({ ...call, deliver }), context);
    } catch (error) {
      courier.settled(key);
      throw error;
    }
  }

  /** Returns the speech from the files, from other processes, or from `send`. */
  private async lookUp(key: string, send: SharedCall<Spoken>, context: CallContext): Promise<CachedSpoken> {
    const { store } = this.opened;
    const find = () => store.get(key, context.signal);
    const found = await find();
    if (found !== undefined) return { ...found, cached: true };
    if (this.shared === undefined) return { cached: false, ...(await send(context)) };
    const keep = (spoken: Spoken) => this.store(key, spoken);
    return this.shared.speak(key, { find, send, keep }, context);
  }

  /** Stores new speech. Other processes store the speech that they share. */
  private async keep(key: string, spoken: CachedSpoken): Promise<void> {
    if (!spoken.cached && this.shared === undefined) await this.store(key, spoken);
  }

  private async store(key: string, spoken: Spoken): Promise<void> {
    try {
      if (isStorable(spoken)) await this.opened.store.put(key, spoken);
    } finally {
      this.courier?.settled(key);
    }
  }

  /** Counts speech that costs the caller nothing. */
  private saved({ value, ...others }: CachedSpoken): CachedSpoken {
    this.opened.store.countSaved(this.account, value.duration);
    return { ...others, value: { ...value, charged: 0 }, cached: true };
  }
}
