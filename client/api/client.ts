import { AccountCalls } from '../calls/account.js';
import type { CallOptions } from '../calls/call-options.js';
import { openPieceCache } from '../cache/open-cache.js';
import { type PagedOperation, pages } from '../calls/pages.js';
import type { DownloadOptions } from '../http/download.js';
import type { SpeechError } from '../base/errors.js';
import type { Operation, RequestOf, ResponseOf } from '../interface/operation.js';
import { type ClientOptions, settingsOf } from './options.js';
import { upstreamOf } from '../upstreams/list.js';
import type { Examination, Features } from '../upstreams/upstream.js';
import { unknownVoice } from '../speech/named-voice.js';
import type { PlanOptions } from '../speech/plan.js';
import type { SpeechService } from '../speech/service.js';
import { predict, type Prediction } from '../speech/predict.js';
import { speak, type SpeakOptions, type Speech } from '../speech/speak.js';
import type { SpeechRequest } from '../interface/operations.js';
import type { StreamOptions } from '../speech/open-text.js';
import { type SpeechPiece, stream } from '../speech/stream.js';
import {
  completeChoice,
  type CompleteChoice,
  type SpeechDefaults,
  type VoiceChoice,
} from '../voices/complete.js';
import { nearestVoice, type VoiceWish, wishOf } from '../voices/nearest.js';
import { localLookup, lookupDefaults, VoiceLookup } from '../voices/voice-lookup.js';

/** The operations of one account, and speech of any length. */
export interface Client {
  /**
   * Calls an operation: checks the request, waits for the rate limit, sends, retries, checks the reply.
   * @throws SpeechError
   */
  call<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    options?: CallOptions,
  ): Promise<ResponseOf<O>>;
  /**
   * Yields all pages of a list or search, in order.
   * @throws SpeechError; `bad-reply` if a page token repeats
   */
  pages<O extends PagedOperation>(
    operation: O,
    request: RequestOf<O>,
    options?: CallOptions,
  ): AsyncGenerator<ResponseOf<O>, void, undefined>;
  /**
   * Speaks a text of any length and yields its pieces in order, each as soon as it is complete. The memory does not grow
   * with the text: a slow caller slows the requests. `return` aborts all requests.
   * @throws SpeechError of the first failed chunk, after the pieces before it; `chunk` names the failed chunk
   */
  stream(request: SpeechRequest, options?: StreamOptions): AsyncGenerator<SpeechPiece, void, undefined>;
  /**
   * Speaks a text of any length. The audio must fit into memory (options `maxTextLength` and `maxAudioBytes`).
   * @throws SpeechError if any chunk fails, without partial audio; `chunk` names the failed chunk
   */
  speak(request: SpeechRequest, options?: SpeakOptions): Promise<Speech>;
  /**
   * Completes the voice, language, style and model of a request, and checks that the voice speaks the language. `defaults`
   * apply where the request sets nothing, and never against it. Looks the voice up, and remembers it for ten minutes.
   * @throws SpeechError `bad-request` if the voice does not speak the language, or the service has no voice for it
   */
  complete<Choice extends VoiceChoice>(
    request: Choice,
    defaults?: SpeechDefaults,
    options?: CallOptions,
  ): Promise<Choice & CompleteChoice>;
  /** Returns the voice that `complete` would choose, from earlier replies of the service. Sends no request. */
  wish(request: VoiceChoice, defaults?: SpeechDefaults): VoiceWish;
  /**
   * Chooses the voice of this service that is nearest to a voice of another service, by language and gender.
   * @throws SpeechError `bad-request` if the service has no voice of the language
   */
  nearest(wish: VoiceWish, defaults?: SpeechDefaults, options?: CallOptions): Promise<CompleteChoice>;
  /** Returns the name of a voice from earlier replies of the service; undefined without one. Sends no request. */
  voiceName(voice_id: string): string | undefined;
  /**
   * Returns the error of a voice that the service lacks. It names the identifier if `voice_id` is the name of a voice.
   * @throws SpeechError `aborted`
   */
  unknownVoice(voice_id: string, options?: CallOptions): Promise<SpeechError>;
  /** The service as data, for `speakWith`. */
  readonly service: SpeechService;
  /** The abilities of the service, as data. */
  readonly features: Features;
  /**
   * Finds out whether address, key and model of an OpenAI-compatible service are right, without speech. Undefined for a service of another
   * kind, whose first reply proves them.
   * @throws SpeechError
   */
  examine(options?: Pick<CallOptions, 'signal'>): Promise<Examination | undefined>;
  /** Predicts the seconds of audio that `speak` would return, without a charge. @throws SpeechError */
  predict(request: SpeechRequest, options?: PlanOptions): Promise<Prediction>;
  /**
   * Downloads a file that the service named, such as a voice sample: through the same proxy, without the key, without
   * following redirects.
   * @throws SpeechError
   */
  download(address: string, options?: DownloadOptions): Promise<Buffer>;
  /**
   * Aborts all calls, running and waiting, and ends all connections. Later calls fail as `aborted`. Waits up to two seconds
   * until the cache has stored new audio.
   */
  close(): Promise<void>;
}

