import { ascii, uint32, viewOf } from './bytes.js';

/**
 * Returns the length in bytes of the tag at offset `at`, or 0 if no tag starts there. The tag may exceed the input.
 * Supports ID3v2 (id3.org, "ID3 tag version 2.4.0", 3.1 and 3.4), ID3v1 and APEv2 with a header.
 */
export function tagLength(bytes: Uint8Array, at: number): number {
  if (ascii(bytes, at, 3) === 'ID3') return id3v2Length(bytes, at);
  if (ascii(bytes, at, 3) === 'TAG') return 128;
  return ascii(bytes, at, 8) === 'APETAGEX' ? apeLength(bytes, at) : 0;
}

/** The size does not include the header and the footer. */
function id3v2Length(bytes: Uint8Array, at: number): number {
  if (at + 10 > bytes.length) return 10;
  const knownVersion = [2, 3, 4].includes(bytes[at + 3] ?? 0);
  if (!knownVersion || (uint32(bytes, at + 6) & 0x80808080) !== 0) return 0;
  const hasFooter = ((bytes[at + 5] ?? 0) & 0x10) !== 0;
  return 10 + synchsafe(bytes, at + 6) + (hasFooter ? 10 : 0);
}

/** Reads a "synchsafe" number: seven bits per byte, so that no byte resembles the start of a frame. */
export function synchsafe(bytes: Uint8Array, at: number): number {
  const word = uint32(bytes, at);
  return ((word >>> 24) << 21) | (((word >>> 16) & 127) << 14) | (((word >>> 8) & 127) << 7) | (word & 127);
}

/** Reads the size. It includes the items and the footer, but not the 32-byte header. */
function apeLength(bytes: Uint8Array, at: number): number {
  return at + 32 > bytes.length ? 32 : 32 + viewOf(bytes).getUint32(at + 12, true);
}
