import { z } from 'zod';
import { SpeechError } from './errors.js';
import { limiterDefaults, type LimiterOptions } from './calls/limiter.js';
import type { NetworkOptions } from './http/network.js';
import { describeIssues } from './interface/describe-issues.js';
import { retryDefaults, type RetryOptions } from './calls/retry.js';
import { wireDefaults, type WireOptions } from './http/transport.js';

export interface ClientOptions extends Partial<RetryOptions & WireOptions & LimiterOptions>, NetworkOptions {
  /** Base address of the service, with or without `/v1`. */
  url: string;
  /** The API key (docs/interface.md#authentication). */
  apiKey: string;
  /** Requests of one text at a time. */
  concurrency?: number;
  /** Milliseconds per call, waiting included. */
  totalTimeout?: number;
  /** UTF-16 units of a text for `speak` and `predict`: what is made of it must fit into memory. */
  maxTextLength?: number;
  /** Whether `#`, which a service may refuse, is spoken as a space. */
  replaceHash?: boolean;
}

export const clientDefaults = {
  ...retryDefaults,
  ...wireDefaults,
  ...limiterDefaults,
  concurrency: 4,
  totalTimeout: 120_000,
  maxTextLength: 50_000,
  replaceHash: true,
};

/** All options but those with secrets, which stay where they are needed. */
export type Settings = Omit<Required<ClientOptions>, 'apiKey' | keyof NetworkOptions>;

/** Milliseconds, counts and bytes; what a timer of the runtime can hold is plenty for each of them. */
const whole = z
  .int('expected a whole number')
  .min(1)
  .max(2 ** 31 - 1);
const rate = z.union([whole, z.literal(Infinity)], 'expected a whole number above 0, or Infinity');

const optionsSchema = z.object({
  attempts: whole,
  backoffBase: whole,
  backoffCap: whole,
  retryBudget: whole,
  connectTimeout: whole,
  firstByteTimeout: whole,
  idleTimeout: whole,
  maxReplyBytes: whole,
  connections: whole,
  requestsPerMinute: z.union(
    [z.literal('auto'), rate],
    'expected "auto", a whole number above 0, or Infinity',
  ),
  clonesPerMinute: rate,
  maxWaiting: whole,
  concurrency: whole,
  totalTimeout: whole,
  maxTextLength: whole,
  replaceHash: z.boolean(),
});

/**
 * Options with their defaults filled in.
 * @throws SpeechError `not-configured`, naming the option; never with the key
 */
export function settingsOf({ url, ...options }: ClientOptions): Settings {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const parsed = optionsSchema.safeParse({ ...clientDefaults, ...given });
  if (!parsed.success) throw new SpeechError('not-configured', describeIssues(parsed.error.issues, options));
  return { ...parsed.data, url: baseUrl(url) };
}

/** An address without `/v1` and slash at its end; nothing in it may be a second place for a key. */
function baseUrl(url: unknown): string {
  const wrong = (why: string) =>
    new SpeechError('not-configured', `url: ${why}; expected an address such as https://speech.example.com`);
  if (typeof url !== 'string' || !URL.canParse(url.trim())) throw wrong('not an address');
  const { protocol, username, password, search, hash, origin, pathname } = new URL(url.trim());
  if (protocol !== 'http:' && protocol !== 'https:') throw wrong(`${protocol} is not http or https`);
  if (username || password) throw wrong('holds a user name or password');
  if (search || hash) throw wrong('holds a query or fragment');
  return origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/**
 * Checks that a key can be sent in a header (docs/interface.md#authentication). White space around a key is usually a
 * copying mistake, and the service would answer 401.
 * @throws SpeechError `not-configured`; never with the key
 */
export function usableKey(key: unknown): string {
  const wrong = (why: string) => new SpeechError('not-configured', `apiKey ${why}`);
  if (typeof key !== 'string' || key === '') throw wrong('is missing');
  if (key.trim() !== key) throw wrong('has white space around it: copy it again without');
  if (!/^[\x21-\x7e]+$/.test(key)) throw wrong('has a character that no key has: copy it again');
  return key;
}
