import { type Client, type ClientOptions, createClient } from '../../../client/index.js';
import { createCreditLatch, createLimiter } from '../../../client/sharing.js';
import { createSharedSpeech } from '../../../fleet/cache/index.js';
import type { RedisConnection } from '../../../fleet/redis/connection.js';
import type { FleetSpeech } from '../../../fleet/cache/shared-speech.js';
import type { FleetCache } from '../../../fleet/cache/index.js';
import { KEY } from '../../support/service/client-for.js';
import { leavingNothing } from '../../support/leftovers.js';
import { type RedisServer, withRedis } from '../../support/programs/redis.js';
import { type Script, type ScriptedServer, withServer } from '../../support/net/scripted-server.js';
import { withConnections } from './support.js';

/** A member of a fleet in this process, with its client. */
interface Member {
  client: Client;
  speech: FleetSpeech;
  connection: RedisConnection;
}

/** The Redis server, the service and the members of a test. */
export interface TestFleet {
  redis: RedisServer;
  server: ScriptedServer;
  members: readonly [Member, Member, Member];
}

export interface TestFleetOptions extends Partial<ClientOptions> {
  shared?: Partial<FleetCache>;
  maxWaitMs?: number;
  /** Returns the cache folder of a member. */
  folderOf: (index: number) => string;
}

function memberOf(
  connection: RedisConnection,
  url: string,
  index: number,
  { shared, maxWaitMs, folderOf, ...options }: TestFleetOptions,
): Member {
  const speech = createSharedSpeech(connection, { in: 'redis', ...shared }, maxWaitMs);
  if (speech === undefined) throw new Error('the members of a test share speech');
  const client = createClient({
    apiKey: KEY,
    attempts: 1,
    requestsPerMinute: Infinity,
    url,
    cache: { folder: folderOf(index), service: 'service' },
    sharing: { limiter: createLimiter, credits: createCreditLatch, speech },
    ...options,
  });
  return { client, speech, connection };
}

/**
 * Runs `work` with three members of a fleet. Fails if a resource stays open.
 * @param commandMs milliseconds until a reply of Redis is late
 */
export function withFleet<Result>(
  script: Script,
  { commandMs, ...options }: TestFleetOptions & { commandMs?: number },
  work: (fleet: TestFleet) => Promise<Result>,
): Promise<Result> {
  return withRedis((redis) =>
    withServer(script, (server) =>
      leavingNothing(() =>
        withConnections(
          redis,
          3,
          async ([one, two, three]) => {
            if (!one || !two || !three) throw new Error('three connections');
            const of = (connection: RedisConnection, index: number) =>
              memberOf(connection, server.url, index, options);
            const members = [of(one, 0), of(two, 1), of(three, 2)] as const;
            try {
              return await work({ redis, server, members });
            } finally {
              for (const { client } of members) await client.close();
              for (const { speech } of members) await speech.close();
            }
          },
          commandMs,
        ),
      ),
    ),
  );
}
