import type { Redis } from '../redis/redis.js';
import { FleetSpeech } from './shared-speech.js';

/** The audio that the members of a fleet share. */
export interface FleetCache {
  /** Where the audio is kept: in Redis, in a folder that all members share, or nowhere. */
  in: 'redis' | 'folder' | 'none';
  /** Bytes of all audio in Redis. */
  maxBytes?: number | undefined;
  /** Bytes of one piece in Redis. */
  maxPieceBytes?: number | undefined;
  /** Seconds after which a piece in Redis expires. */
  seconds?: number | undefined;
}

/** Default limits of the audio in Redis. A piece of one megabyte takes about 80 milliseconds in a network of 100 Mbit/s. */
const cacheDefaults = {
  maxBytes: 256_000_000,
  maxPieceBytes: 1_000_000,
  /** 30 days. */
  seconds: 2_592_000,
};

/** The default time limit of a call. */
const MAX_WAIT_MS = 120_000;

/**
 * Returns the speech that the members share, or undefined if they share none. The caller closes it before the connection.
 * @param maxWaitMs milliseconds that a member waits for the call of another one; by default the time limit of a call
 */
export function createSharedSpeech(
  redis: Redis,
  cache: FleetCache,
  maxWaitMs = MAX_WAIT_MS,
): FleetSpeech | undefined {
  const { in: place, maxBytes, maxPieceBytes, seconds } = cache;
  if (place === 'none') return undefined;
  return new FleetSpeech(redis, {
    in: place,
    maxWaitMs,
    maxBytes: maxBytes ?? cacheDefaults.maxBytes,
    maxPieceBytes: maxPieceBytes ?? cacheDefaults.maxPieceBytes,
    seconds: seconds ?? cacheDefaults.seconds,
  });
}
