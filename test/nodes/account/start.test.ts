import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

describe('the start of the local service', () => {
  let data: string;
  let nodeRed: NodeRed;
  before(async () => {
    data = mkdtempSync(path.join(os.tmpdir(), 'herald-start-'));
    Object.assign(process.env, { HERALD_DATA: data, HERALD_METRICS: 'on', HERALD_IDLE_TIMEOUT: '3000' });
    nodeRed = await startNodeRed([], { script });
  });
  after(async () => {
    for (const name of ['DATA', 'METRICS', 'IDLE_TIMEOUT']) delete process.env[`HERALD_${name}`];
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

  /** Returns the metrics of the last started service. */
  const metrics = () => {
    const [, url] = [...nodeRed.log().matchAll(/local service serves at (\S+)/g)].at(-1) ?? [];
    return fetch(`${url}/metrics`).then((reply) => reply.text());
  };
  /** Returns the memory of the speech process; 0 without the process. */
  const memoryOfSpeech = async (): Promise<number> => {
    // A look takes milliseconds of the service, and the process lives for seconds.
    await sleep(200);
    return Number(/^herald_memory_bytes\{process="speech"\} (\d+)/m.exec(await metrics())?.[1]);
  };
  /** Returns the number of predictions of a duration, with which the start of an engine begins. */
  const predictions = async (): Promise<number> => {
    const counts = (await metrics()).matchAll(/^herald_requests_total\{[^}]*predict[^}]*\} (\d+)/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const served = () => nodeRed.log().match(/local service serves at/g)?.length ?? 0;
  const started = async (nodes: FlowNode[]) => {
    const before = served();
    await nodeRed.deploy([tab, ...nodes]);
    await until(() => served() > before);
  };

  for (const [flow, nodes] of Object.entries<FlowNode[]>({
    'an account': [local, speech(local.id)],
    'a voice and no account': [{ ...speech(''), voice_id: 'slt' }],
  })) {
    it(`starts the speech process for a node with ${flow} before its first message, until the idle timeout`, async () => {
      await started(nodes);
      await until(async () => (await memoryOfSpeech()) > 0);
      await until(async () => (await memoryOfSpeech()) === 0);
    });
  }

  it('starts no engine for nodes that do not speak, beside a node that speaks', async () => {
    const list = { id: 'list', type: 'herald-voice-search', z: 'tab', account: local.id, wires: [] };
    await started([local, list, { ...speech(''), voice_id: 'slt' }]);
    await until(async () => (await memoryOfSpeech()) > 0);
    // The starts of engines follow each other, so all of them have ended before the idle timeout.
    await until(async () => (await memoryOfSpeech()) === 0);
    assert.equal(await predictions(), 1);
  });
});
