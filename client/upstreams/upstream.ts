import type { Stop } from '../base/abort.js';
import type { NetworkOptions } from '../http/network.js';
import type { Received } from '../http/reply.js';
import type { Deliver, ServiceAddress } from '../http/transport.js';
import type { TransportOptions } from '../http/transport-options.js';
import type { CheckedRequest, Operation } from '../interface/operation.js';
import type { OperationName, SpeechRequest } from '../interface/operations.js';

/** The abilities of a service, as data. Dialogs hide what a service lacks, and the client refuses it before a request. */
export interface Features {
  /** The operations of the service, and those that its upstream answers without a request. */
  operations: readonly OperationName[] | 'all';
  /** The optional fields of a speech request that the service follows; a voice setting is `voice_settings.NAME`. */
  fields: readonly string[] | 'all';
  /** The audio formats that the service makes. The first one is the default. */
  formats: readonly NonNullable<SpeechRequest['output_format']>[];
  /** Longest text of one request, in UTF-16 code units. */
  maxTextLength: number;
  /** The model of a request without one; undefined for a service without models. */
  defaultModel?: string | undefined;
  /** The identifier that stands for the default voice of the service; undefined if each request must name a voice. */
  defaultVoice?: string | undefined;
  /** Whether a predicted duration is an estimate of the client. */
  estimates: boolean;
}

/** The limits that a service states in a reply. */
export interface StatedLimits {
  /** Requests per minute. */
  perMinute?: number | undefined;
  /** Seconds without a request, because the service has no place left. */
  pause?: number | undefined;
}

/** One try of a call. */
export interface Attempt {
  stop: Stop;
  /** Whether the service may have executed an earlier try of the call. */
  mayBeDone: boolean;
  /** Sends the request in another way. Only an upstream over HTTP can use it. */
  deliver?: Deliver | undefined;
  /** Receives the limits in a reply, also in a refusal. */
  onLimits(limits: StatedLimits): void;
}

/** What a service tells about itself without speech. */
export interface Examination {
  /** `confirmed` by a list of voices or models; `page` if the server answers with a web page; otherwise `unknown`. */
  address: 'confirmed' | 'page' | 'unknown';
  listsVoices: boolean;
  /** Whether the service would have refused a wrong key. */
  isKeyChecked: boolean;
  /** The model of requests without one. */
  model: string;
  /** Undefined if the service lists no models. */
  models: readonly string[] | undefined;
}

/** An open connection to a service at one address. */
export interface UpstreamConnection {
  /**
   * Sends a checked request once, and checks the reply.
   * @throws SpeechError with the code of the failure
   */
  send<O extends Operation>(operation: O, request: CheckedRequest, attempt: Attempt): Promise<Received<O>>;
  /**
   * Finds out whether address, key and model are right, as far as the service tells it without speech. Only for a kind whose list of
   * voices proves nothing.
   * @throws SpeechError
   */
  examine?(stop: Stop): Promise<Examination>;
  /** Ends all requests and connections. */
  close(): Promise<void>;
}

/** A kind of speech service with its options: what it can do, and how a connection to it opens. */
export interface Upstream {
  readonly features: Features;
  /**
   * Everything besides the request that decides the audio: the address, and the settings that each request has. Keys of the
   * cache contain it.
   */
  readonly identity: string;
  /** Whether a courier can send its requests (`client/cache/courier.ts`), so that they outlive a killed program. */
  readonly carries: boolean;
  /** Opens a connection. @throws SpeechError `not-configured` for an invalid address, proxy or TLS option */
  open(address: ServiceAddress): UpstreamConnection;
}

/** The limits of replies, and the network, that an upstream gets from its client. */
export interface UpstreamSetup {
  settings: TransportOptions;
  network: NetworkOptions;
}

/** The client options that a kind of service sets, unless the caller does. */
export interface UpstreamDefaults {
  requestsPerMinute?: number | 'auto';
  clonesPerMinute?: number;
  concurrency?: number;
  /** Milliseconds until the first byte of a reply: a service may send nothing before it has spoken the whole text. */
  firstByteTimeout?: number;
  /** Milliseconds of one call, waiting included. */
  totalTimeout?: number;
}

/** A kind of speech service, as `list.ts` has it. */
export interface UpstreamKind<Options> {
  readonly defaults: UpstreamDefaults;
  /** Checks an address as typed. @throws SpeechError `not-configured`; never with the key */
  addressOf(typed: { url: unknown; apiKey: unknown }): ServiceAddress;
  /** Checks the options. @throws SpeechError `not-configured`; the message names the option */
  create(options: Options, address: ServiceAddress, setup: UpstreamSetup): Upstream;
}
