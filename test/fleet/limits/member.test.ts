import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { limiterDefaults } from '../../../client/calls/limiter.js';
import { FleetLimiter } from '../../../fleet/limits/fleet-limiter.js';
import { Member } from '../../../fleet/limits/member.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { withRedis } from '../../support/programs/redis.js';
import { never } from '../../support/waiting.js';
import { Connection, SimulatedRedis } from './simulated-redis.js';
import { type Loop, World } from './simulated-time.js';

/** Milliseconds of the window of a fleet. */
const WINDOW = 60_850;

/** A member in a simulated time without stalls, whose commands take some milliseconds. */
interface Simulation {
  client: Redis;
  world: World;
  redis: SimulatedRedis;
  join: () => { connection: Connection; member: Member };
}

const simulated = (work: (simulation: Simulation) => Promise<void>): Promise<void> =>
  withRedis(async ({ url }) => {
    const client = new Redis(url);
    try {
      const world = new World(() => 0.5);
      const redis = new SimulatedRedis(world, client);
      const join = () => {
        const loop: Loop = { busyUntil: 0, isDead: false };
        const connection = new Connection(redis, loop);
        return { connection, member: new Member(connection, WINDOW) };
      };
      await work({ client, world, redis, join });
    } finally {
      client.disconnect();
    }
  });

describeWith(['redis-server'], 'a member of a simulated fleet', () => {
  it('leaves no share in Redis if it is closed at any time while it joins', () =>
    simulated(async ({ client, world, join }) => {
      const left: number[] = [];
      for (let closesAt = 0; closesAt < 12; closesAt += 0.25) {
        await client.flushall();
        const start = world.now;
        const loop: Loop = { busyUntil: 0, isDead: false };
        const members: Member[] = [];
        world.at(start, loop, () => {
          const { connection, member } = join();
          members.push(member);
          connection.probe();
        });
        world.at(start + closesAt, loop, () => void members[0]?.close());
        await world.run(start + 2000);
        if ((await client.exists('herald:members', 'herald:shares')) > 0) left.push(closesAt);
      }
      assert.deepEqual(left, []);
    }));

  it('has no timer after close, also if Redis lost its data during a sign of life', () =>
    simulated(async ({ client, world, join }) => {
      const loop: Loop = { busyUntil: 0, isDead: false };
      world.at(0, loop, () => {
        const members = [join(), join()];
        for (const { connection } of members) connection.probe();
        const [{ connection, member } = join()] = members;
        world.at(3500, loop, async () => {
          await client.flushall();
          connection.hear('beat');
          void member.restore();
        });
        for (const { member: closing } of members) world.at(3600, loop, () => void closing.close());
      });
      await world.run(3800);
      assert.equal(world.pendingTimers, 0);
    }));

  it('joins again after a Redis with an earlier clock comes back empty', () =>
    simulated(async ({ world, redis, join }) => {
      const members: Member[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { connection, member } = join();
        members.push(member);
        world.at(0, connection.loop, () => connection.probe());
      }
      world.at(5000, undefined, async () => {
        await redis.stop();
        redis.setBack(600_000);
        redis.start();
      });
      await world.run(20_000);
      assert.deepEqual(
        members.map(({ mode }) => mode),
        ['joined', 'joined', 'joined'],
      );
    }));

  it('announces free places once if it lends its share, and not with each renewal', () =>
    simulated(async ({ world, join }) => {
      const [{ connection }, { connection: other, member }] = [join(), join()];
      for (const each of [connection, other]) world.at(0, each.loop, () => each.probe());
      const turns: number[] = [];
      other.subscribe('', (message) => message === 'turn' && turns.push(world.now));
      let places = 0;
      world.at(5000, other.loop, () => {
        const limiter = new FleetLimiter(member, { ...limiterDefaults, requestsPerMinute: 4 }, () => {});
        for (let count = 0; count < 8; count += 1)
          limiter.acquire('general', { signal: never }).then(
            () => (places += 1),
            () => undefined,
          );
        // Calls that wait after the simulation would wait for minutes of real time.
        world.at(29_000, other.loop, () => limiter.close());
      });
      await world.run(30_000);
      assert.equal(places, 4);
      assert.equal(turns.filter((at) => at > 5000 && at < 29_000).length, 1);
    }));
});
