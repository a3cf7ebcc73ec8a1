import type { CachedSpoken } from '../cache/entry.js';
import type { Account, CallOptions } from '../calls/account.js';
import { createSpeech } from '../interface/operations.js';
import type { SpeechRequest } from './speech-request.js';

/** The audio of one chunk. `cached` means that nothing was charged. */
export type Spoken = CachedSpoken;

export interface PieceOptions extends CallOptions {
  /** Whether to read and fill the cache, if the client has a cache. Default true. */
  cache?: boolean | undefined;
}

/** Requests the audio of one chunk. All speech of the client passes through this function. @throws SpeechError */
export async function speakPiece(
  account: Account,
  request: SpeechRequest,
  options: PieceOptions,
): Promise<Spoken> {
  const { cache } = account;
  if (cache === undefined || options.cache === false)
    return { ...(await account.send(createSpeech, request, options)), cached: false };
  return cache.speak(request, options, (shared) =>
    account.send(createSpeech, request, { ...options, ...shared }),
  );
}

/** Returns whether `speakPiece` will probably cost nothing. @throws SpeechError the signal's reason */
export async function isCached(
  account: Account,
  request: SpeechRequest,
  { cache = true, signal }: PieceOptions,
): Promise<boolean> {
  return cache && ((await account.cache?.isCached(request, signal)) ?? false);
}
