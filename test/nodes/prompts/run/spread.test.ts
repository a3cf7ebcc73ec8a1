import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fleetScript } from '../../../support/node-red/fleet-times.js';
import { describeWith } from '../../../support/programs/describe-with.js';
import { KEY } from '../../../support/node-red/flow.js';
import { type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { filesIn, inFolder } from '../../../support/node-red/prompts.js';
import { HANG_MS, PATIENT_MS, type RedisServer, withRedis } from '../../../support/programs/redis.js';
import { type ScriptedServer, withServer } from '../../../support/net/scripted-server.js';
import { assertComplete, flowOf, numbered, tableOf } from './processes.js';
import { useParts } from '../../../support/use-parts.js';
import { until } from '../../../support/waiting.js';

const ROWS = 60;
/** The prefix of the account whose Redis hangs. */
const HANGING = 'hanging:';
const work = { lockMs: 4000 };
const script = fleetScript({ commandMs: PATIENT_MS, work }, { [HANGING]: { commandMs: HANG_MS, work } });

interface Members {
  first: NodeRed;
  second: NodeRed;
  server: ScriptedServer;
  redis: RedisServer;
  /** Deploys a table of prompts, and resolves with the folder of the files when both members have joined and have their shares. */
  deploy(prefix: string): Promise<string>;
}

/** Starts two Node-RED processes that share an account, and stops them after `work`. */
async function withMembers(work: (members: Members) => Promise<void>): Promise<void> {
  const run = async (folder: string, redis: RedisServer, server: ScriptedServer): Promise<void> => {
    await writeFile(path.join(folder, 'table.csv'), tableOf(ROWS));
    const first = await startNodeRed([], { script });
    const second = await startNodeRed([], { script });
    const deploy = async (fleetPrefix: string): Promise<string> => {
      const account = { fleetUrl: redis.url, fleetPrefix, fleetWork: true };
      const out = path.join(folder, fleetPrefix.replace(':', ''));
      const node = { spread: 'true', spreadType: 'bool', folder: out };
      const flow = flowOf(server, folder, { account, node });
      await Promise.all([first.deploy(flow), second.deploy(flow)]);
      const key = `${fleetPrefix}*:tasks:members`;
      await until(async () => (await membersOf(redis, key)) === 2);
      await until(async () => (await sharesOf(redis, `${fleetPrefix}*:shares`)) === '2 2');
      // Until its deploy, a member may go on with tasks of the former run.
      server.requests.length = 0;
      return out;
    };
    try {
      await work({ first, second, server, redis, deploy });
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  };
  await inFolder((folder) =>
    withRedis((redis) =>
      withServer(numbered, (server) => run(folder, redis, server), undefined, { describesVoices: false }),
    ),
  );
}

/** Returns the number of members that work for the account of a prefix. */
async function membersOf(redis: RedisServer, pattern: string): Promise<number> {
  const key = await redis.cli('keys', pattern);
  return key === '' ? 0 : Number(await redis.cli('zcard', key));
}

/** Returns the divisors of the shares of the members of an account. A member without its share would wait for it while Redis hangs. */
async function sharesOf(redis: RedisServer, pattern: string): Promise<string> {
  const key = await redis.cli('keys', pattern);
  return key === '' ? '' : (await redis.cli('hvals', key)).split('\n').join(' ');
}

/** Returns a function that returns whether a run has ended since now. */
function endOf(member: NodeRed): () => boolean {
  const { length } = member.log();
  return () => /made: \d+/.test(member.log().slice(length));
}

describeWith(['redis-server'], 'a run of prompts that is spread over the members of a fleet', () => {
  const members = useParts(withMembers);

  it('goes on alone if Redis hangs', async () => {
    const { first, server, redis, deploy } = members();
    const out = await deploy(HANGING);
    const hasEnded = endOf(first);
    await first.inject('go');
    await until(() => server.requests.length >= ROWS / 3);
    redis.hang();
    try {
      await until(hasEnded);
    } finally {
      redis.resume();
    }
    assert.equal((await filesIn(out)).length, ROWS);
    await assertComplete(out);
  });

  it('makes each file once and complete, also if a member is killed in the middle', async () => {
    const { first, second, server, redis, deploy } = members();
    const out = await deploy('killed:');
    const hasEnded = endOf(first);
    await first.inject('go');
    await until(() => server.requests.length >= ROWS / 3);
    await second.kill();
    await until(hasEnded);
    assert.match(first.log(), new RegExp(`made: ${ROWS}`));
    assert.equal((await filesIn(out)).length, ROWS);
    await assertComplete(out);
    // Four files at a time is the default of _Parallel files_.
    assert.ok(server.requests.length <= ROWS + 4, String(server.requests.length));
    const keys = (await redis.cli('keys', '*')).split('\n');
    const values = await Promise.all(keys.map((key) => redis.cli('dump', key)));
    assert.ok(![...keys, ...values].some((text) => text.includes(KEY)));
  });
});
