import { SpeechError, type Text } from '@herald-speech/client';
import type { FleetOptions } from '../options.js';

/** The result of a test of Redis. */
export interface RedisReport {
  version: string;
  product: 'redis' | 'valkey';
  /** Median of several commands. */
  latencyMs: number;
  /** Members of the fleet at this time. */
  members: number;
  /** Faults that a fleet will notice, such as a read-only server. */
  problems: Text[];
}

/** Tests a Redis server (index.ts). */
export function testRedis(
  _options: Omit<FleetOptions, 'cache' | 'onChange'>,
  _signal: AbortSignal,
): Promise<RedisReport> {
  return Promise.reject(new SpeechError('no-connection', 'not implemented'));
}