/**
 * Returns the abilities of a service without a connection.
 * @throws SpeechError `not-configured` for an invalid option
 */
export function featuresOf(options: ClientOptions): Features {
  const kind = upstreamOf(options.upstream ?? { kind: 'hosted' });
  const setup = { settings: settingsOf(options, kind.defaults), network: {} };
  return kind.create(kind.addressOf(options), setup).features;
}

/**
 * Creates the client of one account. Closures hold the key, the proxy and TLS, so `inspect()` does not show them.
 * @throws SpeechError `not-configured` for an invalid option
 */
export function clientOf(options: ClientOptions): Client {
  const { proxy, noProxy, tls, beforeTry, locate, cache, budget, sharing, reading } = options;
  const network = { proxy, noProxy, tls };
  const kind = upstreamOf(options.upstream ?? { kind: 'hosted' });
  const settings = settingsOf(options, kind.defaults);
  const address = kind.addressOf(options);
  const upstream = kind.create(address, { settings, network });
  // Only the local service may move. It charges nothing.
  const isLocal = locate !== undefined;
  const courier = upstream.carries && !isLocal ? { ...address, transport: settings, network } : undefined;
  const pieces = cache && openPieceCache(cache, upstream.identity, sharing?.speech, courier);
  const located = locate && (async (signal: AbortSignal) => kind.addressOf(await locate(signal)));
  const account = new AccountCalls(
    settings,
    { upstream, address, network },
    { beforeTry, locate: located },
    sharing,
  );
  const { features } = upstream;
  const lookup = new VoiceLookup(account, isLocal ? localLookup : lookupDefaults, features.defaultVoice);
  const service = { account, voices: lookup, settings, features, reading, cache: pieces, budget };
  return {
    service,
    features,
    call: (...args) => account.call(...args),
    pages: (...args) => pages(account, ...args),
    stream: (...args) => stream(service, ...args),
    speak: (...args) => speak(service, ...args),
    ...voiceCalls(lookup),
    examine: ({ signal } = {}) => account.examine(signal),
    predict: (...args) => predict(service, ...args),
    download: (...args) => account.download(...args),
    close: async () => void (await Promise.all([account.close(), pieces?.close()])),
  };
}

type VoiceCalls = Pick<Client, 'complete' | 'wish' | 'nearest' | 'voiceName' | 'unknownVoice'>;

const voiceCalls = (lookup: VoiceLookup): VoiceCalls => ({
  complete: async (request, defaults = {}, options = {}) => ({
    ...request,
    ...(await completeChoice(lookup, request, defaults, options)),
  }),
  wish: (request, defaults = {}) => wishOf(lookup, request, defaults),
  nearest: (wish, defaults = {}, options = {}) => nearestVoice(lookup, wish, defaults, options),
  voiceName: (voice_id) => lookup.nameOf(voice_id),
  unknownVoice: (voice_id, options = {}) => unknownVoice(voice_id, lookup, options),
});
