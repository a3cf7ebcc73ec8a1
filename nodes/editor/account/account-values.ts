/** Checks the values of an account: base URL, requests per minute, default language. */
import { isEnvironmentVariable, textOf } from '../text.js';

/** Keys of the account's localized texts. */
export type UrlProblem = 'url-blank' | 'url-unreadable' | 'url-scheme' | 'url-secret' | 'url-extra';

/** Returns the first problem of a URL. A reference to an environment variable has no problem. */
export function urlProblem(text: string): UrlProblem | undefined {
  const url = text.trim();
  if (url === '') return 'url-blank';
  if (isEnvironmentVariable(url)) return undefined;
  if (!/^https?:\/\//i.test(url)) return 'url-scheme';
  if (!URL.canParse(url)) return 'url-unreadable';
  const { username, password, search, hash } = new URL(url);
  if (username !== '' || password !== '') return 'url-secret';
  return search === '' && hash === '' ? undefined : 'url-extra';
}

/** Keys of the account's localized texts about the address of Redis. */
export type FleetUrlProblem =
  | 'fleetUrl.scheme'
  | 'fleetUrl.unreadable'
  | 'fleetUrl.secret'
  | 'fleetUrl.database';

/** Returns the first problem of the address of Redis. A blank text has none: the account then shares nothing. */
export function fleetUrlProblem(text: string): FleetUrlProblem | undefined {
  const url = text.trim();
  if (url === '' || isEnvironmentVariable(url)) return undefined;
  if (!/^rediss?:\/\//i.test(url)) return 'fleetUrl.scheme';
  if (!URL.canParse(url)) return 'fleetUrl.unreadable';
  const { username, password, hostname, pathname, search, hash } = new URL(url);
  if (username !== '' || password !== '') return 'fleetUrl.secret';
  if (hostname === '') return 'fleetUrl.unreadable';
  return /^(\/\d*)?$/.test(pathname) && search === '' && hash === '' ? undefined : 'fleetUrl.database';
}

/** Returns the host of a URL, or the text itself if it is not a valid URL. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Whether a rate is blank, `auto`, an integer above 0 or an environment variable. The client accepts the same. */
export function isRate(value: unknown): boolean {
  const text = textOf(value);
  return (
    text === '' ||
    text === 'auto' ||
    isEnvironmentVariable(text) ||
    (Number.isInteger(Number(text)) && Number(text) > 0)
  );
}

/** The numbers of an account: whole numbers above 0, seconds or other numbers above 0, or numbers from 0. */
export const LIMITS = {
  attempts: 'whole',
  concurrency: 'whole',
  clonesPerMinute: 'whole',
  connectTimeout: 'seconds',
  firstByteTimeout: 'seconds',
  totalTimeout: 'seconds',
  maxRetryAfter: 'whole',
  fallbackAfter: 'seconds',
  budgetPerDay: 'amount',
  budgetPerMessage: 'amount',
  creditsPerSecond: 'positive',
  cacheSize: 'whole',
  fleetCacheSize: 'whole',
} as const;

export type Limit = keyof typeof LIMITS;

export const isLimitName = (name: string): name is Limit => Object.hasOwn(LIMITS, name);

/** The longest time of a timer in seconds, and the limit of the other numbers. */
const MAX = 2_147_483;
/** The smallest value of each kind. */
const MIN = { whole: 1, seconds: 0.001, positive: Number.MIN_VALUE, amount: 0 };

/** Whether a limit is blank, a number of its kind or an environment variable. The client accepts the same. */
export function isLimit(limit: Limit, value: unknown): boolean {
  const text = textOf(value).trim();
  if (text === '' || isEnvironmentVariable(text)) return true;
  const [number, kind] = [Number(text), LIMITS[limit]];
  return (kind !== 'whole' || Number.isInteger(number)) && number >= MIN[kind] && number <= MAX;
}

/** Whether a default language is blank, a two-letter code or an environment variable. */
export function isLanguage(value: unknown): boolean {
  const text = textOf(value);
  return text === '' || isEnvironmentVariable(text) || /^[a-z]{2}$/.test(text);
}
