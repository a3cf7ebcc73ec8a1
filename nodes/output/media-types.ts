import path from 'node:path';

/**
 * Media types by the extension of a file name. Raw 16-bit audio has none: `audio/L16` (RFC 3551) means the other byte order.
 */
const types: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ulaw: 'audio/basic',
  alaw: 'audio/x-alaw-basic',
};

/** Returns the media type of a file name. */
export function mediaTypeOf(name: string): string {
  const extension = path.extname(name).slice(1);
  if (/^sln\d*$/.test(extension)) return `audio/x-${extension}`;
  return types[extension] ?? 'application/octet-stream';
}
