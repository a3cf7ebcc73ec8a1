import { retryAfter } from '../../http/refusal.js';
import type { StatedLimits } from '../upstream.js';

type Headers = Readonly<Record<string, string>>;

/** The kinds of limits in the headers of a reply. */
const KINDS = ['requests', 'tokens'] as const;

/**
 * Returns the limits in the headers `x-ratelimit-*` of a reply; undefined if it has none. A wait that the reply asks for replaces the
 * pause: some services state the time until all places are free again, and are ready for the next request much earlier.
 */
export function statedLimits(headers: Headers): StatedLimits | undefined {
  const perMinute = perMinuteOf(headers['x-ratelimit-limit-requests']);
  const pause = askedWait(headers) === undefined ? pauseOf(headers) : undefined;
  return perMinute === undefined && pause === undefined ? undefined : { perMinute, pause };
}

function perMinuteOf(value: string | undefined): number | undefined {
  const limit = value === undefined ? Number.NaN : Math.floor(Number(value));
  return Number.isFinite(limit) && limit > 0 ? limit : undefined;
}

/** Returns the seconds until the service has a place again; undefined while it has one. */
function pauseOf(headers: Headers): number | undefined {
  let longest: number | undefined;
  for (const kind of KINDS) {
    const remaining = headers[`x-ratelimit-remaining-${kind}`];
    if (remaining === undefined || remaining.trim() === '' || Number(remaining) !== 0) continue;
    const seconds = secondsIn(headers[`x-ratelimit-reset-${kind}`] ?? '');
    if (seconds !== undefined) longest = Math.max(longest ?? 0, seconds);
  }
  return longest;
}

/** Returns the seconds that a refused caller must wait, at most `most`: as asked, or until the reset of an exhausted limit. */
export function waitIn(headers: Headers, most: number): number | undefined {
  const seconds = askedWait(headers) ?? pauseOf(headers);
  return seconds === undefined ? undefined : Math.min(seconds, most);
}

/** Returns the seconds in `retry-after-ms`, or else in `retry-after`. */
function askedWait(headers: Headers): number | undefined {
  const given = headers['retry-after-ms']?.trim() ?? '';
  const milliseconds = given === '' ? Number.NaN : Number(given);
  return milliseconds >= 0 ? milliseconds / 1000 : retryAfter(headers, Infinity);
}

/** Seconds of each unit of a duration. */
const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };

/** A number above this is a time since 1970 in seconds, and no duration. */
const FIRST_TIME = 1e9;

/** UTF-16 code units of a duration. */
const MAX_LENGTH = 40;

/** Returns the seconds of a duration such as `1s`, `6m0s`, `120ms` or `7.5`; undefined for another text. */
export function secondsIn(duration: string): number | undefined {
  const written = duration.trim();
  if (written === '' || written.length > MAX_LENGTH) return undefined;
  const seconds = Number(written);
  if (!Number.isNaN(seconds)) return plainSeconds(seconds);
  const part = /(\d+(?:\.\d+)?)(ms|[smhd])/y;
  let sum = 0;
  while (part.lastIndex < written.length) {
    const [, count, unit = ''] = part.exec(written) ?? [];
    if (count === undefined) return undefined;
    sum += Number(count) * (UNITS[unit] ?? 0);
  }
  return sum;
}

function plainSeconds(seconds: number): number | undefined {
  const left = seconds > FIRST_TIME ? seconds - Date.now() / 1000 : seconds;
  return Number.isFinite(left) && seconds >= 0 ? Math.max(0, left) : undefined;
}
