import { SpeechError } from '../../base/errors.js';
import { text } from '../../base/messages.js';
import { EventReader, ProtocolError, type WyomingEvent } from '../../wyoming/index.js';

/** The limits of a reply in bytes. */
export interface ReplyLimits {
  /** The whole reply. */
  total: number;
  /** A line of JSON, or the data of an event. */
  json: number;
  /** Bytes besides the audio, beyond as many bytes as the audio has. */
  overhead: number;
}

/** Reads the events of a reply within its limits. */
export class ReplyReader {
  readonly #limits: ReplyLimits;
  readonly #events: EventReader;
  #bytes = 0;
  #audio = 0;

  constructor(limits: ReplyLimits) {
    this.#limits = limits;
    const { total, json } = limits;
    this.#events = new EventReader({
      keepsPayload: true,
      limits: { line: json, data: json, payload: total },
    });
  }

  /**
   * Yields the events that are complete with these bytes.
   * @throws SpeechError `bad-reply` for bytes that are no events, and for a reply over a limit
   */
  *read(bytes: Uint8Array): Generator<WyomingEvent> {
    this.#bytes += bytes.length;
    this.#limit(this.#bytes, this.#limits.total);
    try {
      for (const event of this.#events.read(bytes)) {
        this.#audio += event.payload?.length ?? 0;
        yield event;
      }
    } catch (error) {
      throw error instanceof ProtocolError ? noEvents(error) : error;
    }
    const { overhead } = this.#limits;
    this.#limit(this.#bytes - this.#events.buffered - 2 * this.#audio, overhead);
  }

  #limit(bytes: number, limit: number): void {
    if (bytes > limit) throw new SpeechError('bad-reply', text('reply-large', { limit }));
  }
}

/** The message of a broken event is for its sender, so only the code is shown. */
const noEvents = ({ code }: ProtocolError): SpeechError =>
  new SpeechError('bad-reply', text('wyoming-no-events', { problem: code }));
