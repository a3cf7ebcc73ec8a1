import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { lazy } from '@herald-speech/client';
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import { leavingNothing } from '../leftovers.js';
import { nodeNames } from './node-names.js';
import { type Script, type ScriptedServer, withServer } from '../net/scripted-server.js';
import { withoutStrayErrors } from '../stray-errors.js';
import { until } from '../waiting.js';

export type Message = NodeMessage;

/** A node of a flow. Each id in `wires` without a node becomes a recording node, which keeps its messages. */
export interface FlowNode {
  id: string;
  type: string;
  wires?: string[][];
  [property: string]: unknown;
}

export interface FlowOptions {
  /** Additional properties of the hosted account. */
  account?: object;
  /** Credentials by node id. */
  credentials?: Record<string, object>;
  settings?: object;
  /** Files of core nodes that the flow uses, such as `function/10-switch.js`. */
  core?: string[];
  /** Whether the script also answers the lookups of voices. */
  describesVoices?: boolean;
  /** Modules of further nodes. */
  modules?: unknown[];
}

/** A running flow in Node-RED. */
export interface Flow {
  RED: NodeAPI;
  /** Sends a message to a node. */
  send(id: string, message: object): void;
  /** Resolves with the next message at a recording node that no earlier call returned. */
  out(id: string): Promise<Message>;
  /** Returns all messages at a recording node. */
  received(id: string): Message[];
  node(id: string): Node;
  /** Deploys nodes. Restarts the changed nodes, or all nodes with `full`. */
  deploy(nodes: FlowNode[], type?: 'nodes' | 'full'): Promise<void>;
  /** Returns the text of each log entry of Node-RED. */
  logged(): string[];
  /** Stops all nodes. `withFlow` does so after `work` as well. */
  close(): Promise<void>;
}

/** Milliseconds that `out` waits. Below the time limit of a test, so that the error lists the received messages. */
const PATIENCE_MS = 45_000;

const EVERYTHING = { depth: 6, maxArrayLength: null, maxStringLength: null };

/** The four ports of a speech node, each with a recording node. */
export const PORTS = [['done'], ['retryable'], ['fatal'], ['no-credits']];

/** The key of hosted accounts. It may appear in requests only. */
export const KEY = 'sk-Nobody/may+see=this';

const modules: unknown[] = [
  ...nodeNames.map((name) => require(`../../../nodes/${name}.ts`)),
  core('sequence/17-split.js'),
];

/** Loads a core node of Node-RED. */
function core(file: string): unknown {
  const paths = [path.dirname(require.resolve('node-red'))];
  return require(require.resolve(`@node-red/nodes/core/${file}`, { paths }));
}

/** Runs `work` with a running flow, then stops the flow. Fails if a resource stays open or an error is unhandled. */
export async function withFlow<Result>(
  nodes: FlowNode[],
  work: (flow: Flow) => Promise<Result>,
  options: FlowOptions = {},
): Promise<Result> {
  return withoutStrayErrors(() =>
    leavingNothing(async () => {
      const flow = await startFlow(nodes, options);
      try {
        return await work(flow);
      } finally {
        await flow.close();
      }
    }),
  );
}

/** Runs `work` with a flow with an account `account` of a scripted service. */
export function withHostedFlow<Result>(
  script: Script,
  nodes: FlowNode[],
  work: (flow: Flow, server: ScriptedServer) => Promise<Result>,
  { account: properties = {}, describesVoices = false, ...options }: FlowOptions = {},
): Promise<Result> {
  const run = (server: ScriptedServer) =>
    withFlow([hostedAccount(server.url, properties), ...nodes], (flow) => work(flow, server), {
      credentials: { account: { apiKey: KEY } },
      ...options,
    });
  return withServer(script, run, undefined, { describesVoices });
}

/** Returns an account of a hosted service, without its key. */
export const hostedAccount = (url: string, more: object = {}): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  service: 'hosted',
  url,
  requestsPerMinute: '10000',
  voice_id: 'voice-1',
  ...more,
});

/** Returns an account of the local service. */
export const localAccount = (more: object = {}): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  service: 'local',
  ...more,
});

/** Returns a speech node `node` of the account `account`, with a recording node at each port. It does not retry messages. */
export const speechNode = (type: string, more: object = {}): FlowNode => ({
  id: 'node',
  type: `herald-${type}`,
  account: 'account',
  wires: PORTS,
  ...(type === 'text-to-speech' && { retry_attempts: '1' }),
  ...more,
});

