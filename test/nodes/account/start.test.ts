import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type FlowNode, type NodeRed, startNodeRed } from '../../support/node-red/node-red.js';
import { until } from '../../support/waiting.js';

/** Settings of Node-RED that log each start of a child process. */
const script = `require('node:diagnostics_channel').channel('child_process').subscribe(({ process }) => {
  process.once('spawn', () => console.log('spawned ' + process.spawnargs.join(' ')));
});`;

const tab = { id: 'tab', type: 'tab', label: 'Speech' };
const hosted = { id: 'account-1', type: 'herald-account', service: 'hosted', url: 'http://127.0.0.1:9' };
const local = { id: 'account-2', type: 'herald-account', service: 'local' };
const speech = (account: string) => ({
  id: 'tts',
  type: 'herald-text-to-speech',
  z: 'tab',
  account,
  wires: [],
});

describe('the start of the local service', function () {
  this.timeout(120_000);
  let data: string;
  let nodeRed: NodeRed;
  before(async () => {
    data = mkdtempSync(path.join(os.tmpdir(), 'herald-start-'));
    process.env['HERALD_DATA'] = data;
    nodeRed = await startNodeRed([], { script });
  });
  after(async () => {
    delete process.env['HERALD_DATA'];
    await nodeRed?.stop();
    rmSync(data, { recursive: true });
  });

  const lines = () => nodeRed.log().split('\n');
  const startedServices = () => lines().filter((line) => line.startsWith('spawned ') && line.includes(data));

  for (const [flow, nodes] of Object.entries<FlowNode[]>({
    'no node of Herald': [{ id: 'note', type: 'comment', z: 'tab', wires: [] }],
    'nodes of a hosted service only': [hosted, speech(hosted.id)],
    'an account of the local service that no node uses': [local],
  })) {
    // The test below would see a late start, because it counts the starts of all deploys.
    it(`does not happen for a flow with ${flow}`, async () => {
      await nodeRed.deploy([tab, ...nodes]);
      assert.deepEqual(startedServices(), []);
    });
  }

  for (const [account, nodes] of Object.entries<FlowNode[]>({
    'an account of the local service': [local, speech(local.id)],
    'no account': [speech('')],
  })) {
    it(`happens for a node with ${account}, once, after the flows have started`, async () => {
      const before = startedServices().length;
      await nodeRed.deploy([tab, ...nodes]);
      await until(() => startedServices().length > before);
      assert.equal(startedServices().length, before + 1);
      const isStart = (line: string) => line.includes('Started flows');
      assert.ok(
        lines().findLastIndex(isStart) < lines().findLastIndex((line) => line === startedServices().at(-1)),
      );
      assert.match(startedServices().at(-1) ?? '', new RegExp(`--data ${data}`));
    });
  }
});
