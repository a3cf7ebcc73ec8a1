import {
  between,
  type ClientOptions,
  issuesText,
  lazy,
  SpeechError,
  type Text,
  z,
} from '@herald-speech/client';
import { say } from '../runtime/messages.js';

/** The limits of a new account. A blank limit is the client's default. Flows save times in seconds. */
export const limitDefaults = {
  /** Maximum number of tries of one request. */
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

/** Connections to a hosted service: as many as a run of prompts makes files at a time at most. They open when requests need them. */
export const MAX_CONNECTIONS = 32;

export type SavedLimits = Partial<Record<keyof typeof limitDefaults | 'requestsPerMinute', unknown>>;

/** The longest time of a timer in seconds. The dialog has the same limits (`nodes/editor/account/account-values.ts`). */
const MAX_SECONDS = 2_147_483;

/** The schema of a time in seconds. */
export const secondsSchema = () => between(z.number(), 0.001, MAX_SECONDS);

const timesSchema = lazy(() => {
  const seconds = secondsSchema().optional();
  return z.object({ connectTimeout: seconds, firstByteTimeout: seconds, totalTimeout: seconds });
});

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

/**
 * Converts saved limits to options. The client rejects another invalid number with an error that names the option.
 * @throws SpeechError `not-configured` for an invalid time: the client would name it in milliseconds
 */
export function limitsOf(saved: SavedLimits): Partial<ClientOptions> {
  const typed = {
    connectTimeout: savedNumber(saved.connectTimeout),
    firstByteTimeout: savedNumber(saved.firstByteTimeout),
    totalTimeout: savedNumber(saved.totalTimeout),
  };
  const times = configured(timesSchema(), typed, (problem) => problem);
  const options = {
    // Automatic: as the service has it.
    requestsPerMinute: saved.requestsPerMinute === 'auto' ? undefined : savedNumber(saved.requestsPerMinute),
    attempts: savedNumber(saved.attempts),
    concurrency: savedNumber(saved.concurrency),
    clonesPerMinute: savedNumber(saved.clonesPerMinute),
    connectTimeout: millisecondsOf(times.connectTimeout),
    firstByteTimeout: millisecondsOf(times.firstByteTimeout),
    totalTimeout: millisecondsOf(times.totalTimeout),
    maxRetryAfter: savedNumber(saved.maxRetryAfter),
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  // The dialog's test sends texts.
  const replaceHash = saved.replaceHash !== false && saved.replaceHash !== 'false';
  return { ...Object.fromEntries(given), replaceHash };
}

/** Returns a saved number, or undefined if it is blank. A value that is not a number remains unchanged for the error. */
export function savedNumber(value: unknown): unknown {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return undefined;
  const number = typeof value === 'string' ? Number(value) : value;
  return Number.isNaN(number) ? value : number;
}

const millisecondsOf = (seconds: number | undefined): number | undefined =>
  seconds && Math.round(seconds * 1000);
