import { z } from 'zod';
import type { CallOptions } from '../calls/account.js';
import type { Client } from '../client.js';
import { SpeechError } from '../errors.js';
import { mapInOrder } from './in-order.js';
import { predictDuration } from '../interface/operations.js';
import type { Settings } from '../options.js';
import { checkRequest } from '../http/request.js';
import { MAX_TEXT_LENGTH, SPEAKABLE, speech } from '../interface/schemas.js';
import type { SpeechRequest } from './speak.js';
import { cutText, isSpeakable } from '../text/chunk.js';

type Cut = ReturnType<typeof cutText>[number];

/** A text cut into requests of at most 300 characters each. */
export interface SpeechPlan {
  cuts: Cut[];
  /** One request for each cut. */
  requests: SpeechRequest[];
  warnings: string[];
}

/** The schema of a speech request whose text may be longer than one request carries. */
const longSpeech = (maxLength: number) =>
  speech.extend({
    text: z
      .string()
      .max(maxLength, `expected at most ${maxLength} characters`)
      .regex(SPEAKABLE, 'expected a text with at least one letter or digit'),
  });

/**
 * Checks the whole request, then cuts its text.
 * @throws SpeechError `bad-request` before anything is sent; or the failure of a prediction that sharing a wished
 *   `duration` out over several chunks needs (docs/interface.md#open-points)
 */
export async function planSpeech(
  call: Client['call'],
  settings: Settings,
  request: SpeechRequest,
  options: CallOptions,
): Promise<SpeechPlan> {
  const checked = checkRequest(longSpeech(settings.maxTextLength), request);
  const { text, warnings } = readable(checked.text, settings.replaceHash);
  const cuts = speakableCuts(text, checked.language, warnings);
  if (cuts.length > 1 && checked.normalized_text !== undefined) {
    throw new SpeechError(
      'bad-request',
      `normalized_text goes with a text of one request (${MAX_TEXT_LENGTH} characters); this one takes ${cuts.length}`,
    );
  }
  const requests = cuts.map((cut) => ({ ...checked, text: cut.text }));
  return { cuts, warnings, requests: await shareDuration(call, settings, requests, options) };
}

/** A service may refuse it (docs/interface.md#open-points). */
const HASH = { what: '"#"', pattern: /#/g };
/** Half a surrogate pair, as a text has that was cut by length: no UTF-8 carries it. */
const HALF_CHARACTER = { what: 'half a character', pattern: /\p{Surrogate}/gu };

/** A text that a service takes; a space in place of what it may not keeps every position as it was. */
function readable(text: string, replaceHash: boolean): { text: string; warnings: string[] } {
  const unreadable = replaceHash ? [HASH, HALF_CHARACTER] : [HALF_CHARACTER];
  const found = unreadable.filter(({ pattern }) => text.search(pattern) >= 0);
  return {
    text: found.reduce((before, { pattern }) => before.replace(pattern, ' '), text),
    warnings: found.map(({ what }) => `text: ${what} was replaced by a space`),
  };
}

function speakableCuts(text: string, language: string, warnings: string[]): Cut[] {
  const all = cutText(text, { maxLength: MAX_TEXT_LENGTH, language });
  const cuts = all.filter((cut) => isSpeakable(cut.text));
  if (cuts.length < all.length) {
    warnings.push(`text: ${all.length - cuts.length} pieces without a letter or digit were left out`);
  }
  return cuts;
}

/** `duration` is about the whole text: each chunk gets its share by predicted length. */
async function shareDuration(
  call: Client['call'],
  { concurrency }: Settings,
  requests: SpeechRequest[],
  { signal: parent, priority }: CallOptions,
): Promise<SpeechRequest[]> {
  const wished = requests[0]?.voice_settings?.duration ?? 0;
  if (requests.length < 2 || wished === 0) return requests;
  const free = requests.map((request) => ({
    ...request,
    voice_settings: { ...request.voice_settings, duration: 0 },
  }));
  const predicted = await mapInOrder(free, concurrency, parent, (request, _index, signal) =>
    call(predictDuration, request, { priority, signal }),
  );
  const total = predicted.reduce((sum, { duration }) => sum + duration, 0);
  const share = (seconds = 0) => (total > 0 ? seconds / total : 1 / requests.length);
  return free.map((request, index) => ({
    ...request,
    voice_settings: { ...request.voice_settings, duration: wished * share(predicted[index]?.duration) },
  }));
}
