import { z } from 'zod';
import { SpeechError } from '../base/errors.js';
import { issuesText } from '../interface/describe-issues.js';
import type { Text } from '../base/messages.js';
import type { CacheStats } from './audio-store.js';
import { Courier, type CourierSetup } from './courier.js';
import { createPieceCache, type PieceCache } from './piece-cache.js';
import type { SharedSpeech } from './shared-speech.js';
import { openStore } from './stores.js';

/** Bytes of a cache by default. */
const DEFAULT_MAX_BYTES = 256_000_000;

/** A folder that keeps the audio of former requests, so that equal requests are paid once. */
export interface CacheOptions {
  /** The folder. It is created if it is missing. All programs of a user may share one folder. */
  folder: string;
  /** Bytes on the disk. Above them, the least recently used entries are deleted. Default 256,000,000. */
  maxBytes?: number | undefined;
  /** The identity of the service, in place of its URL. Requests to services with different identities share no audio. */
  service?: string | undefined;
  /** The account whose saved seconds are counted. Default: the identity of the service. */
  account?: string | undefined;
  /** Receives a problem of the folder, each kind of problem once. Speech continues without the cache. */
  warn?: ((warning: Text) => void) | undefined;
}

/** An open cache. */
export interface AudioCache {
  /**
   * Measures the cache, and returns the seconds of audio that an account got from it.
   * @throws SpeechError `not-configured` if the folder cannot be read, `timed-out` if it does not answer
   */
  stats(account: string): Promise<CacheStats>;
  /** Deletes all audio, not the saved seconds. @throws SpeechError as `stats` */
  clear(): Promise<void>;
  /** Ends the use of the cache, and resolves when new speech is written. */
  close(): Promise<void>;
}

const options = z.object({
  folder: z.string().min(1),
  maxBytes: z.int().min(1).default(DEFAULT_MAX_BYTES),
  service: z.string().optional(),
  account: z.string().optional(),
});

/** @throws SpeechError `not-configured`; the message names the option */
function checked(given: CacheOptions): z.output<typeof options> {
  const parsed = options.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new SpeechError(
    'not-configured',
    issuesText(parsed.error.issues, given, (name) => `cache.${name}`),
  );
}

/**
 * Opens a cache, for example to measure or to clear it.
 * @throws SpeechError `not-configured` for an invalid option
 */
export function cacheOf(given: Pick<CacheOptions, 'folder' | 'maxBytes' | 'warn'>): AudioCache {
  const { folder, maxBytes } = checked(given);
  const { store, release } = openStore(folder, maxBytes, given.warn);
  return {
    stats: (account) => store.stats(account),
    clear: () => store.clear(),
    close: release,
  };
}

/**
 * Opens the cache of a client.
 * @param shared the speech that other processes share
 * @param setup the service, for requests that outlive this program. Default: none does
 * @throws SpeechError `not-configured` for an invalid option
 */
export function openPieceCache(
  given: CacheOptions,
  url: string,
  shared?: SharedSpeech,
  setup?: Omit<CourierSetup, 'folder' | 'maxBytes'>,
): PieceCache {
  const { folder, maxBytes, service = url, account = service } = checked(given);
  const courier = setup && new Courier({ ...setup, folder, maxBytes });
  return createPieceCache(openStore(folder, maxBytes, given.warn), service, account, shared, courier);
}
