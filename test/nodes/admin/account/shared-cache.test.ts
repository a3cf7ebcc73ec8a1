import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient, z } from '@herald-speech/client';
import { type Fleet, createFleet } from '../../../../fleet/fleet.js';
import { fleetScript } from '../../../support/node-red/fleet-times.js';
import { describeWith } from '../../../support/programs/describe-with.js';
import { KEY } from '../../../support/node-red/flow.js';
import { startNodeRed } from '../../../support/node-red/node-red.js';
import { PATIENT_MS, withRedis } from '../../../support/programs/redis.js';
import { spoken, withServer } from '../../../support/net/scripted-server.js';
import { until } from '../../../support/waiting.js';

const times = { commandMs: PATIENT_MS };

const reply = z.object({ entries: z.number().optional(), error: z.object({ code: z.string() }).optional() });

/** Speaks with a client of the fleet. Resolves when its piece is in Redis. */
async function fill(fleet: Fleet, url: string, folder: string): Promise<void> {
  const client = createClient({ url, apiKey: KEY, cache: { folder }, sharing: fleet.sharing });
  await client.speak({ voice_id: 'v1', text: 'Dinner is ready.', language: 'en' });
  await client.close();
  assert.equal((await fleet.sharing.speech?.size())?.entries, 1);
}

describeWith(['redis-server'], 'the admin endpoint that clears the cache', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'herald-admin-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('deletes the pieces of its accounts in Redis, and reports a Redis that fails', () =>
    withRedis((redis) =>
      withServer(
        () => spoken({ seconds: 0.5 }),
        async ({ url }) => {
          const account = { id: 'account', type: 'herald-account', version: 3, service: 'hosted', url };
          const shared = { fleetUrl: redis.url, fleetCache: 'redis', credentials: { apiKey: KEY } };
          const nodeRed = await startNodeRed([{ ...account, ...shared }], {
            script: `${fleetScript(times)} process.env.HERALD_CACHE = ${JSON.stringify(path.join(folder, 'node-red'))};`,
          });
          const fleet = createFleet({ url: redis.url, account: { url, apiKey: KEY } }, times);
          const clear = async () => {
            const headers = { 'content-type': 'application/json' };
            const response = await fetch(`${nodeRed.url}herald/cache/clear?account=account`, {
              method: 'POST',
              headers,
              body: '{}',
            });
            return reply.parse(await response.json());
          };
          try {
            await until(() => fleet.state.isJoined && fleet.state.members === 2);
            await fill(fleet, url, path.join(folder, 'other'));
            assert.equal((await clear()).entries, 0);
            assert.equal((await fleet.sharing.speech?.size())?.entries, 0);
            await redis.stop();
            assert.equal((await clear()).error?.code, 'no-connection');
          } finally {
            await fleet.close();
            await nodeRed.stop();
          }
        },
      ),
    ));
});
