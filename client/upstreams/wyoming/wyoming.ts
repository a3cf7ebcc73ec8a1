import { once } from 'node:events';
import type { Stop } from '../../base/abort.js';
import { asSpeechError, type SpeechError } from '../../base/errors.js';
import type { Received } from '../../http/reply.js';
import { MAX_TEXT_LENGTH } from '../../interface/limits.js';
import type { CheckedRequest, Operation } from '../../interface/operation.js';
import { createSpeech, getVoice } from '../../interface/operations.js';
import type { WyomingEvent } from '../../wyoming/index.js';
import { answerFrom } from '../local-answers.js';
import type { UpstreamConnection, UpstreamKind, UpstreamSetup } from '../upstream.js';
import { VoiceMemory } from '../voice-memory.js';
import { placeOf, tcpUrlOf } from './address.js';
import { wyomingExchange, type Server } from './exchange.js';
import { failureIn } from './failure.js';
import type { ReplyLimits } from './reply-reader.js';
import { SpeechReply } from './speech-reply.js';
import { chosenBy, SERVER_VOICE, serverVoice, tagFor, voicesIn, type WyomingVoice } from './voices.js';

/** The options of a Wyoming server: none. */
export type WyomingOptions = object;

/**
 * A server of the Wyoming protocol, such as the Piper add-on of Home Assistant. Each request has its own connection. A piece is one
 * `synthesize` event: the events for a growing text bring nothing for a text that is complete and at most 300 characters long.
 */
export const wyoming: UpstreamKind<WyomingOptions> = {
  // Servers on one's own computer have no limit of requests, and speak one text after the other.
  defaults: { requestsPerMinute: Infinity, clonesPerMinute: Infinity, concurrency: 1 },
  // The protocol has no login: the key of another kind of service may still be saved.
  addressOf: ({ url }) => ({ url: tcpUrlOf(placeOf(url)), apiKey: '' }),
  create: (_options, { url }, setup) => ({
    features: {
      operations: ['createSpeech', 'getVoice', 'listVoices', 'searchVoices', 'predictDuration'],
      fields: [],
      formats: ['wav'],
      maxTextLength: MAX_TEXT_LENGTH,
      defaultVoice: SERVER_VOICE,
      estimates: true,
    },
    identity: url,
    carries: false,
    open: (address) => new WyomingConnection(address.url, setup),
  }),
};

/** Bytes of a line or of the data of an event with audio, or of an error. */
const MAX_EVENT_JSON = 262_144;

/** The connection to a server at one address. */
class WyomingConnection implements UpstreamConnection {
  readonly #server: Server;
  readonly #limits: Readonly<Record<'info' | 'speech', ReplyLimits>>;
  readonly #voices: VoiceMemory<WyomingVoice>;

  constructor(url: string, { settings }: UpstreamSetup) {
    const { maxReplyBytes, maxJsonBytes } = settings;
    const json = Math.min(maxReplyBytes, maxJsonBytes);
    this.#server = { place: placeOf(url), settings, sockets: new Set() };
    this.#limits = {
      info: { total: json, json, overhead: json },
      speech: { total: maxReplyBytes, json: Math.min(json, MAX_EVENT_JSON), overhead: json },
    };
    this.#voices = new VoiceMemory((stop) => this.#describe(stop));
  }

  async send<O extends Operation>(
    operation: O,
    request: CheckedRequest,
    { stop }: { stop: Stop },
  ): Promise<Received<O>> {
    if (operation.name === createSpeech.name) return this.#speak<O>(request, stop);
    const wanted = operation.name === getVoice.name ? String(request['voice_id']) : undefined;
    const list = async () =>
      wanted === SERVER_VOICE
        ? [serverVoice]
        : [...(await this.#voices.voices(stop, wanted)).values()].map(({ listed }) => listed);
    const answer = await answerFrom(operation, request, list);
    if (answer === undefined) throw new Error(`operation ${operation.name} has no answer`);
    return answer;
  }

  async close(): Promise<void> {
    const closed = [...this.#server.sockets].map((socket) => once(socket.destroy(), 'close'));
    await Promise.allSettled(closed);
  }

  #describe(stop: Stop): Promise<Map<string, WyomingVoice>> {
    const onEvent = (event: WyomingEvent) => {
      if (event.type === 'error') throw failureIn(event);
      return event.type === 'info' ? voicesIn(event.data) : undefined;
    };
    return wyomingExchange(this.#server, { type: 'describe', data: {} }, this.#limits.info, stop, onEvent);
  }

  /** Returns the fields that choose a voice. For the default voice of the server, they have only the language. */
  async #choice(name: string, language: string, stop: Stop) {
    if (name === SERVER_VOICE) return { language };
    const known = (await this.#voices.voices(stop, name)).get(name);
    return { ...(known?.chosen ?? chosenBy(name)), language: tagFor(language, known?.tags) };
  }

  async #speak<O extends Operation>(request: CheckedRequest, stop: Stop): Promise<Received<O>> {
    const { voice_id: id, text, language } = request;
    const name = String(id);
    const voice = await this.#choice(name, String(language), stop);
    const reply = new SpeechReply<O>(name === SERVER_VOICE ? undefined : id);
    const event = { type: 'synthesize', data: { text, voice } };
    try {
      return await wyomingExchange(this.#server, event, this.#limits.speech, stop, (each) =>
        reply.take(each),
      );
    } catch (error) {
      if (isUnknownVoice(asSpeechError(error))) this.#voices.forget();
      throw error;
    }
  }
}

const isUnknownVoice = ({ code }: SpeechError): boolean => code === 'not-found';
