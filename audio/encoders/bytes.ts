/** Concatenates bytes. A single part with bytes is returned unchanged. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.length > 0);
  return filled.length === 1 && filled[0] !== undefined ? filled[0] : Buffer.concat(filled);
}
