/** Concatenates bytes. A single part is returned unchanged. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}
