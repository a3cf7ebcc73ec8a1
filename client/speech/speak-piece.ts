import type { CachedSpoken } from '../cache/entry.js';
import type { CallOptions } from '../calls/account.js';
import type { SpeechService } from './service.js';
import { createSpeech } from '../interface/operations.js';
import type { SpeechRequest } from '../interface/operations.js';

/** The audio of one chunk. `cached` means that nothing was charged. */
export type Spoken = CachedSpoken;

export interface PieceOptions extends CallOptions {
  /** Whether to read and fill the cache, if the client has a cache. Default true. */
  cache?: boolean | undefined;
}

/** Requests the audio of one chunk. All speech of the client passes through this function. @throws SpeechError */
export async function speakPiece(
  service: SpeechService,
  request: SpeechRequest,
  options: PieceOptions,
): Promise<Spoken> {
  const { cache } = service;
  if (cache === undefined || options.cache === false)
    return { ...(await service.account.send(createSpeech, request, options)), cached: false };
  return cache.speak(request, options, (shared) =>
    service.account.send(createSpeech, request, { ...options, ...shared }),
  );
}

/** Returns whether `speakPiece` will probably cost nothing. @throws SpeechError the signal's reason */
export async function isCached(
  service: SpeechService,
  request: SpeechRequest,
  { cache = true, signal }: PieceOptions,
): Promise<boolean> {
  return cache && ((await service.cache?.isCached(request, signal)) ?? false);
}
