import type { FinishedChunks, Pronunciation } from '@herald-speech/client';
import type { AccountPiece, AccountRequest, AccountStreamOptions } from '../account/speech.js';
import type { AccountTask } from './define-node.js';
import { type Retries, withRetries } from './retries.js';

export interface PieceOptions extends Pick<AccountStreamOptions, 'defaults' | 'accountPronunciations'> {
  markup: 'remove' | 'read';
  cache: boolean;
  pronunciations: readonly Pronunciation[] | undefined;
  /** Whether each sentence is a piece. */
  sentences: boolean;
  retries: Retries;
  /** False if no fallback may speak. Default true. */
  fallback?: boolean;
}

/**
 * Speaks a text with the account and the retries of the node. A repeated attempt continues at the missing piece, and pays no
 * finished piece again.
 * @throws SpeechError
 */
export function speakPieces(
  {
    account,
    signal,
    priority,
    onProgress,
  }: Pick<AccountTask<object>, 'account' | 'signal' | 'priority' | 'onProgress'>,
  request: AccountRequest,
  { retries, ...options }: PieceOptions,
): AsyncGenerator<AccountPiece, void, undefined> {
  // Pieces that are finished behind the missing one.
  const finished: FinishedChunks = new Map();
  let first = 0;
  async function* missing(): AsyncGenerator<AccountPiece, void, undefined> {
    // For every output the same cuts, because the cache stores pieces.
    const all = {
      ...options,
      quickStart: true,
      signal,
      priority,
      onProgress,
      checked: true,
      finished,
      first,
    };
    for await (const piece of account.stream(request, all)) {
      finished.delete(piece.index);
      first = piece.index + 1;
      yield piece;
    }
  }
  return withRetries(retries, { signal, onProgress }, missing);
}
