import type * as CacheModule from '../cache/open-cache.js';
import type * as ClientModule from './client.js';
import { lazy } from '../base/lazy.js';
import type { ClientOptions } from './options.js';

const clientModule = lazy((): typeof ClientModule => require('./client.js'));

/**
 * Creates the client of one account. The first call loads undici and zod.
 * @throws SpeechError `not-configured` for an invalid option
 */
export function createClient(options: ClientOptions): ClientModule.Client {
  return clientModule().clientOf(options);
}

/**
 * Returns the abilities of a service without a connection.
 * @throws SpeechError `not-configured` for an invalid option
 */
export const featuresOf: typeof ClientModule.featuresOf = (options) => clientModule().featuresOf(options);

const cacheModule = lazy((): typeof CacheModule => require('../cache/open-cache.js'));

/**
 * Opens a cache to measure or to clear it. The first call loads zod.
 * @throws SpeechError `not-configured` for an invalid option
 */
export const openCache: typeof CacheModule.cacheOf = (options) => cacheModule().cacheOf(options);
