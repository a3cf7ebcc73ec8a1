import { issuesText, SpeechError, type Text, type z } from '@herald-speech/client';
import { say } from '../runtime/messages.js';

/** Returns checked settings. @throws SpeechError `not-configured` */
export function configured<Schema extends z.ZodType>(
  schema: Schema,
  saved: unknown,
  message = (problem: Text) => say('account-setting', { problem }),
): z.output<Schema> {
  const parsed = schema.safeParse(saved);
  if (parsed.success) return parsed.data;
  throw new SpeechError('not-configured', message(issuesText(parsed.error.issues, saved)));
}
