/** Decodes `length` bytes at offset `at` as text, one character per byte. The result is shorter if the input ends earlier. */
export function ascii(bytes: Uint8Array, at: number, length: number): string {
  let text = '';
  const end = Math.min(at + length, bytes.length);
  for (let index = at; index < end; index += 1) text += String.fromCharCode(bytes[index] ?? 0);
  return text;
}

/** Encodes `text` as one byte per character. All characters must be below U+0100. */
export function fromAscii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Reads an unsigned big-endian 32-bit integer at offset `at`. Bytes beyond the end count as 0. */
export function uint32(bytes: Uint8Array, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** Returns a view of exactly these bytes, which may be a part of a larger buffer. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns the total length in bytes. */
export function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((total, part) => total + part.length, 0);
}

/** Concatenates `parts` into a new array. No other function copies audio. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
