import type { SharedSpeech } from '@herald-speech/client/sharing';
import type { FleetCache } from '../options.js';
import type { Redis } from '../redis/redis.js';

/** Returns the speech that the members share, or undefined if they share none. */
export function createSharedSpeech(_redis: Redis, _cache: FleetCache): SharedSpeech | undefined {
  return undefined;
}
