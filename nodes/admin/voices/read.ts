import { MAX_TEXT_LENGTH, pronunciationList, readAloud, z } from '@herald-speech/client';
import { canWriteFigures, readingOf, wordsReading } from '../../account/reading.js';
import { markupField } from '../../lib/utterance.js';
import { nodeEndpoint } from '../endpoint/node-endpoint.js';
import { target } from '../endpoint/target.js';

/** UTF-16 code units of a code of a language. */
const MAX_LANGUAGE = 40;

/**
 * Returns `{text}`, the sample text of a dialog as it will be read, or `{}` if the service of the account reads figures for itself.
 * Needs no service and no credits.
 */
export const readSample = nodeEndpoint({
  path: '/herald/read',
  permission: 'herald.read',
  request: () =>
    target()
      .pick({ typed: true })
      .extend({
        text: z.string().max(MAX_TEXT_LENGTH),
        language: z.string().max(MAX_LANGUAGE),
        markup: markupField(),
        pronunciations: pronunciationList().optional(),
      }),
  run({ request: { typed = {}, ...text } }) {
    const isRead = readingOf(typed) !== undefined && canWriteFigures();
    return isRead ? { text: readAloud(text, wordsReading) } : {};
  },
});
