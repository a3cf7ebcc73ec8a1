/** Returns the 16-bit little-endian samples of a piece. Copies them, because their place in memory may be odd. */
export function toSamples(audio: Uint8Array): Int16Array<ArrayBuffer> {
  return new Int16Array(Uint8Array.from(audio).buffer, 0, audio.length >> 1);
}
