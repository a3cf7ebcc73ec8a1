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

/** Asterisk's extensions of raw 16-bit audio end with the sample rate in kilohertz. */
const SLN = /^sln\d*$/;
const RAW: readonly string[] = ['ulaw', 'alaw', 'pcm', 'raw'];

const extensionOf = (name: string): string => path.extname(name).slice(1).toLowerCase();

/** Returns the media type of a file name. */
export function mediaTypeOf(name: string): string {
  const extension = extensionOf(name);
  if (SLN.test(extension)) return `audio/x-${extension}`;
  return types[extension] ?? 'application/octet-stream';
}

/** Returns whether a file name belongs to raw audio, which browsers cannot play. */
export const isRaw = (name: string): boolean =>
  SLN.test(extensionOf(name)) || RAW.includes(extensionOf(name));
