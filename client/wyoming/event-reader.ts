import { ByteQueue } from './byte-queue.js';
import type { WyomingEvent } from './event.js';
import { ProtocolError, type ProtocolFailure } from './protocol-error.js';

/** Maximum lengths in bytes of the parts of an event. */
export const readerLimits = { line: 262_144, data: 262_144, payload: 16_777_216 } as const;

type ReaderLimits = Readonly<Record<keyof typeof readerLimits, number>>;

interface ReaderOptions {
  limits?: ReaderLimits;
  /** Whether events get their payload. Without it, the reader drops the bytes of a payload as they arrive. */
  keepsPayload?: boolean;
}

/** The line of an event. */
interface Header {
  type: string;
  data: Readonly<Record<string, unknown>>;
  dataLength: number;
  payloadLength: number;
}

/** Reads events from the bytes of a connection. The bytes may arrive in pieces of any length. */
export class EventReader {
  readonly #bytes = new ByteQueue();
  readonly #limits: ReaderLimits;
  readonly #keepsPayload: boolean;
  #header: Header | undefined;
  #event: WyomingEvent | undefined;
  /** Bytes of the payload that have not arrived. */
  #missing = 0;

  constructor({ limits = readerLimits, keepsPayload = false }: ReaderOptions = {}) {
    this.#limits = limits;
    this.#keepsPayload = keepsPayload;
  }

  /** Bytes of an event that is not complete. Without payloads, the dropped bytes of a payload do not count. */
  get buffered(): number {
    return this.#bytes.length;
  }

  /**
   * Adds bytes and yields each event that is now complete. The memory in use stays below the limits plus the length of `bytes`.
   * @throws ProtocolError for a broken event. The reader is not usable afterwards.
   */
  *read(bytes: Uint8Array): Generator<WyomingEvent> {
    this.#bytes.append(bytes);
    for (let event = this.#next(); event !== undefined; event = this.#next()) yield event;
  }

  #next(): WyomingEvent | undefined {
    this.#header ??= this.#readHeader();
    if (this.#event === undefined) this.#readData();
    return this.#event && this.#readPayload(this.#event);
  }

  #readHeader(): Header | undefined {
    for (let line = this.#takeLine(); line !== undefined; line = this.#takeLine()) {
      if (!isBlank(line)) return toHeader(toObject(line, 'line'), this.#limits);
    }
    return undefined;
  }

  #takeLine(): Buffer | undefined {
    const line = this.#bytes.takeLine();
    check('line', line?.length ?? this.#bytes.length, this.#limits);
    return line;
  }

  #readData(): void {
    if (this.#header === undefined || this.#bytes.length < this.#header.dataLength) return;
    const { type, data, dataLength, payloadLength } = this.#header;
    const more = dataLength === 0 ? {} : toObject(this.#bytes.take(dataLength), 'data');
    this.#event = { type, data: { ...data, ...more } };
    this.#missing = payloadLength;
  }

  #readPayload(event: WyomingEvent): WyomingEvent | undefined {
    if (!this.#keepsPayload) this.#dropPayload();
    if (this.#missing > this.#bytes.length) return undefined;
    const payload = this.#bytes.take(this.#missing);
    [this.#header, this.#event, this.#missing] = [undefined, undefined, 0];
    return this.#keepsPayload ? { ...event, payload } : event;
  }

  #dropPayload(): void {
    const dropped = Math.min(this.#missing, this.#bytes.length);
    this.#bytes.skip(dropped);
    this.#missing -= dropped;
  }
}

/** Some clients send an empty line to keep the connection open. */
const isBlank = (line: Buffer): boolean => line.toString('latin1').trim() === '';

/** @throws ProtocolError for an invalid or too large field */
function toHeader(line: Readonly<Record<string, unknown>>, limits: ReaderLimits): Header {
  const { type, data, data_length: dataLength, payload_length: payloadLength } = line;
  if (typeof type !== 'string' || type === '') {
    throw new ProtocolError('invalid-event', 'type: expected the name of the event, a text');
  }
  const given = data ?? {};
  if (!isObject(given)) {
    throw new ProtocolError('invalid-event', 'data: expected an object');
  }
  const lengths = {
    dataLength: toLength('data', dataLength),
    payloadLength: toLength('payload', payloadLength),
  };
  check('data', lengths.dataLength, limits);
  check('payload', lengths.payloadLength, limits);
  return { type, data: given, ...lengths };
}

const tooLong: Readonly<Record<keyof ReaderLimits, ProtocolFailure>> = {
  line: 'line-too-long',
  data: 'data-too-long',
  payload: 'payload-too-long',
};

function check(part: keyof ReaderLimits, length: number, limits: ReaderLimits): void {
  if (length <= limits[part]) return;
  const field = part === 'line' ? `line of at least ${length} bytes` : `${part}_length ${length}`;
  throw new ProtocolError(
    tooLong[part],
    `${field}: expected at most ${limits[part]} bytes. Send a shorter event`,
  );
}

function toLength(part: 'data' | 'payload', value: unknown): number {
  const length = value ?? 0;
  if (typeof length === 'number' && Number.isSafeInteger(length) && length >= 0) return length;
  throw new ProtocolError(
    'invalid-event',
    `${part}_length: expected a number of bytes, an integer of at least 0`,
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts JSON in UTF-8 to an object. */
function toObject(bytes: Buffer, part: 'line' | 'data'): Readonly<Record<string, unknown>> {
  const value = toValue(toText(bytes, part), part);
  if (isObject(value)) return value;
  throw new ProtocolError('invalid-event', `${part}: expected a JSON object`);
}

function toText(bytes: Buffer, part: 'line' | 'data'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProtocolError('invalid-utf-8', `${part}: expected text in UTF-8`);
  }
}

function toValue(text: string, part: 'line' | 'data'): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolError(
      'invalid-json',
      `${part}: expected JSON. Send one line of JSON, then data_length bytes of JSON`,
    );
  }
}
