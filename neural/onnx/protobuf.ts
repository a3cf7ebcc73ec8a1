/*
 * Reads and writes the wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding/). A model file may be
 * damaged or made to harm: each length is checked, and nothing is read recursively.
 */

/** The bytes are not a message. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** Returns the result of a reader, or undefined if the bytes are not a message. */
export function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}

/** A field of a message. */
export interface WireField {
  number: number;
  /** The place of the field with its key. */
  start: number;
  /** The place of the content. */
  from: number;
  /** The place after the field. */
  end: number;
  /** The number of a varint, exact up to 2^53; undefined for other fields. */
  value: number | undefined;
}

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };
/** Bytes of the longest varint: 64 bits, 7 of them in each byte. */
const MAX_VARINT = 10;

/**
 * Yields the fields of a message in order.
 * @throws ProtobufError at the first field that is not complete or has an unknown type
 */
export function* eachField(bytes: Uint8Array, from = 0, to = bytes.length): Generator<WireField> {
  for (let start = from; start < to;) {
    const [key, afterKey] = varintAt(bytes, start, to);
    const number = Math.floor(key / 8);
    const field = contentAt(bytes, afterKey, to, key % 8);
    if (number === 0 || field.end > to) throw new ProtobufError('a field is longer than its message');
    yield { number, start, ...field };
    start = field.end;
  }
}

function contentAt(
  bytes: Uint8Array,
  from: number,
  to: number,
  wire: number,
): Omit<WireField, 'number' | 'start'> {
  switch (wire) {
    case WIRE.varint: {
      const [value, end] = varintAt(bytes, from, to);
      return { from, end, value };
    }
    case WIRE.bytes: {
      const [length, start] = varintAt(bytes, from, to);
      return { from: start, end: start + length, value: undefined };
    }
    case WIRE.fixed64:
      return { from, end: from + 8, value: undefined };
    case WIRE.fixed32:
      return { from, end: from + 4, value: undefined };
    default:
      throw new ProtobufError(`unknown type ${wire} of a field`);
  }
}

/** Returns a number and the place after it. */
function varintAt(bytes: Uint8Array, from: number, to: number): [value: number, end: number] {
  let value = 0;
  for (let place = from, factor = 1; place < Math.min(to, from + MAX_VARINT); place++, factor *= 128) {
    const byte = bytes[place] ?? 0;
    value += (byte & 127) * factor;
    if (byte < 128) return [value, place + 1];
  }
  throw new ProtobufError('a number has no end');
}

/** Returns the text of a field. */
export const textOfField = (bytes: Uint8Array, { from, end }: WireField): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString();

/** Returns the numbers of a field: one, or a packed list. */
export function numbersOfField(bytes: Uint8Array, { from, end, value }: WireField): number[] {
  if (value !== undefined) return [value];
  const numbers: number[] = [];
  for (let place = from; place < end;) {
    const [number, next] = varintAt(bytes, place, end);
    numbers.push(number);
    place = next;
  }
  return numbers;
}

/** Returns a field with bytes: a text, a message or a part of it. */
export function bytesField(number: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([varint(number * 8 + WIRE.bytes), varint(length), ...content]);
}

export const textField = (number: number, text: string): Buffer => bytesField(number, Buffer.from(text));

export const numberField = (number: number, value: number): Buffer =>
  Buffer.concat([varint(number * 8 + WIRE.varint), varint(value)]);

function varint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) groups.push((rest % 128) + 128);
  return Buffer.from([...groups, rest]);
}
