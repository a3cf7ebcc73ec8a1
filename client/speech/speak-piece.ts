import type { Account, CallOptions } from '../calls/account.js';
import type { Received } from '../http/reply.js';
import { createSpeech } from '../interface/operations.js';
import type { SpeechRequest } from './speech-request.js';

/** The checked reply to the request of one chunk. */
export interface Spoken extends Received<typeof createSpeech> {
  /** Whether the audio came from the cache, so that nothing was charged. */
  cached: boolean;
}

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
  const reply = await account.send(createSpeech, request, options);
  return { ...reply, cached: false };
}
