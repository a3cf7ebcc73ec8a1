import type { SpeechError } from '../base/errors.js';
import { text } from '../base/messages.js';
import type { AccountCalls } from '../calls/account.js';
import { abridgedText } from '../interface/describe-issues.js';
import { PAGE_SIZE } from '../interface/limits.js';
import { searchVoices, type SpeechRequest, type Voice } from '../interface/operations.js';

/** Identifiers with a digit or a sign, such as `voice-1`, are no names: for them, no search is sent. */
const NAME = /^\p{L}+$/u;

/**
 * Adds the id to the error of an unknown voice if its id is the name of exactly one preset voice. The search is free of charge.
 * @returns the same error if there is no such voice, or the search fails
 */
export async function withVoiceOfName(
  error: SpeechError,
  { voice_id: given }: SpeechRequest,
  account: Pick<AccountCalls, 'send'>,
  signal: AbortSignal | undefined,
): Promise<SpeechError> {
  if (error.text?.key !== 'voice-unknown' || !NAME.test(given)) return error;
  const items = await voicesNamed(given, account, signal);
  const [voice, ...others] = items.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  if (voice === undefined || others.length > 0) return error;
  const values = { field: 'voice_id', voice: abridgedText(given), id: abridgedText(voice.voice_id) };
  return error.with({ message: text('voice-named', values) });
}

async function voicesNamed(
  name: string,
  account: Pick<AccountCalls, 'send'>,
  signal: AbortSignal | undefined,
): Promise<readonly Voice[]> {
  try {
    const filters = { name, page_size: PAGE_SIZE.max };
    return (await account.send(searchVoices, filters, { signal, attempts: 1 })).value.items;
  } catch {
    // The error of the unknown voice says more than the error of this search.
    return [];
  }
}
