import { baseUrl, usableKey } from '../../base/url-and-key.js';
import { SpeechError } from '../../base/errors.js';
import { text } from '../../base/messages.js';
import type { Stop } from '../../base/abort.js';
import type { HttpReply } from '../../http/exchange.js';
import { type Received, typeOf } from '../../http/reply.js';
import { parseJson } from '../../http/speech-json.js';
import { createTransport, type ServiceAddress } from '../../http/transport.js';
import { abridgedText } from '../../interface/describe-issues.js';
import type { TransportOptions } from '../../http/transport-options.js';
import type { CheckedRequest, Operation } from '../../interface/operation.js';
import { createSpeech, getVoice } from '../../interface/operations.js';
import { answered, answerFrom, type ListedVoice } from '../local-answers.js';
import type {
  Attempt,
  Examination,
  Upstream,
  UpstreamConnection,
  UpstreamKind,
  UpstreamSetup,
} from '../upstream.js';
import { VoiceMemory, type VoicesById } from '../voice-memory.js';
import { examine, VOICES } from './examine.js';
import { statedLimits } from './limits.js';
import { readVoices } from './listed-voices.js';
import { openAiSettings, type OpenAiOptions, type OpenAiSettings } from './options.js';
import { refusalOf } from './refusal.js';
import { requestedModel, readSpeech, openAiRequest } from './speech.js';

export type { OpenAiOptions } from './options.js';

/** A service with the speech part of the OpenAI API: in the cloud, or one of many local servers. */
export const openai: UpstreamKind<OpenAiOptions> = {
  // Local servers speak one text after the other. A service in the cloud states its limits in its replies.
  defaults: {
    requestsPerMinute: Infinity,
    clonesPerMinute: Infinity,
    concurrency: 1,
    firstByteTimeout: 180_000,
    totalTimeout: 400_000,
  },
  addressOf: ({ url, apiKey }) => ({ url: serviceUrl(url), apiKey: optionalKey(apiKey) }),
  create: (options, { url }, setup) => upstreamOf(openAiSettings(options), url, setup),
};

/** Returns the base URL. Other programs ask for the whole address of speech, so its path is removed. @throws SpeechError `not-configured` */
const serviceUrl = (url: unknown): string => baseUrl(url).replace(/\/v1\/audio\/speech$/, '');

/** Returns '' for a service without keys. @throws SpeechError `not-configured` */
const optionalKey = (key: unknown): string =>
  key === undefined || key === null || key === '' ? '' : usableKey(key);

function upstreamOf(settings: OpenAiSettings, url: string, setup: UpstreamSetup): Upstream {
  const { model, instructions, maxTextLength } = settings;
  return {
    features: {
      operations: ['createSpeech', ...answered],
      fields: ['model', 'style', 'voice_settings.speed'],
      formats: ['wav', 'mp3'],
      maxTextLength,
      defaultModel: model,
      estimates: true,
    },
    // A URL has no white space, so no other service has the same identity.
    identity: `${url} openai ${JSON.stringify([model, instructions ?? ''])}`,
    carries: false,
    open: (address) => new OpenAiConnection(address, settings, setup),
  };
}

class OpenAiConnection implements UpstreamConnection {
  readonly #transport;
  /** A closure: the network may contain the password of a proxy. */
  readonly #openAsStranger;
  readonly #hasKey: boolean;
  readonly #voices: VoiceMemory<ListedVoice>;
  private readonly limits: TransportOptions;

  constructor(
    { url, apiKey }: ServiceAddress,
    private readonly settings: OpenAiSettings,
    setup: UpstreamSetup,
  ) {
    // Not the whole setup: its network may contain the password of a proxy.
    this.limits = setup.settings;
    const login = (key: string) => ({ authorization: `Bearer ${key}` });
    this.#hasKey = apiKey !== '';
    const open = (key: string) =>
      createTransport(url, key || undefined, setup.settings, setup.network, login);
    this.#transport = open(apiKey);
    this.#openAsStranger = () => open(WRONG_KEY);
    this.#voices = new VoiceMemory((stop) => this.listVoices(stop));
  }

