import type { ClientOptions } from '@herald-speech/client';

/** The limits of a new account. A blank limit is the client's default. Flows save times in seconds. */
export const limitDefaults = {
  /** Most tries of one request. */
  attempts: '',
  /** Parallel requests for the chunks of one text. */
  concurrency: '',
  clonesPerMinute: '',
  connectTimeout: '',
  /** Until the first byte of a reply. */
  firstByteTimeout: '',
  /** Of one request, waits and retries included. */
  totalTimeout: '',
  /** Longest Retry-After of the service. */
  maxRetryAfter: '',
  /** Whether to replace "#" by a space. */
  replaceHash: true,
};

type SavedLimits = Partial<Record<keyof typeof limitDefaults, unknown>>;

/** Converts saved limits to options. The client rejects an invalid number with an error that names the option. */
export function limitsOf(saved: SavedLimits): Partial<ClientOptions> {
  const options = {
    attempts: numberOf(saved.attempts),
    concurrency: numberOf(saved.concurrency),
    clonesPerMinute: numberOf(saved.clonesPerMinute),
    connectTimeout: millisecondsOf(saved.connectTimeout),
    firstByteTimeout: millisecondsOf(saved.firstByteTimeout),
    totalTimeout: millisecondsOf(saved.totalTimeout),
    maxRetryAfter: numberOf(saved.maxRetryAfter),
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // The dialog's test sends texts.
  const replaceHash = saved.replaceHash !== false && saved.replaceHash !== 'false';
  return { ...Object.fromEntries(given), replaceHash };
}

function numberOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (text === undefined || text === null) return undefined;
  return typeof text === 'string' ? (text.trim() === '' ? undefined : Number(text)) : Number.NaN;
}

function millisecondsOf(value: unknown): number | undefined {
  const seconds = numberOf(value);
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}
