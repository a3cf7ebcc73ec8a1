import type * as FleetModule from './fleet.js';
import type { Fleet, FleetOptions, FleetState } from './fleet.js';
import type { FleetCache } from './cache/index.js';
import type { Perform, TaskResult, WorkQueue } from './work/index.js';
import type { RedisServer } from './redis/server.js';
import type * as TestModule from './test-redis.js';
import type { RedisReport } from './test-redis.js';
import { lazy } from '@herald-speech/client';

export type {
  Fleet,
  FleetCache,
  FleetOptions,
  FleetState,
  Perform,
  RedisReport,
  RedisServer,
  TaskResult,
  WorkQueue,
};

const fleetModule = lazy((): typeof FleetModule => require('./fleet.js'));
const testModule = lazy((): typeof TestModule => require('./test-redis.js'));

/**
 * Joins the fleet of an account. Returns at once, connects in the background, and connects again after a failure. The first
 * call loads the Redis client.
 * @throws SpeechError `not-configured` for an invalid option
 */
export const joinFleet = (options: FleetOptions): Fleet => fleetModule().createFleet(options);

/**
 * Connects to Redis, and checks that a fleet can use it.
 * @throws SpeechError with the reason and a fix if it cannot connect; `not-configured` for an invalid option
 */
export const testRedis: typeof TestModule.checkRedis = (...args) => testModule().checkRedis(...args);
