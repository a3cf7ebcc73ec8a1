/** Checks the values of an account: base URL, requests per minute, default language. */
import { textOf } from '@herald-speech/browser';
import {
  hasWrongPort,
  isEnvironmentVariable,
  MAX_PORT,
  urlProblem,
  type UrlProblem,
} from '../lib/typed-text.js';

/** Returns the key of the first problem of the base URL for players. A blank text has none: Herald then finds the URL. */
export function audioUrlProblem(text: string): UrlProblem | 'audioBaseUrl.secret' | undefined {
  const problem = urlProblem(text);
  if (problem === 'url-secret') return 'audioBaseUrl.secret';
  return problem === 'url-blank' ? undefined : problem;
}

/** Whether an address is blank, an IP address or an environment variable. The runtime accepts the same. */
export function isAddress(value: unknown): boolean {
  const text = textOf(value).trim();
  if (text === '' || isEnvironmentVariable(text)) return true;
  if (text.includes(':')) return URL.canParse(`http://[${text.replace(/%[\w.-]+$/, '')}]`);
  const bytes = text.split('.');
  return bytes.length === 4 && bytes.every((byte) => /^(0|[1-9]\d{0,2})$/.test(byte) && Number(byte) < 256);
}

/** Returns the key of the first problem of the address of a Wyoming server. The client accepts the same. */
export function addressProblem(text: string): 'address.blank' | 'address.wrong' | 'address.port' | undefined {
  const address = text.trim().replace(/^tcp:\/\//i, '');
  if (address === '') return 'address.blank';
  if (isEnvironmentVariable(text.trim())) return undefined;
  if (/[/@?#\s]/.test(address.replace(/\/$/, ''))) return 'address.wrong';
  const isBare = address.split(':').length > 2 && !address.startsWith('[');
  const url = `http://${isBare ? `[${address}]` : address}`;
  if (hasWrongPort(url)) return 'address.port';
  return URL.canParse(url) && !/:0*$/.test(url) ? undefined : 'address.wrong';
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

/** Returns the host of a URL, or the text itself if it has none. */
export function hostOf(url: string): string {
  return (URL.canParse(url) && new URL(url).host) || url;
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

/** The numbers of an account: whole numbers above 0, seconds or other numbers above 0, numbers from 0, a port or characters of a text. */
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
  budgetPerMonth: 'amount',
  budgetPerMessage: 'amount',
  creditsPerSecond: 'positive',
  cacheSize: 'whole',
  fleetCacheSize: 'whole',
  audioPort: 'port',
  programsPort: 'port',
  wyomingPort: 'port',
  maxTextLength: 'characters',
} as const;

/** The limits of the budget, with the keys of their texts in its summary. */
export const BUDGETS = {
  budgetPerDay: 'budget.day',
  budgetPerMonth: 'budget.month',
  budgetPerMessage: 'budget.message',
} as const;

export type Limit = keyof typeof LIMITS;

export const isLimitName = (name: string): name is Limit => Object.hasOwn(LIMITS, name);

/** The longest time of a timer in seconds, and the limit of the other numbers. */
const MAX = 2_147_483;
/** The smallest and the largest value of each kind. */
const RANGES = {
  whole: [1, MAX],
  seconds: [0.001, MAX],
  positive: [Number.MIN_VALUE, MAX],
  amount: [0, MAX],
  port: [1, MAX_PORT],
  characters: [1, 20_000],
} as const;
const WHOLE: ReadonlySet<string> = new Set(['whole', 'port', 'characters']);

/** Whether a limit is blank, a number of its kind or an environment variable. The client accepts the same. */
export function isLimit(limit: Limit, value: unknown): boolean {
  const text = textOf(value).trim();
  if (text === '' || isEnvironmentVariable(text)) return true;
  const [number, kind] = [Number(text), LIMITS[limit]];
  const [min, max] = RANGES[kind];
  return (!WHOLE.has(kind) || Number.isInteger(number)) && number >= min && number <= max;
}

/** Whether a default language is blank, a two-letter code or an environment variable. */
export function isLanguage(value: unknown): boolean {
  const text = textOf(value);
  return text === '' || isEnvironmentVariable(text) || /^[a-z]{2}(?:[-_][A-Za-z0-9]{2,8})*$/.test(text);
}
