import { linked, throwIfAborted } from '../base/abort.js';
import { parseAudio } from '../audio/join.js';
import { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import type { SpeechRequest } from '../interface/operations.js';
import { cacheKey } from './cache-key.js';
import { type CachedSpoken, isStorable, type Spoken } from './entry.js';
import type { CallContext, SharedCall, Waiter } from '../calls/flights.js';
import type { SharedSpeech } from './shared-speech.js';
import type { OpenedStore } from './stores.js';

/** The cache of one client. */
export interface PieceCache {
  /**
   * Returns the speech of a request from the cache, from a running equal call, or from `send`. Stores new speech.
   * @param request the checked request of one piece
   * @throws SpeechError of `send`, or the signal's reason
   */
  speak(request: SpeechRequest, waiter: Waiter, send: SharedCall<Spoken>): Promise<CachedSpoken>;
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
  const counted = ({ signal, onProgress }: CallContext): CallContext => ({
    signal,
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

/** Returns speech with separate memory: a caller may change or transfer its audio. */
function copied(spoken: CachedSpoken): CachedSpoken {
  const audio = Buffer.from(spoken.value.audio);
  return { ...spoken, value: { ...spoken.value, audio }, audio: parseAudio(audio) };
}

/** The files of a cache, and the speech that other processes share. */
interface Places {
  store: OpenedStore['store'];
  shared: SharedSpeech | undefined;
}

/** Returns the speech from the files, from other processes, or from `send`. */
async function lookUp(
  { store, shared }: Places,
  key: string,
  send: SharedCall<Spoken>,
  context: CallContext,
): Promise<CachedSpoken> {
  const find = () => store.get(key, context.signal);
  const found = await find();
  if (found !== undefined) return { ...found, cached: true };
  if (shared === undefined) return { ...(await send(context)), cached: false };
  const keep = async (spoken: Spoken) => (isStorable(spoken) ? store.put(key, spoken) : undefined);
  return shared.speak(key, { find, send, keep }, context);
}

/** Returns a function that joins a running equal call, or looks into the cache, or sends the request and stores its speech. */
function joining(places: Places, flights: OpenedStore['flights'], closing: AbortSignal) {
  const owner = {};
  return (key: string, { signal, onProgress }: Waiter, send: SharedCall<Spoken>) =>
    linked([signal, closing], (signal) =>
      withAttempts((counted) =>
        flights.share(
          key,
          owner,
          { signal, onProgress },
          (context) => lookUp(places, key, send, counted(context)),
          async (spoken) => {
            const isNew = !spoken.cached && places.shared === undefined && isStorable(spoken);
            return isNew ? places.store.put(key, spoken) : undefined;
          },
        ),
      ),
    );
}

/**
 * Returns the cache of one client.
 * @param service the identity of the service in the keys
 * @param account the account whose saved seconds are counted
 * @param shared the speech that other processes share
 */
export function createPieceCache(
  { store, flights, release }: OpenedStore,
  service: string,
  account: string,
  shared?: SharedSpeech,
): PieceCache {
  const closing = new AbortController();
  const share = joining({ store, shared }, flights, closing.signal);
  return {
    async speak(request, waiter, send) {
      for (const signal of [waiter.signal, closing.signal]) if (signal !== undefined) throwIfAborted(signal);
      const key = cacheKey(service, request);
      const recalled = store.recall(key);
      const { result, joined } =
        recalled === undefined
          ? await share(key, waiter, send)
          : { result: { ...recalled, cached: true }, joined: false };
      if (!joined && !result.cached) return result;
      store.countSaved(account, result.value.duration);
      const { value, ...others } = joined ? copied(result) : result;
      return { ...others, value: { ...value, charged: 0 }, cached: true };
    },
    async isCached(request, signal) {
      const key = cacheKey(service, request);
      if (flights.has(key) || (await store.has(key, signal))) return true;
      return shared?.has(key, signal) ?? false;
    },
    async close() {
      closing.abort(new SpeechError('aborted', text('client-closed')));
      await release();
    },
  };
}
