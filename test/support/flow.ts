import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Node, NodeAPI, NodeMessage } from 'node-red';
import helper from 'node-red-node-test-helper';
import account = require('../../nodes/account.js');
import cloneVoice = require('../../nodes/clone-voice.js');
import credits = require('../../nodes/credits.js');
import customVoices = require('../../nodes/custom-voices.js');
import listen = require('../../nodes/listen.js');
import predictDuration = require('../../nodes/predict-duration.js');
import textToSpeech = require('../../nodes/text-to-speech.js');
import usage = require('../../nodes/usage.js');
import voiceSearch = require('../../nodes/voice-search.js');
import { leavingNothing } from './leftovers.js';
import { type Script, type ScriptedServer, withServer } from './scripted-server.js';
import { withoutStrayErrors } from './stray-errors.js';

export type Message = NodeMessage;

/** A node of a flow; an id that `wires` name and no node has becomes a node that records what it gets. */
export interface FlowNode {
  id: string;
  type: string;
  wires?: string[][];
  [property: string]: unknown;
}

export interface FlowOptions {
  /** More properties of the hosted account. */
  account?: object;
  /** By node id. */
  credentials?: Record<string, object>;
  settings?: object;
  /** Files of Node-RED's own nodes that the flow has besides, such as `function/10-switch.js`. */
  core?: string[];
}

/** A flow that runs in the real Node-RED. */
export interface Flow {
  RED: NodeAPI;
  /** Hands a message to a node. */
  send(id: string, message: object): void;
  /** The next message at a recording node that nobody asked for yet. */
  out(id: string): Promise<Message>;
  /** All messages at a recording node so far. */
  received(id: string): Message[];
  node(id: string): Node;
  /** Deploys these nodes, which stops and starts what changed; a full deploy stops and starts all. */
  deploy(nodes: FlowNode[], type?: 'nodes' | 'full'): Promise<void>;
  /** What Node-RED logged so far: the text of each entry. */
  logged(): string[];
  /** Stops all nodes; may be called before `withFlow` does. */
  close(): Promise<void>;
}

/** How long `out` waits, below the time limit of a test, so that a failure says what happened instead. */
const PATIENCE_MS = 45_000;

const EVERYTHING = { depth: 6, maxArrayLength: null, maxStringLength: null };

/** The four ports of a speech node, each with a recording node. */
export const PORTS = [['done'], ['retryable'], ['fatal'], ['no-credits']];

/** The key of hosted accounts; nothing but the wire may ever show it. */
export const KEY = 'sk-Nobody/may+see=this';

const modules = [
  account,
  cloneVoice,
  credits,
  customVoices,
  listen,
  predictDuration,
  textToSpeech,
  usage,
  voiceSearch,
  core('sequence/17-split.js'),
];

/** A node of Node-RED's own set. */
function core(file: string): unknown {
  const paths = [path.dirname(require.resolve('node-red'))];
  return require(require.resolve(`@node-red/nodes/core/${file}`, { paths }));
}

/** Runs `work` with a flow that runs, and stops it; then nothing of it may be left running, and no error astray. */
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

/** Runs `work` with a flow whose account `account` is hosted by a scripted service. */
export function withHostedFlow<Result>(
  script: Script,
  nodes: FlowNode[],
  work: (flow: Flow, server: ScriptedServer) => Promise<Result>,
  { account: properties = {}, ...options }: FlowOptions = {},
): Promise<Result> {
  return withServer(script, (server) =>
    withFlow([hostedAccount(server.url, properties), ...nodes], (flow) => work(flow, server), {
      credentials: { account: { apiKey: KEY } },
      ...options,
    }),
  );
}

/** An account of a hosted service, without its key. */
export const hostedAccount = (url: string, more: object = {}): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  service: 'hosted',
  url,
  requestsPerMinute: '10000',
  voice_id: 'voice-1',
  ...more,
});

/** An account of the service on this machine. */
export const localAccount = (more: object = {}): FlowNode => ({
  id: 'account',
  type: 'herald-account',
  service: 'local',
  ...more,
});

/** A speech node `node` of the account `account`, with a recording node at each port. */
export const speechNode = (type: string, more: object = {}): FlowNode => ({
  id: 'node',
  type: `herald-${type}`,
  account: 'account',
  wires: PORTS,
  ...more,
});

/** The nodes that hear of every failure, success and status of the flow. */
export const watchers: FlowNode[] = [
  { id: 'catch', type: 'catch', scope: null, wires: [['caught']] },
  { id: 'complete', type: 'complete', scope: ['node'], wires: [['completed']] },
  { id: 'status', type: 'status', scope: null, wires: [['status-of']] },
];

async function startFlow(
  nodes: FlowNode[],
  { credentials = {}, settings = {}, core: more = [] }: FlowOptions,
): Promise<Flow> {
  helper.settings({ uiHost: '127.0.0.1', ...settings });
  let api: NodeAPI | undefined;
  const probe = (RED: NodeAPI) => {
    api = RED;
  };
  await helper.load([probe, ...modules, ...more.map(core)], wholeFlow(nodes), credentials);
  if (api === undefined) throw new Error('Node-RED loaded no nodes');
  return flowOf(api, nodes, credentials);
}

function flowOf(RED: NodeAPI, nodes: FlowNode[], credentials: object): Flow {
  const boxes = new Map(recordersOf(nodes).map((id) => [id, record(nodeOf(id))]));
  const boxOf = (id: string) => boxes.get(id) ?? fail(`there is no recording node ${id}`);
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

/** The helper waits 300 ms for flows to start, which a busy machine does not always do. */
function unlessHasty(error: Error): void {
  if (error.message !== 'timeout waiting event') throw error;
}

function wholeFlow(nodes: FlowNode[]): object[] {
  const recorders = recordersOf(nodes).map((id) => ({ id, type: 'helper', wires: [] }));
  const inFlow = [...nodes, ...recorders].map((node) =>
    // A node without a place in the editor is a config node to Node-RED.
    placeless.has(node.type) ? node : { z: 'flow', x: 1, y: 1, wires: [], ...node },
  );
  return [{ id: 'flow', type: 'tab', label: 'test' }, ...inFlow];
}

const placeless = new Set(['herald-account', 'http proxy', 'tls-config', 'subflow']);

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
  const box = boxes.get(id) ?? fail(`there is no recording node ${id}`);
  const index = box.taken++;
  await until(
    () => box.all.length > index,
    () => `nothing came out at ${id}; elsewhere: ${told(boxes)}`,
  );
  return box.all[index] ?? fail('a message was taken back');
}

/** Resolves when something is so; fails, saying what is missing, when that takes too long. */
export async function until(isSo: () => boolean, missing = () => 'it never came to be'): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(missing());
    await sleep(2);
  }
}

function told(boxes: Map<string, Box>): string {
  const lines = [...boxes].flatMap(([id, { all }]) =>
    all.map(({ error }) => `${id} ${JSON.stringify(error)}`),
  );
  return lines.join('; ').slice(0, 2000) || 'nothing';
}

function nodeOf(id: string): Node {
  return helper.getNode(id) ?? fail(`there is no node ${id}`);
}

function fail(message: string): never {
  throw new Error(message);
}
