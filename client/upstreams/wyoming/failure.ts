import { SpeechError, type FailureCode } from '../../base/errors.js';
import { text } from '../../base/messages.js';
import { fieldOf, printable, textOf } from '../../base/values.js';
import { abridgedText } from '../../interface/describe-issues.js';
import type { WyomingEvent } from '../../wyoming/index.js';

/** Characters of the server's error text in an error. */
const MAX_ERROR_TEXT = 300;

/** The failure of each code of an `error` event: of Piper's server, and of the local service (docs/wyoming.md#errors). */
const codes: ReadonlyMap<string, FailureCode> = new Map([
  ['VoiceNotFoundError', 'not-found'],
  ['not-found', 'not-found'],
  ['bad-request', 'bad-request'],
  ['payment-required', 'out-of-credits'],
  ['too-many-requests', 'rate-limited'],
  ['request-timeout', 'timed-out'],
]);

/**
 * Returns the failure that an `error` event reports. An unknown code means a fault of the server.
 * @param voice the voice of the request; undefined for a request without one
 */
export function failureIn({ data }: WyomingEvent, voice?: unknown): SpeechError {
  const failure = codes.get(textOf(fieldOf(data, 'code'))) ?? 'service-failed';
  const service = printable(textOf(fieldOf(data, 'text')), MAX_ERROR_TEXT) || 'error';
  const message =
    failure === 'not-found' && voice !== undefined
      ? text('wyoming-voice-unknown', { field: 'voice_id', voice: abridgedText(voice) })
      : text('wyoming-error', { service });
  return new SpeechError(failure, message, { service });
}
