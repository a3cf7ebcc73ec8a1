import { SpeechError } from '@herald-speech/client';
import type { FleetCache, RedisServer } from '@herald-speech/fleet';
import type { NodeAPI } from 'node-red';
import { say } from '../../runtime/messages.js';
import { megabytesOf } from '../cache.js';
import { trimmedText } from '../services.js';
import { tlsOf } from '../network.js';

/** The settings of a new account for its fleet. */
export const fleetDefaults = {
  /** `redis://HOST:PORT/DATABASE` or `rediss://...`; blank if the account shares nothing. */
  fleetUrl: '',
  /** The id of Node-RED's config node `tls-config`. */
  fleetTls: '',
  /** Blank for the default of the fleet. */
  fleetPrefix: '',
  /** `redis`, or `folder` if the members share the cache folder. */
  fleetCache: 'redis',
  /** Megabytes in Redis; blank for the default of the fleet. */
  fleetCacheSize: '',
  /** Whether the account makes prompts of other members. */
  fleetWork: false,
};

/** A saved flow is unchecked input. */
export type SavedFleet = Partial<Record<keyof typeof fleetDefaults | 'cache', unknown>>;

/** The credentials of an account. Node-RED has replaced environment variables by their values. */
export interface Credentials {
  apiKey?: unknown;
  fleetUser?: unknown;
  fleetPassword?: unknown;
}

/** Whether an account shares its limits over Redis. */
export const isShared = ({ fleetUrl }: SavedFleet): boolean => trimmedText(fleetUrl) !== '';

/** Whether an account makes prompts of other members. */
export const worksForOthers = ({ fleetWork }: SavedFleet): boolean =>
  fleetWork === true || fleetWork === 'true';

/**
 * Returns the Redis server of an account.
 * @throws SpeechError `not-configured` for an unusable URL or TLS configuration
 */
export function redisOf(RED: NodeAPI, saved: SavedFleet, credentials: Credentials): RedisServer {
  const url = trimmedText(saved.fleetUrl);
  checkUrl(url);
  if (saved.fleetTls && !/^rediss:/i.test(url)) throw invalid('fleet-tls');
  return {
    url,
    username: trimmedText(credentials.fleetUser) || undefined,
    password: trimmedText(credentials.fleetPassword) || undefined,
    tls: saved.fleetTls ? tlsOf(RED, saved.fleetTls) : undefined,
    prefix: trimmedText(saved.fleetPrefix) || undefined,
  };
}

function checkUrl(url: string): void {
  if (!/^rediss?:\/\//i.test(url) || !URL.canParse(url)) throw invalid('fleet-url');
  const { username, password, hostname, pathname, search, hash } = new URL(url);
  if (username !== '' || password !== '') throw invalid('fleet-url-secret');
  if (hostname === '') throw invalid('fleet-url');
  if (!/^(\/\d*)?$/.test(pathname) || search !== '' || hash !== '') throw invalid('fleet-url-database');
}

/** The message has no value: the URL may contain a password. */
const invalid = (key: 'fleet-url' | 'fleet-url-secret' | 'fleet-url-database' | 'fleet-tls'): SpeechError =>
  new SpeechError('not-configured', say(key, { field: 'fleetUrl' }));

/** Returns the cache that the members share. @throws SpeechError `not-configured` for an invalid choice or size */
export function fleetCacheOf(saved: SavedFleet): FleetCache {
  const { cache, fleetCache = fleetDefaults.fleetCache, fleetCacheSize } = saved;
  if (cache === false || cache === 'false') return { in: 'none' };
  if (fleetCache === 'folder') return { in: 'folder' };
  if (fleetCache === 'redis') return { in: 'redis', maxBytes: megabytesOf('fleetCacheSize', fleetCacheSize) };
  throw new SpeechError(
    'not-configured',
    say('fleet-cache', { field: 'fleetCache', value: String(fleetCache) }),
  );
}
