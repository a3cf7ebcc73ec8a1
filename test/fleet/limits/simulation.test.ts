import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { limiterDefaults } from '../../../client/calls/limiter.js';
import { FleetLimiter } from '../../../fleet/limits/fleet-limiter.js';
import { Member } from '../../../fleet/limits/member.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { withRedis } from '../../support/programs/redis.js';
import { never } from '../../support/waiting.js';
import { Connection, SimulatedRedis } from './simulated-redis.js';
import { type Loop, randomOf, World } from './simulated-time.js';

/** Simulated fleets. `SEEDS` sets another number, and `SEED` the first one. */
const SEEDS = Number(process.env['SEEDS'] ?? 10);
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
/** Milliseconds of a simulation. */
const DURATION = 300_000;
/** Milliseconds after which no new fault starts: time for a probe, and for a window without places. */
const QUIET = 200_000;
/** Milliseconds of the window of the service, and of a fleet. */
const [MINUTE, FLEET_WINDOW] = [60_000, 60_850];
/** Milliseconds before the end in which each member has joined again. */
const REJOINED = 25_000;
/** Milliseconds from the start in which all members join. */
const START = 10_000;
/** Milliseconds after a request was sent until it arrives, at most. */
const TRAVEL = 90;

interface Run {
  limit: number;
  cloneLimit: number;
  /** Times of all requests. */
  arrivals: number[];
  /** Times of the requests that clone a voice. */
  clones: number[];
  /** Members that run at the end, and have not joined again. */
  apart: number;
}

/** Lets the calls of a member come in bursts, with pauses of up to a minute. */
function startMember(world: World, redis: SimulatedRedis, loop: Loop, run: Run): Member {
  const { limit, cloneLimit, arrivals, clones } = run;
  const connection = new Connection(redis, loop);
  const member = new Member(connection, FLEET_WINDOW);
  const options = { ...limiterDefaults, requestsPerMinute: limit, clonesPerMinute: cloneLimit };
  const limiter = new FleetLimiter(member, options, () => {});
  let waiting = 0;
  connection.probe();
  const call = async () => {
    waiting += 1;
    const bucket = world.random() < 0.2 ? 'clone' : 'general';
    await limiter.acquire(bucket, { signal: never });
    waiting -= 1;
    // The request leaves at the end of the turn, which can take seconds.
    const arrival = Math.max(world.now, loop.busyUntil) + world.random() * TRAVEL;
    arrivals.push(arrival);
    if (bucket === 'clone') clones.push(arrival);
  };
  const burst = () => {
    const calls = Math.min(limit * 2 - waiting, Math.ceil(world.between(1, limit * 2)));
    for (let count = 0; count < calls; count += 1) void call();
    world.at(world.now + world.between(50, 60_000), loop, burst);
  };
  world.at(START + world.between(1, 30_000), loop, burst);
  return member;
}

const LOSSES: ReadonlySet<string> = new Set(['restart', 'forget', 'forget and set back']);
const KINDS = ['hang', 'hang', 'restart', 'restart', 'forget', 'set back', 'forget and set back', 'lose'];

function disturb(world: World, redis: SimulatedRedis, members: ReadonlyMap<Member, Loop>): void {
  let killedAt = -Infinity;
  const fault = async () => {
    const { now } = world;
    // Redis alone knows the places of a killed member. It keeps its data until they have left the window (decision 0170).
    const kinds = now - killedAt > FLEET_WINDOW ? KINDS : KINDS.filter((each) => !LOSSES.has(each));
    const kind = kinds[Math.floor(world.random() * kinds.length)];
    if (now > QUIET) return;
    if (kind === 'hang') {
      redis.hang();
      world.at(now + world.between(50, 100_000), undefined, () => redis.resume());
    } else if (kind === 'restart') {
      await redis.stop();
      world.at(now + world.between(100, 100_000), undefined, () => redis.start());
    } else if (kind === 'forget') await redis.forget();
    else if (kind === 'set back') redis.setBack(world.between(10, 100_000));
    else if (kind === 'forget and set back') {
      redis.setBack(world.between(10, 100_000));
      await redis.forget();
    } else {
      for (const member of redis.members)
        if (world.random() < 0.5) world.at(now, member.loop, () => member.lose());
    }
    // A member that is killed while it is apart has places that Redis does not know (decision 0170).
    if (redis.isUp && world.random() < 0.1)
      for (const [member, loop] of members)
        if (member.mode === 'joined' && world.random() < 0.3) {
          loop.isDead = true;
          killedAt = now;
        }
    world.at(now + world.between(500, 60_000), undefined, fault);
  };
  world.at(START, undefined, fault);
  world.at(QUIET, undefined, async () => {
    await redis.resume();
    redis.start();
  });
}

async function simulate(client: Redis, seed: number): Promise<Run> {
  await client.flushall();
  const world = new World(randomOf(seed));
  const redis = new SimulatedRedis(world, client);
  const count = 2 + Math.floor(world.random() * 3);
  const limit = count * 3 + Math.floor(world.random() * 50);
  const run: Run = { limit, cloneLimit: Math.ceil(limit / 4), arrivals: [], clones: [], apart: 0 };
  const members = new Map<Member, Loop>();
  for (let index = 0; index < count; index += 1) {
    const loop: Loop = { busyUntil: 0, isDead: false };
    world.at(world.random() * 3000, loop, () => members.set(startMember(world, redis, loop, run), loop));
  }
  disturb(world, redis, members);
  const returned = new Set<Member>();
  // A late reply can still part a member for some seconds.
  for (let at = DURATION - REJOINED; at < DURATION; at += 1000)
    world.at(at, undefined, () => {
      for (const member of members.keys()) if (member.mode === 'joined') returned.add(member);
    });
  await world.run(DURATION);
  for (const [member, loop] of members) if (!loop.isDead && !returned.has(member)) run.apart += 1;
  return run;
}

/** The highest number of requests in a minute. */
function busiest(arrivals: readonly number[]): number {
  const sorted = arrivals.toSorted((a, b) => a - b);
  let [first, most] = [0, 0];
  for (const [last, at] of sorted.entries()) {
    while ((sorted[first] ?? at) <= at - MINUTE) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describeWith(['redis-server'], 'a simulated fleet', function () {
  this.timeout(600_000);

  it('never sends more than its limits in a minute, and joins again, while Redis hangs, restarts empty and answers late, and event loops stall', () =>
    withRedis(async ({ url }) => {
      const client = new Redis(url);
      try {
        const failures: string[] = [];
        let sent = 0;
        for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
          const { limit, cloneLimit, arrivals, clones, apart } = await simulate(client, seed);
          sent += arrivals.length / limit;
          if (busiest(arrivals) > limit) failures.push(`seed ${seed}: ${busiest(arrivals)} of ${limit}`);
          if (busiest(clones) > cloneLimit)
            failures.push(`seed ${seed}: ${busiest(clones)} clones of ${cloneLimit}`);
          if (apart > 0) failures.push(`seed ${seed}: ${apart} members are apart at the end`);
          if (arrivals.length < limit)
            failures.push(`seed ${seed}: only ${arrivals.length} of ${limit} sent`);
        }
        if (process.env['SEEDS'])
          console.log('limits sent per run', sent / SEEDS, 'failures', failures.length);
        assert.deepEqual(failures, []);
      } finally {
        client.disconnect();
      }
    }));
});
