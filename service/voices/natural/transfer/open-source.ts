import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NaturalVoiceError } from '../../installed/errors.js';
import { FolderSource } from './folder-source.js';
import { HttpSource, sourceLimits, type SourceLimits } from './http-source.js';
import type { VoiceSource } from './voice-source.js';

/**
 * Returns the source at an address. Opens no connection and reads no file.
 * @param address URL of the voice repository or a mirror, or a folder with the same files
 * @throws NaturalVoiceError `invalid`
 */
export function openVoiceSource(address: string, limits: SourceLimits = sourceLimits): VoiceSource {
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(address)) return new FolderSource(path.resolve(address));
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return new HttpSource(url, limits);
  if (url?.protocol === 'file:') return new FolderSource(fileURLToPath(url));
  // The address may contain a password, so the message leaves it out.
  throw new NaturalVoiceError('invalid', 'mirror: expected an address that begins with https:// or a folder');
}
