import type { AccountPiece, FailureCode } from '@herald-speech/client';
import { localizeError, type Translator } from '../runtime/localize.js';

/** The value of `msg.speech.fallback`: the fallback that spoke. */
interface FallbackReport {
  /** The name of the account that spoke: its name, the host of its service, or `local`. */
  account: string;
  voice_id: string;
  /** The index of its first piece, counted from 0. */
  from: number;
  /** The code of the failure of the node's account. */
  code: FailureCode;
  /** The message of that failure. */
  reason: string;
}

/**
 * Returns the report of a piece; undefined if the node's account spoke it. The last piece of a text reports the last account
 * that spoke.
 */
export function fallbackReport(
  translator: Translator,
  { takeover, voice }: Pick<AccountPiece, 'takeover' | 'voice'>,
): FallbackReport | undefined {
  if (takeover === undefined) return undefined;
  const { account, from, reason } = takeover;
  const { code, message } = localizeError(translator, reason);
  return { account, voice_id: voice.voice_id, from, code, reason: message };
}
