import { SpeechError } from '../base/errors.js';
import { type Text, text } from '../base/messages.js';
import type { CallOptions } from '../calls/call-options.js';
import { abridgedText } from '../interface/describe-issues.js';
import type { VoiceLookup } from '../voices/voice-lookup.js';

/** Identifiers with a digit or a sign, such as `voice-1`, are not names. They cause no search. */
const NAME = /^\p{L}+$/u;

type Voices = Pick<VoiceLookup, 'named'>;
type Options = Pick<CallOptions, 'signal' | 'priority'>;

/**
 * Adds the id to the error of an unknown voice if its id is the name of exactly one other preset voice. The search is free of charge.
 * @returns the same error if there is no such voice, or the search fails
 * @throws SpeechError `aborted`
 */
export async function withVoiceOfName(
  error: SpeechError,
  given: string,
  voices: Voices,
  { signal, priority }: Options,
): Promise<SpeechError> {
  if (error.text?.key !== 'voice-unknown' || !NAME.test(given)) return error;
  const voice = await voices.named(given, { signal, priority, countsWait: true });
  if (voice === undefined || voice.voice_id === given) return error;
  const values = { field: 'voice_id', voice: abridgedText(given), id: abridgedText(voice.voice_id) };
  return error.with({ message: text('voice-named', values) });
}

/** Returns the error of an unknown voice. @throws SpeechError `aborted` */
export const unknownVoice = (given: string, voices: Voices, options: Options): Promise<SpeechError> =>
  withVoiceOfName(new SpeechError('not-found', voiceUnknown(given)), given, voices, options);

export const voiceUnknown = (voice_id: string): Text =>
  text('voice-unknown', { field: 'voice_id', voice: abridgedText(voice_id) });
