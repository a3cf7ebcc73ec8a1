import { SpeechError } from './errors.js';
import { limiterDefaults, type LimiterOptions } from './limiter.js';
import { abridged } from './request.js';
import { retryDefaults, type RetryOptions } from './retry.js';
import { wireDefaults, type WireOptions } from './wire.js';

export interface ClientOptions extends Partial<RetryOptions & WireOptions & LimiterOptions> {
  /** Base address of the service, with or without `/v1`. */
  url: string;
  /** The API key (service-api.md, 5). */
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

/** All options but the key, which stays where it is needed. */
export type Settings = Omit<Required<ClientOptions>, 'apiKey'>;

/**
 * Options with their defaults filled in.
 * @throws SpeechError `not-configured`, naming the option; never with the key
 */
export function settingsOf(options: ClientOptions): Settings {
  const given = Object.entries(options).filter(
    ([name, value]) => name in clientDefaults && value !== undefined,
  );
  for (const [name, value] of given) {
    if (name === 'requestsPerMinute' && value === 'auto') continue;
    if (name === 'replaceHash' ? typeof value === 'boolean' : typeof value === 'number' && value > 0)
      continue;
    const allowed = name === 'replaceHash' ? 'true or false' : 'a number above 0';
    throw new SpeechError('not-configured', `${name} is ${abridged(value)}: expected ${allowed}`);
  }
  return { ...clientDefaults, ...Object.fromEntries(given), url: baseUrl(options.url) };
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
 * A key that can stand in a header. White space around it is an error of copying, and a 401 (service-api.md, 5).
 * @throws SpeechError `not-configured`; never with the key
 */
export function usableKey(key: unknown): string {
  const wrong = (why: string) => new SpeechError('not-configured', `apiKey ${why}`);
  if (typeof key !== 'string' || key === '') throw wrong('is missing');
  if (key.trim() !== key) throw wrong('has white space around it: copy it again without');
  if (!/^[\x21-\x7e]+$/.test(key)) throw wrong('has a character that no key has: copy it again');
  return key;
}