  async send<O extends Operation>(
    operation: O,
    request: CheckedRequest,
    attempt: Attempt,
  ): Promise<Received<O>> {
    if (operation.name === createSpeech.name) return this.speak(operation, request, attempt);
    const wanted = operation.name === getVoice.name ? String(request['voice_id']) : undefined;
    const list = async () => [...(await this.#voices.voices(attempt.stop, wanted)).values()];
    const answer = await answerFrom(operation, request, list);
    if (answer !== undefined) return answer;
    throw new SpeechError(
      'not-supported',
      text('not-supported-operation', { operation: abridgedText(operation.name) }),
    );
  }

  examine(stop: Stop): Promise<Examination> {
    const { model } = this.settings;
    const { maxRetryAfter } = this.limits;
    const lists = {
      read: (path: string, until: Stop) => this.readList(this.#transport, path, until),
      readAsStranger: async (path: string, until: Stop) => {
        const transport = this.#openAsStranger();
        try {
          return await this.readList(transport, path, until);
        } finally {
          await transport.close();
        }
      },
    };
    return examine(lists, stop, { model, hasKey: this.#hasKey, maxRetryAfter });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  private async speak<O extends Operation>(
    operation: O,
    request: CheckedRequest,
    { stop, onLimits }: Attempt,
  ): Promise<Received<O>> {
    const maxBytes = Math.max(this.limits.maxReplyBytes, bytesFor(String(request['text'])));
    const reply = await this.#transport.exchange(openAiRequest(this.settings, request), stop, maxBytes);
    const limits = statedLimits(reply.headers);
    if (limits !== undefined) onLimits(limits);
    if (isSuccess(reply)) return readSpeech(operation, reply, this.limits);
    const refused = {
      voice: request['voice_id'],
      model: requestedModel(this.settings, request),
      hasKey: this.#hasKey,
    };
    throw refusalOf(reply, refused, this.limits.maxRetryAfter);
  }

  /** Returns the voices of the service, or the typed ones if it lists none. */
  private async listVoices(stop: Stop): Promise<VoicesById<ListedVoice>> {
    const { maxRetryAfter } = this.limits;
    const reply = await this.readList(this.#transport, VOICES, stop);
    if (!isSuccess(reply) && !listsNone(reply))
      throw refusalOf(reply, { hasKey: this.#hasKey }, maxRetryAfter);
    const listed = isSuccess(reply) ? readVoices(jsonOf(reply)) : undefined;
    if (listed !== undefined && listed.size > 0) return listed;
    return new Map(this.settings.voices.map((name) => [name, { voice_id: name, name }]));
  }

  private readList(
    { exchange }: Pick<ReturnType<typeof createTransport>, 'exchange'>,
    path: string,
    stop: Stop,
  ): Promise<HttpReply> {
    const { maxReplyBytes, maxJsonBytes } = this.limits;
    const request = { method: 'GET', path, headers: { accept: 'application/json' }, body: null } as const;
    return exchange(request, stop, Math.min(maxReplyBytes, maxJsonBytes));
  }
}

/** Bytes of audio for a character: 16 bits at 48,000 Hz, of a voice that speaks four characters a second, such as a Chinese one. */
const BYTES_PER_CHARACTER = 24_000;

/** Returns the longest audio of a text, in bytes. A request may have more text than `maxReplyBytes` is made for. */
const bytesFor = (text: string): number => text.length * BYTES_PER_CHARACTER;

/** A key that no account has. */
const WRONG_KEY = 'herald-checks-whether-keys-count';

const isSuccess = ({ status }: HttpReply): boolean => status >= 200 && status < 300;

/** Statuses that depend on the key, on the time or on the load. Any other refusal means: no list of voices. */
const TEMPORARY: readonly number[] = [401, 402, 408, 429];

const listsNone = ({ status }: HttpReply): boolean =>
  status === 501 || (status < 500 && !TEMPORARY.includes(status));

/**
 * Returns undefined for other content, such as the page with which some services answer any unknown path.
 * @throws SpeechError `no-reply` for incomplete JSON
 */
const jsonOf = (reply: HttpReply): unknown =>
  typeOf(reply).endsWith('json') ? parseJson(reply.body.toString('utf8'), reply.status) : undefined;
