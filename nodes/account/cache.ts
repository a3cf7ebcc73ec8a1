import os from 'node:os';
import path from 'node:path';
import { type AudioCache, type CacheOptions, openCache, SpeechError, type Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { localize } from '../runtime/localize.js';
import { say } from '../runtime/messages.js';
import { savedNumber } from './limits.js';
import { servicePackage } from './local/service-package.js';

/** The saved properties of an account for its cache. */
interface SavedCache {
  cache?: unknown;
  /** Megabytes; blank for the default of the client. */
  cacheSize?: unknown;
}

/** The value of HERALD_CACHE that turns the cache off. */
const OFF = 'off';

/**
 * Returns the folder of the cache, which all programs of the user share: the environment variable HERALD_CACHE, or a folder in
 * the platform's folder for caches. Returns undefined if the variable is `off`, or if the user has no home folder.
 */
export function cacheFolder(env = process.env, platform = process.platform): string | undefined {
  const chosen = env['HERALD_CACHE']?.trim();
  if (chosen === OFF) return undefined;
  if (chosen) return path.resolve(chosen);
  const folder = platformFolder(env, platform);
  return folder && path.join(folder, 'herald');
}

/** A relative XDG_CACHE_HOME is invalid (XDG Base Directory Specification). */
function platformFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (platform === 'win32') return env['LOCALAPPDATA'] || inHome('AppData', 'Local');
  if (platform === 'darwin') return inHome('Library', 'Caches');
  const { XDG_CACHE_HOME: caches = '' } = env;
  return path.isAbsolute(caches) ? caches : inHome('.cache');
}

/** Returns undefined for a user without a home folder, as in some containers. */
function inHome(...names: string[]): string | undefined {
  try {
    return path.join(os.homedir(), ...names);
  } catch {
    return undefined;
  }
}

/**
 * Returns the client's option `cache` for an account; undefined if the cache is off.
 * @param account id of the account, whose saved seconds are counted
 * @param service identity of the service, by default its URL
 * @throws SpeechError `not-configured` for an invalid size
 */
export function cacheOptions(
  RED: NodeAPI,
  saved: SavedCache,
  account: string,
  service?: string,
): CacheOptions | undefined {
  const folder = cacheFolder();
  if (folder === undefined || saved.cache === false || saved.cache === 'false') return undefined;
  return {
    folder,
    maxBytes: megabytesOf('cacheSize', saved.cacheSize),
    account,
    service,
    warn: warnerOf(RED),
  };
}

/**
 * Returns the bytes of a saved size in megabytes; undefined if it is blank.
 * @param field the saved property, for the message
 * @throws SpeechError `not-configured`
 */
export function megabytesOf(field: string, size: unknown): number | undefined {
  const megabytes = savedNumber(size);
  if (megabytes === undefined) return undefined;
  if (typeof megabytes === 'number' && megabytes >= 1 && megabytes <= MAX_MEGABYTES)
    return Math.round(megabytes * 1_000_000);
  throw new SpeechError(
    'not-configured',
    say('cache-size', { field, value: String(size), limit: MAX_MEGABYTES }),
  );
}

/** The dialog has the same limit (`nodes/editor/account/account-values.ts`). */
const MAX_MEGABYTES = 2_147_483;

/** Opens the cache to measure or clear it; returns undefined if it is off. */
export function openSharedCache(RED: NodeAPI): AudioCache | undefined {
  const folder = cacheFolder();
  return folder === undefined ? undefined : openCache({ folder, warn: warnerOf(RED) });
}

/** All accounts of a Node-RED have one receiver of warnings. */
const warners = new WeakMap<NodeAPI['log'], (warning: Text) => void>();

function warnerOf(RED: NodeAPI): (warning: Text) => void {
  const warner = warners.get(RED.log) ?? ((warning) => RED.log.warn(`[herald] ${localize(RED, warning)}`));
  warners.set(RED.log, warner);
  return warner;
}

/** Of the sound of the built-in voices. A new value leaves audio of former sounds, such as another loudness, unused. */
const SOUND = 2;

/**
 * Returns the identity of the local service in the keys of the cache, without its port, which changes with each start. Another
 * version or other engines may sound different, and another data folder has other custom voices.
 */
export function localServiceIdentity(dataFolder: string): string {
  const { HERALD_ENGINES: engines = '', HERALD_CONFIG: config = '' } = process.env;
  return JSON.stringify(['local', servicePackage().version, SOUND, dataFolder, engines, config]);
}
