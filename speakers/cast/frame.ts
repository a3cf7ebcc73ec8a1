/** The messages of CASTV2 as bytes: a length of four bytes, and a `CastMessage` in the wire format of Protocol Buffers. */

/** Maximum size of a message in bytes (Google Cast, "Media Playback Messages": 64 KB). */
const MAX_BYTES = 65_536;
const HEADER_BYTES = 4;
/** Bytes of the longest varint. */
const VARINT_BYTES = 10;
/** The numbers of the fields of a `CastMessage`. */
const FIELD = { version: 1, source: 2, destination: 3, namespace: 4, kind: 5, text: 6 } as const;
/** The wire types of Protocol Buffers ("Encoding"). */
const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** A message between a sender and a receiver. */
export interface CastMessage {
  source: string;
  destination: string;
  namespace: string;
  /** The payload, which is JSON. A binary payload is ''. */
  text: string;
}

/** Returns the bytes of a message with their length. */
export function framed({ source, destination, namespace, text }: CastMessage): Buffer {
  const body = Buffer.concat([
    Buffer.of(FIELD.version * 8 + WIRE.varint, 0),
    field(FIELD.source, source),
    field(FIELD.destination, destination),
    field(FIELD.namespace, namespace),
    Buffer.of(FIELD.kind * 8 + WIRE.varint, 0),
    field(FIELD.text, text),
  ]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
}

function field(number: number, text: string): Buffer {
  const data = Buffer.from(text);
  return Buffer.concat([Buffer.of(number * 8 + WIRE.bytes), varint(data.length), data]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}

/** Cuts a stream of bytes into messages. It keeps at most one message in memory, and copies each byte once. */
export class Frames {
  private header = Buffer.alloc(HEADER_BYTES);
  private body: Buffer | undefined;
  /** Bytes of the header or of the body that have arrived. */
  private filled = 0;

  /** Yields the messages that a part of the stream completes. @throws Error for a length or a message that is not valid */
  *add(part: Buffer): Generator<CastMessage> {
    for (let rest = part; rest.length > 0;) {
      const target = this.body ?? this.header;
      const copied = rest.copy(target, this.filled);
      rest = rest.subarray(copied);
      this.filled += copied;
      if (this.filled < target.length) return;
      this.filled = 0;
      if (this.body === undefined) {
        this.body = Buffer.alloc(lengthIn(this.header));
      } else {
        const message = messageIn(this.body);
        this.body = undefined;
        yield message;
      }
    }
  }
}

function lengthIn(header: Buffer): number {
  const length = header.readUInt32BE();
  // An empty message has no source, and is not valid either.
  if (length === 0 || length > MAX_BYTES) throw new Error(`a message with ${length} bytes`);
  return length;
}

/** Parses a message. Unknown fields are skipped. @throws Error for invalid bytes */
function messageIn(bytes: Buffer): CastMessage {
  const texts = new Map<number, string>();
  for (let at = 0; at < bytes.length;) {
    const tag = varintAt(bytes, at);
    const [number, wire] = [Math.floor(tag.value / 8), tag.value % 8];
    const start = wire === WIRE.bytes ? varintAt(bytes, tag.end) : { value: 0, end: tag.end };
    at = endOf(bytes, wire, start);
    if (at > bytes.length) throw new Error('a message with a field that is too long');
    if (wire === WIRE.bytes) texts.set(number, bytes.toString('utf8', start.end, at));
  }
  const textOf = (number: number) => texts.get(number) ?? '';
  return {
    source: textOf(FIELD.source),
    destination: textOf(FIELD.destination),
    namespace: textOf(FIELD.namespace),
    text: textOf(FIELD.text),
  };
}

/** Returns the end of a field whose value begins at `end`, with its length for bytes. */
function endOf(bytes: Buffer, wire: number, { value, end }: { value: number; end: number }): number {
  if (wire === WIRE.varint) return varintAt(bytes, end).end;
  if (wire === WIRE.bytes) return end + value;
  if (wire === WIRE.fixed64) return end + 8;
  if (wire === WIRE.fixed32) return end + 4;
  throw new Error(`a message with the wire type ${wire}`);
}

function varintAt(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < VARINT_BYTES; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) break;
    value += (byte % 128) * 128 ** index;
    if (byte < 128) return { value, end: start + index + 1 };
  }
  throw new Error('a message with a number that has no end');
}
