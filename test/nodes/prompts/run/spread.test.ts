import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KEY } from '../../../support/node-red/flow.js';
import { type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { filesIn, inFolder } from '../../../support/node-red/prompts.js';
import { withRedis } from '../../../support/programs/redis.js';
import { type ScriptedServer, withServer } from '../../../support/net/scripted-server.js';
import { assertComplete, flowOf, numbered, tableOf } from './processes.js';
import { until } from '../../../support/waiting.js';

const ROWS = 150;

/** Starts two Node-RED processes that share an account, and stops them after `work`. */
async function withMembers(
  work: (members: {
    first: NodeRed;
    second: NodeRed;
    server: ScriptedServer;
    out: string;
    redis: { cli(...args: string[]): Promise<string>; hang(): void; resume(): void };
  }) => Promise<void>,
): Promise<void> {
  await inFolder((folder) =>
    withRedis((redis) =>
      withServer(
        numbered,
        async (server) => {
          await writeFile(path.join(folder, 'table.csv'), tableOf(ROWS));
          const account = { fleetUrl: redis.url, fleetWork: true };
          const flow = flowOf(server, folder, { account, node: { spread: 'true', spreadType: 'bool' } });
          const first = await startNodeRed(flow);
          const second = await startNodeRed(flow);
          try {
            await until(() => [first, second].every((member) => member.log().includes('Redis')));
            await work({ first, second, server, out: path.join(folder, 'out'), redis });
          } finally {
            await Promise.all([first.stop(), second.stop()]);
          }
        },
        undefined,
        { describesVoices: false },
      ),
    ),
  );
}

const hasEnded = (member: NodeRed) => () => /made: \d+/.test(member.log());

describe('a run of prompts that is spread over the members of a fleet', () => {
  it('makes each file once and complete, also if a member is killed in the middle', () =>
    withMembers(async ({ first, second, server, out, redis }) => {
      await first.inject('go');
      await until(() => server.requests.length >= ROWS / 3);
      await second.kill();
      await until(hasEnded(first));
      assert.match(first.log(), new RegExp(`made: ${ROWS}`));
      assert.equal((await filesIn(out)).length, ROWS);
      await assertComplete(out);
      assert.ok(server.requests.length <= ROWS + 1, String(server.requests.length));
      const keys = (await redis.cli('keys', '*')).split('\n');
      const values = await Promise.all(keys.map((key) => redis.cli('dump', key)));
      assert.ok(![...keys, ...values].some((text) => text.includes(KEY)));
    }));

  it('goes on alone if Redis hangs', () =>
    withMembers(async ({ first, server, out, redis }) => {
      await first.inject('go');
      await until(() => server.requests.length >= ROWS / 3);
      redis.hang();
      try {
        await until(hasEnded(first));
      } finally {
        redis.resume();
      }
      assert.equal((await filesIn(out)).length, ROWS);
      await assertComplete(out);
    }));
});
