/** Texts within the limits of errors. */

/** Returns the beginning of a text, at most `length` UTF-16 code units, without half a character at the end. */
export function truncated(whole: string, length: number): string {
  return whole.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Bytes of an error message in UTF-8. */
const MAX_MESSAGE_BYTES = 1000;
const encoder = new TextEncoder();

/** Shortens an error message to at most 1000 bytes. */
export function shortened(message: string): string {
  if (message.length * 3 <= MAX_MESSAGE_BYTES || Buffer.byteLength(message) <= MAX_MESSAGE_BYTES)
    return message;
  const ending = '…';
  const room = new Uint8Array(MAX_MESSAGE_BYTES - Buffer.byteLength(ending));
  return message.slice(0, encoder.encodeInto(message, room).read) + ending;
}
