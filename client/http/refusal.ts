import { type Text, text as message } from '../base/messages.js';

/** UTF-16 code units of the service's error text in an error. */
export const MAX_ERROR_TEXT = 300;

/**
 * Describes a status in plain words with the fix. The text of the service appears only for a status whose cause it alone
 * knows; otherwise it is in `SpeechError.service`.
 */
export function refusalText(status: number, service: string | undefined): Text {
  if (isRefusal(status)) return message(`refused-${status}`);
  if (status >= 500) return message('refused-5xx', { status });
  return service === undefined
    ? message('replied', { status })
    : message('replied-text', { status, service });
}

const REFUSALS = [401, 402, 403, 408, 413, 415, 429, 503] as const;
const isRefusal = (status: number): status is (typeof REFUSALS)[number] =>
  REFUSALS.some((refusal) => refusal === status);

/** Matches an HTTP date (RFC 9110, 5.6.7) and an ISO date. `Date.parse` also accepts other texts, such as "-5". */
const DATE = /^[A-Z][a-z]{2}.*\d|^\d{4}-\d{2}-\d{2}T/;

/** Returns the seconds of a Retry-After header, at most `most`: a number or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(headers: Readonly<Record<string, string>>, most: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  const isNumber = /^\d+(\.\d+)?$/.test(value);
  const seconds = isNumber ? Number(value) : DATE.test(value) ? secondsUntil(value) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(seconds, most);
}

function secondsUntil(date: string): number {
  return Math.max(0, Math.ceil((Date.parse(date) - Date.now()) / 1000));
}
