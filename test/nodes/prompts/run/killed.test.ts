import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type NodeRed, startNodeRed } from '../../../support/node-red/node-red.js';
import { filesIn, inFolder } from '../../../support/node-red/prompts.js';
import { type ScriptedServer, withServer } from '../../../support/net/scripted-server.js';
import { assertComplete, flowOf, numbered, tableOf } from './processes.js';
import { until } from '../../../support/waiting.js';

const ROWS = 40;
const PARALLEL = 4;

const withNodeRed = async (
  server: ScriptedServer,
  folder: string,
  work: (nodeRed: NodeRed) => Promise<void>,
) => {
  const nodeRed = await startNodeRed(flowOf(server, folder, { node: { parallel: String(PARALLEL) } }));
  try {
    await nodeRed.inject('go');
    await work(nodeRed);
  } finally {
    await nodeRed.stop();
  }
};

describe('a run of prompts in a process that is killed', () => {
  it('leaves only complete files, and the next run pays at most once more for the rows in work', () =>
    inFolder((folder) =>
      withServer(
        numbered,
        async (server) => {
          await writeFile(path.join(folder, 'table.csv'), tableOf(ROWS));
          const out = path.join(folder, 'out');
          await withNodeRed(server, folder, async (nodeRed) => {
            await until(() => server.requests.length >= 15);
            await nodeRed.kill();
          });
          assert.ok(server.requests.length < ROWS);
          await assertComplete(out);
          await withNodeRed(server, folder, async (nodeRed) => {
            await until(() => /made: \d+/.test(nodeRed.log()));
          });
          assert.equal((await filesIn(out)).length, ROWS);
          await assertComplete(out);
          assert.ok(server.requests.length <= ROWS + PARALLEL, String(server.requests.length));
          const hidden = await readdir(path.join(out, 'menu'));
          assert.deepEqual(
            hidden.filter((name) => !/^\d+\.wav$/.test(name)),
            [],
          );
        },
        undefined,
        { describesVoices: false },
      ),
    ));
});
