import { hasProperties } from '../kit/objects.js';
import type { VoiceQuery } from '../speech/named-voice.js';
import { ProtocolError, type WyomingEvent } from '@herald-speech/client/wyoming';
import { TextStream } from './text-stream.js';

/** A text to speak, as the client asked for it. */
export interface SpeechOrder {
  voice: VoiceQuery;
  /** The whole text, or a text that is still arriving. */
  text: string | TextStream;
}

/** The effects of a session. */
export interface SessionActions {
  send(event: WyomingEvent): Promise<void>;
  describe(): WyomingEvent;
  /** Speaks a text. Never rejects. */
  speak(order: SpeechOrder): Promise<void>;
}

/** Maximum number of texts of one connection that wait or are spoken. Then the service reads no more from the client. */
const MAX_ORDERS = 8;

/** The state of a connection: the texts in work, in their order, and the text that is arriving. */
export class Session {
  readonly #actions: SessionActions;
  readonly #orders: Array<Promise<void>> = [];
  #running = 0;
  #stream: TextStream | undefined;

  constructor(actions: SessionActions) {
    this.#actions = actions;
  }

  /** Whether a complete text waits or is spoken. */
  get isBusy(): boolean {
    return this.#running > (this.#stream === undefined ? 0 : 1);
  }

  /** Whether the client has not completed a text. */
  get isReceiving(): boolean {
    return this.#stream !== undefined;
  }

  /** Milliseconds since which the service waits for the next sentence of an open text; 0 if it does not wait. */
  get silentFor(): number {
    return this.#stream?.silentFor ?? 0;
  }

  /**
   * Handles an event. Resolves when the session can handle the next one. Ignores unknown events.
   * @throws ProtocolError `invalid-event`; ServiceError 400 for a text that is too long
   */
  async handle(event: WyomingEvent): Promise<void> {
    switch (event.type) {
      case 'ping':
        return this.#actions.send({ type: 'pong', data: echoOf(event) });
      case 'describe':
        return this.#actions.send(this.#actions.describe());
      case 'synthesize':
        return this.#speakWhole(event);
      case 'synthesize-start':
        return this.#startStream(event);
      case 'synthesize-chunk':
        return this.#openStream(event).add(textToSpeak(event));
      case 'synthesize-stop':
        this.#openStream(event).end();
        this.#stream = undefined;
    }
  }

  /** Resolves when all texts are spoken. */
  async finished(): Promise<void> {
    await Promise.all(this.#orders);
  }

  /** A stream is followed by the whole text again, for services that cannot stream. */
  async #speakWhole(event: WyomingEvent): Promise<void> {
    if (this.#stream === undefined) await this.#add({ voice: voiceOf(event), text: textToSpeak(event) });
  }

  async #startStream(event: WyomingEvent): Promise<void> {
    if (this.#stream !== undefined) {
      throw new ProtocolError(
        'invalid-event',
        `${event.type}: send synthesize-stop for the former text first`,
      );
    }
    const order = { voice: voiceOf(event), text: new TextStream() };
    this.#stream = order.text;
    await this.#add(order);
  }

  #openStream({ type }: WyomingEvent): TextStream {
    if (this.#stream !== undefined) return this.#stream;
    throw new ProtocolError('invalid-event', `${type}: no text is open. Send synthesize-start first`);
  }

  async #add(order: SpeechOrder): Promise<void> {
    if (this.#orders.length === MAX_ORDERS) await this.#orders.shift();
    const before = this.#orders.at(-1);
    this.#orders.push(this.#speakAfter(before, order));
  }

  async #speakAfter(before: Promise<void> | undefined, order: SpeechOrder): Promise<void> {
    this.#running += 1;
    await before;
    await this.#actions.speak(order);
    this.#running -= 1;
  }
}

function echoOf({ data: { text } }: WyomingEvent): WyomingEvent['data'] {
  return typeof text === 'string' ? { text } : {};
}

/**
 * Returns the text of `synthesize` and `synthesize-chunk`.
 * @throws ProtocolError `invalid-event` if the event has no text
 */
function textToSpeak({ type, data }: WyomingEvent): string {
  const { text } = data;
  if (typeof text === 'string') return text;
  throw new ProtocolError('invalid-event', `${type}: data.text is missing: expected the text to speak`);
}

/**
 * Returns the voice of `synthesize` and `synthesize-start`. Null counts as missing.
 * @throws ProtocolError `invalid-event` for a field of another type
 */
function voiceOf({ type, data }: WyomingEvent): VoiceQuery {
  const voice = data['voice'] ?? {};
  if (!hasProperties(voice))
    throw new ProtocolError('invalid-event', `${type}: data.voice: expected an object`);
  const { name, language, speaker } = voice;
  return {
    voice: optionalText(type, 'name', name),
    language: optionalText(type, 'language', language),
    speaker: optionalText(type, 'speaker', speaker),
  };
}

function optionalText(type: string, field: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new ProtocolError('invalid-event', `${type}: data.voice.${field}: expected a text`);
}
