import { createFleet, type Fleet, type FleetOptions } from './fleet.js';

export type { FleetCache } from './cache/index.js';
export type { Fleet, FleetOptions, FleetState } from './fleet.js';
export type { RedisServer } from './redis/server.js';
export { checkRedis as testRedis, type RedisReport } from './test-redis.js';
export type { Perform, TaskResult, WorkQueue } from './work/index.js';

/**
 * Joins the fleet of an account. Returns at once, connects in the background, and connects again after a failure.
 * @throws SpeechError `not-configured` for an invalid option
 */
export const joinFleet = (options: FleetOptions): Fleet => createFleet(options);
