import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { SpeechError } from '@herald-speech/client';
import { fleetText } from './messages.js';
import { CONNECT_MS } from './failure.js';
import type { ConnectionOptions } from './redis.js';

/** The Redis server of a fleet. */
export interface RedisServer {
  /** `redis://HOST:PORT/DATABASE`, or `rediss://` with TLS. Without user name and password. */
  url: string;
  username?: string | undefined;
  password?: string | undefined;
  /** Certificates for `rediss://`. */
  tls?: TlsOptions | undefined;
  /** The beginning of all keys. Default `herald:`. */
  prefix?: string | undefined;
}

const DEFAULT_PORT = 6379;
const DEFAULT_PREFIX = 'herald:';
/** UTF-16 code units of a prefix. */
const MAX_PREFIX = 64;
/** Milliseconds between two connection attempts, at most. */
const RECONNECT_MS = 1000;
/** Milliseconds after which a socket is destroyed that the server does not close. */
const DISCONNECT_MS = 200;

/**
 * Returns the options of a connection. The connection starts on demand, and again after each loss.
 * @throws SpeechError `not-configured` for an invalid URL; the message never contains the URL
 */
export function connectionOptions({ url, username, password, tls }: RedisServer): ConnectionOptions {
  const { protocol, hostname, port, pathname } = parsedUrl(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? DEFAULT_PORT : Number(port),
    db: Number(pathname.slice(1)),
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(protocol === 'rediss:' ? { tls: { ...tls } } : {}),
    // Later versions of the protocol add nothing that a fleet uses.
    protocol: 2,
    disableClientInfo: true,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    disconnectTimeout: DISCONNECT_MS,
    retryStrategy: (times) => Math.min(25 * 2 ** times, RECONNECT_MS) * (0.8 + 0.2 * Math.random()),
  };
}

function parsedUrl(url: string): URL {
  const wrong = (key: 'redis-url' | 'redis-url-login') =>
    new SpeechError('not-configured', fleetText(key, { field: 'url' }));
  if (typeof url !== 'string' || !URL.canParse(url.trim())) throw wrong('redis-url');
  const parsed = new URL(url.trim());
  if (parsed.username || parsed.password) throw wrong('redis-url-login');
  const { protocol, hostname, pathname, search, hash } = parsed;
  const isRedis = (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '';
  if (!isRedis || search || hash || !/^\/?\d*$/.test(pathname)) throw wrong('redis-url');
  return parsed;
}

/** Checks a prefix. Braces in it would move the keys of an account to several cluster slots. @throws SpeechError `not-configured` */
export function checkedPrefix(prefix: string = DEFAULT_PREFIX): string {
  if (prefix.length <= MAX_PREFIX && !/[{}\s]/.test(prefix)) return prefix;
  throw new SpeechError('not-configured', fleetText('redis-prefix', { field: 'prefix', limit: MAX_PREFIX }));
}
