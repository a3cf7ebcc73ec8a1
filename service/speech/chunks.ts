import { MAX_TEXT_LENGTH, SPEAKABLE } from '@herald-speech/client/interface';
import { cutQuickStart, isSpeakable, sayAsElements } from '@herald-speech/client/text';
import { ServiceError } from '../kit/errors.js';
import type { SpeechInput } from './speech-call.js';

/** Maximum length of one text in UTF-16 code units. A front end may allow less. */
export const MAX_SPEECH_TEXT = 20_000;

/**
 * Yields the chunks of all texts of a request, in order. Each fits into one job. Skips a text without a letter or digit.
 * @throws ServiceError 400 for a text that is too long
 */
export async function* chunksOf({ text, more, language }: SpeechInput): AsyncGenerator<string> {
  yield* cut(text, language);
  if (more === undefined) return;
  for await (const later of more) yield* cut(later, language);
}

/** A text that fits into one job stays unchanged. */
function cut(text: string, language: string): readonly string[] {
  if (text.length > MAX_SPEECH_TEXT) {
    // Without the text, because the log contains the message.
    const rule = `expected at most ${MAX_SPEECH_TEXT}. Send it in several requests`;
    throw new ServiceError(400, `text has ${text.length} characters: ${rule}`);
  }
  if (text.length <= MAX_TEXT_LENGTH) return SPEAKABLE.test(text) ? [text] : [];
  return cutQuickStart(text, { language, whole: sayAsElements(text) })
    .map((chunk) => chunk.text)
    .filter(isSpeakable);
}