/** Nodes that receive every failure, success and status of the flow. */
export const watchers: FlowNode[] = [
  { id: 'catch', type: 'catch', scope: null, wires: [['caught']] },
  { id: 'complete', type: 'complete', scope: ['node'], wires: [['completed']] },
  { id: 'status', type: 'status', scope: null, wires: [['status-of']] },
];

/** Returns the user directory of all flows of this process. It is deleted when the process exits. */
const userDir = lazy(() => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-flows-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
});

/** The latest flow. It still runs after a test that reached its time limit. */
let latest: Flow | undefined;

async function startFlow(
  nodes: FlowNode[],
  { credentials = {}, settings = {}, core: more = [], modules: others = [] }: FlowOptions,
): Promise<Flow> {
  await latest?.close();
  helper.settings({ uiHost: '127.0.0.1', userDir: userDir(), ...settings });
  let api: NodeAPI | undefined;
  const probe = (RED: NodeAPI) => {
    api = RED;
  };
  await helper.load([probe, ...modules, ...others, ...more.map(core)], wholeFlow(nodes), credentials);
  if (api === undefined) throw new Error('Node-RED loaded no nodes.');
  return (latest = flowOf(api, nodes, credentials));
}

function flowOf(RED: NodeAPI, nodes: FlowNode[], credentials: object): Flow {
  const boxes = new Map(recordersOf(nodes).map((id) => [id, record(nodeOf(id))]));
  const boxOf = (id: string) => boxes.get(id) ?? fail(`unknown recording node ${id}`);
  let closed: Promise<void> | undefined;
  return {
    RED,
    send: (id, message) => nodeOf(id).receive({ ...message, _msgid: RED.util.generateId() }),
    received: (id) => boxOf(id).all,
    out: (id) => next(id, boxes),
    node: nodeOf,
    async deploy(changed, type = 'nodes') {
      const started = once(RED.events, 'flows:started', { signal: AbortSignal.timeout(PATIENCE_MS) });
      await Promise.all([started, helper.setFlows(wholeFlow(changed), type, credentials).catch(unlessHasty)]);
      for (const id of recordersOf(changed)) boxes.set(id, record(nodeOf(id), boxes.get(id)));
    },
    logged: () => helper.log().args.map((entry) => inspect(entry, EVERYTHING)),
    close: () => (closed ??= helper.unload()),
  };
}

/** Ignores the time limit of the test helper: 300 ms for flows to start are too few on a busy machine. */
function unlessHasty(error: Error): void {
  if (error.message !== 'timeout waiting event') throw error;
}

function wholeFlow(nodes: FlowNode[]): object[] {
  const recorders = recordersOf(nodes).map((id) => ({ id, type: 'helper', wires: [] }));
  const inFlow = [...nodes, ...recorders].map((node) =>
    // Node-RED takes a node without a position for a config node.
    placeless.has(node.type) ? node : { z: 'flow', x: 1, y: 1, wires: [], ...node },
  );
  return [{ id: 'flow', type: 'tab', label: 'test' }, ...inFlow];
}

const placeless = new Set(['herald-account', 'herald-speaker', 'http proxy', 'tls-config', 'subflow']);

function recordersOf(nodes: FlowNode[]): string[] {
  const known = new Set(nodes.map(({ id }) => id));
  const named = nodes.flatMap(({ wires = [] }) => wires.flat());
  return [...new Set(named)].filter((id) => !known.has(id));
}

interface Box {
  all: Message[];
  taken: number;
}

function record(node: Node, box: Box = { all: [], taken: 0 }): Box {
  node.on('input', (message) => box.all.push(message));
  return box;
}

async function next(id: string, boxes: Map<string, Box>): Promise<Message> {
  const box = boxes.get(id) ?? fail(`unknown recording node ${id}`);
  const index = box.taken++;
  await until(
    () => box.all.length > index,
    () => `no message at ${id}; errors at other nodes: ${errorsIn(boxes)}`,
  );
  return box.all[index] ?? fail('a recorded message is missing');
}

function errorsIn(boxes: Map<string, Box>): string {
  const lines = [...boxes].flatMap(([id, { all }]) =>
    all.map(({ error }) => `${id} ${JSON.stringify(error)}`),
  );
  return lines.join('; ').slice(0, 2000) || 'none';
}

function nodeOf(id: string): Node {
  return helper.getNode(id) ?? fail(`unknown node ${id}`);
}

function fail(message: string): never {
  throw new Error(message);
}
