import { type Fleet, type FleetTimes, createFleet } from '../../../fleet/fleet.js';
import type { FleetOptions } from '../../../fleet/fleet.js';
import { limiterDefaults, type Limiter, type LimiterOptions } from '../../../client/calls/limiter.js';
import { leavingNothing } from '../../support/leftovers.js';
import { PATIENT_MS, type RedisServer } from '../../support/programs/redis.js';

export const API_KEY = 'key-that-stays-secret';

export const optionsOf = ({ url }: Pick<RedisServer, 'url'>): FleetOptions => ({
  url,
  account: { url: 'https://speech.example.com', apiKey: API_KEY },
  cache: { in: 'none' },
});

/** Joins a member whose commands have a deadline that a busy computer meets. */
export const joinPatiently = (redis: Pick<RedisServer, 'url'>, times: FleetTimes = {}): Fleet =>
  createFleet(optionsOf(redis), { commandMs: PATIENT_MS, ...times });

/** A signal that only a fault reaches. The suites have a timeout of 60 seconds. */
export const soon = (): AbortSignal => AbortSignal.timeout(50_000);

/** Joins several members in this process, and closes them after `work`. Checks that nothing stays open. */
export const withMembers = (
  redis: RedisServer,
  { count, ...times }: FleetTimes & { count: number },
  work: (fleets: readonly Fleet[]) => Promise<void>,
): Promise<void> =>
  leavingNothing(async () => {
    const fleets = Array.from({ length: count }, () => joinPatiently(redis, times));
    try {
      await Promise.all(fleets.map((fleet) => fleet.joined(soon())));
      await work(fleets);
    } finally {
      for (const limiter of limiters.splice(0)) limiter.close();
      await Promise.all(fleets.map((fleet) => fleet.close()));
    }
  });

/** The limiters that `withMembers` closes. */
const limiters: Limiter[] = [];

export const limiterOf = (fleet: Fleet | undefined, options: Partial<LimiterOptions> = {}): Limiter => {
  if (fleet === undefined) throw new Error('no such member');
  const limiter = fleet.sharing.limiter({ ...limiterDefaults, ...options });
  limiters.push(limiter);
  return limiter;
};

/** The highest number of times within one window. */
export const busiestWindow = (times: readonly number[], windowMs: number): number =>
  Math.max(
    0,
    ...times.map((start) => times.filter((time) => time >= start && time < start + windowMs).length),
  );
