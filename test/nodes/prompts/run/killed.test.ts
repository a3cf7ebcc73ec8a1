import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectAudio } from '@herald-speech/client';
import { KEY, until } from '../../../support/flow.js';
import { type NodeRed, startNodeRed } from '../../../support/node-red.js';
import { filesIn, inFolder } from '../../../support/prompts.js';
import { type Script, type ScriptedServer, spoken, withServer } from '../../../support/scripted-server.js';

const ROWS = 40;
const PARALLEL = 4;

/** Speaks each text with its own duration, so that a file with the audio of another row is found. */
const script: Script = async ({ json }) => {
  await sleep(30);
  return spoken({ seconds: secondsOf(Number(String(json['text']).split(' ').at(-1))) });
};

const secondsOf = (index: number): number => 0.1 + index / 100;

const flowOf = (server: ScriptedServer, folder: string) => [
  { id: 'tab', type: 'tab', label: 'prompts' },
  {
    id: 'account',
    type: 'herald-account',
    service: 'hosted',
    url: server.url,
    requestsPerMinute: '10000',
    voice_id: 'voice-1',
    language: 'en',
    cache: false,
    credentials: { apiKey: KEY },
  },
  { id: 'go', type: 'inject', z: 'tab', x: 1, y: 1, props: [], wires: [['node']] },
  {
    id: 'node',
    type: 'herald-prompts',
    z: 'tab',
    x: 1,
    y: 1,
    account: 'account',
    csv_file: path.join(folder, 'table.csv'),
    folder: path.join(folder, 'out'),
    parallel: String(PARALLEL),
    wires: [['debug'], [], [], []],
  },
  { id: 'debug', type: 'debug', z: 'tab', x: 1, y: 1, console: true, complete: 'payload', wires: [] },
];

const withNodeRed = async (
  server: ScriptedServer,
  folder: string,
  work: (nodeRed: NodeRed) => Promise<void>,
) => {
  const nodeRed = await startNodeRed(flowOf(server, folder));
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
        script,
        async (server) => {
          const lines = Array.from({ length: ROWS }, (_, index) => `Prompt ${index};menu/${index}.wav`);
          await writeFile(path.join(folder, 'table.csv'), ['text;filename', ...lines].join('\n'));
          const out = path.join(folder, 'out');
          await withNodeRed(server, folder, async (nodeRed) => {
            await until(() => server.requests.length >= 15);
            await nodeRed.kill();
          });
          const paid = server.requests.length;
          assert.ok(paid < ROWS);
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

/** Asserts that each file has the whole audio of its row. */
async function assertComplete(folder: string): Promise<void> {
  for (const name of await filesIn(folder)) {
    const index = Number(path.basename(name, '.wav'));
    const { duration } = inspectAudio(await readFile(path.join(folder, name)));
    assert.ok(Math.abs(duration - secondsOf(index)) < 0.001, `${name}: ${duration}`);
  }
}
