/** Runs flows in a Node-RED in this process, without its editor, and measures how fast messages pass nodes. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Node-RED declares no types for all functions that the bench uses. */
const RED = createRequire(import.meta.url)('node-red');
const ROOT = path.join(import.meta.dirname, '..');

/**
 * @typedef {object} FlowNode
 * @property {string} id
 * @property {string} type
 */

/** @typedef {{ payload?: unknown, [field: string]: unknown }} Message */

/**
 * @typedef {object} Flows
 * @property {(node: string, messages: readonly Message[], atOnce?: boolean) => Promise<Message[]>} pass
 *   sends messages to a node, one after another or all at once, and returns the messages of its outputs
 * @property {() => Promise<void>} deploy closes all nodes and starts them again
 */

/**
 * Runs `work` with a Node-RED that has the given nodes. Each measured node gets its messages from `pass`.
 * @param {readonly FlowNode[]} measured nodes with one wired output
 * @param {readonly FlowNode[]} others config nodes, which may have `credentials`
 * @param {(flows: Flows, folder: string) => Promise<void>} work gets a folder for files, which is deleted at the end
 */
export async function withNodeRed(measured, others, work) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
  layOut(folder);
  const server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  /** @type {Map<string, (message: Message) => void>} */
  const ends = new Map();
  /** @type {Map<string, (message: Message) => void>} */
  const starts = new Map();
  const arrived = (/** @type {string} */ id, /** @type {Message} */ message) => ends.get(id)?.(message);
  const bench = { starts, arrived };
  RED.init(server, {
    userDir: folder,
    httpAdminRoot: false,
    functionGlobalContext: { bench },
    logging: { console: { level: 'error', metrics: false, audit: false } },
    telemetry: { enabled: false },
  });
  try {
    const loaded = nextStart();
    await RED.start();
    await loaded;
    const deploy = async () => {
      starts.clear();
      const started = nextStart();
      const flows = [...others, ...measured.flatMap(measurable)];
      await RED.runtime.flows.setFlows({ flows: { flows }, deploymentType: 'full' });
      await started;
      // The initial code of function nodes runs a moment later.
      while (starts.size < measured.length) await sleep(10);
    };
    await deploy();
    await work({ pass: passOf(starts, ends), deploy }, folder);
  } finally {
    await RED.stop();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const nextStart = () => new Promise((resolve) => RED.events.once('flows:started', resolve));

/** @param {string} folder user directory that gets the nodes of this checkout */
function layOut(folder) {
  const scope = path.join(folder, 'node_modules/@herald-speech');
  mkdirSync(scope, { recursive: true });
  symlinkSync(ROOT, path.join(scope, 'node-red'), 'junction');
  writeFileSync(path.join(folder, 'package.json'), '{"private": true}');
}

/**
 * @param {FlowNode} node
 * @returns {object[]} the node between two function nodes
 */
function measurable(node) {
  const start = `global.get('bench').starts.set(${JSON.stringify(node.id)}, (message) => node.send(message));`;
  const end = `global.get('bench').arrived(${JSON.stringify(node.id)}, msg);`;
  const place = { z: 'tab', x: 1, y: 1 };
  return [
    {
      id: `${node.id}-start`,
      type: 'function',
      ...place,
      func: '',
      initialize: start,
      outputs: 1,
      wires: [[node.id]],
    },
    { ...place, ...node, wires: Array.from({ length: 4 }, () => [`${node.id}-end`]) },
    { id: `${node.id}-end`, type: 'function', ...place, func: end, outputs: 0, wires: [] },
  ];
}

/**
 * @param {Map<string, (message: Message) => void>} starts
 * @param {Map<string, (message: Message) => void>} ends
 * @returns {Flows['pass']}
 */
const passOf =
  (starts, ends) =>
  async (node, messages, atOnce = false) => {
    /** @type {Message[]} */
    const arrived = [];
    const send = (/** @type {Message} */ message) => starts.get(node)?.({ ...message });
    await new Promise((resolve) => {
      ends.set(node, (message) => {
        arrived.push(message);
        const next = messages[arrived.length];
        if (arrived.length === messages.length) resolve(undefined);
        else if (!atOnce && next !== undefined) send(next);
      });
      if (atOnce) messages.forEach(send);
      else if (messages[0] !== undefined) send(messages[0]);
    });
    return arrived;
  };
