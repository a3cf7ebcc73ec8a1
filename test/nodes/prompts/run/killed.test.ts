import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { filesIn, inFolder } from '../../../support/node-red/prompts.js';
import { type Script, type ScriptedServer, withServer } from '../../../support/net/scripted-server.js';
import { assertComplete, flowOf, numbered, tableOf } from './processes.js';
import { until } from '../../../support/waiting.js';

const ROWS = 40;
const PARALLEL = 4;
/** Kills of one run. */
const KILLS = 2;

interface Setting {
  server: ScriptedServer;
  folder: string;
  /** Starts Node-RED and the run, and stops Node-RED after `work`. */
  withNodeRed(work: (nodeRed: NodeRed) => Promise<void>): Promise<void>;
}

/** Runs `work` with a table of prompts and a service. @param cache whether the account has a cache */
function withTable(script: Script, cache: boolean, work: (setting: Setting) => Promise<void>): Promise<void> {
  return inFolder((folder) =>
    withServer(
      script,
      async (server) => {
        await writeFile(path.join(folder, 'table.csv'), tableOf(ROWS));
        await mkdir(path.join(folder, 'cache'));
        const node = { parallel: String(PARALLEL) };
        const flow = flowOf(server, folder, { account: { cache }, node });
        const env = `process.env.HERALD_CACHE = ${JSON.stringify(path.join(folder, 'cache'))};`;
        await work({
          server,
          folder: path.join(folder, 'out'),
          async withNodeRed(use) {
            const nodeRed = await startNodeRed(flow, { script: env });
            try {
              await nodeRed.inject('go');
              await use(nodeRed);
            } finally {
              await nodeRed.stop();
            }
          },
        });
      },
      undefined,
      { describesVoices: false },
    ),
  );
}

/** Resolves when a run has ended. */
const ended = (nodeRed: NodeRed): Promise<void> => until(() => /made: \d+/.test(nodeRed.log()));

describe('a run of prompts in a process that is killed', () => {
  it('leaves only complete files, and the next run pays at most once more for the rows in work', () =>
    withTable(numbered, false, async ({ server, folder, withNodeRed }) => {
      await withNodeRed(async (nodeRed) => {
        await until(() => server.requests.length >= 15);
        await nodeRed.kill();
      });
      assert.ok(server.requests.length < ROWS);
      await assertComplete(folder);
      await withNodeRed(ended);
      assert.equal((await filesIn(folder)).length, ROWS);
      await assertComplete(folder);
      assert.ok(server.requests.length <= ROWS + PARALLEL, String(server.requests.length));
      const hidden = await readdir(path.join(folder, 'menu'));
      assert.deepEqual(
        hidden.filter((name) => !/^\d+\.wav$/.test(name)),
        [],
      );
    }));

  it('pays no row twice with a cache, although the service charges the rows in work', () => {
    const slow: Script = async (...request) => {
      await sleep(500);
      return numbered(...request);
    };
    return withTable(slow, true, async ({ server, folder, withNodeRed }) => {
      const paid = () => server.requests.map(({ json }) => String(json['text']));
      for (let kill = 1; kill <= KILLS; kill += 1) {
        await withNodeRed(async (nodeRed) => {
          await until(() => paid().length >= (kill * ROWS) / (KILLS + 1));
          await nodeRed.kill();
        });
        await assertComplete(folder);
      }
      await withNodeRed(ended);
      assert.equal((await filesIn(folder)).length, ROWS);
      await assertComplete(folder);
      const twice = paid().filter((text, index, texts) => texts.indexOf(text) !== index);
      assert.deepEqual(twice, []);
    });
  });
});
