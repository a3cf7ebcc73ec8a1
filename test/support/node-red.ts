import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = path.resolve(__dirname, '../..');
/** Another Node-RED than the installed one: its folder. */
const NODE_RED = process.env['NODE_RED'] || 'node-red';
const START_TIMEOUT_MS = 30_000;

/** A node of a flow, as an export holds it; a config node may bring its `credentials`. */
export interface FlowNode {
  id: string;
  type: string;
  [property: string]: unknown;
}

/** A Node-RED of its own, with the nodes of this checkout. */
export interface NodeRed {
  /** Address of the editor, ending in `/`. */
  url: string;
  /** Everything that it printed. */
  log(): string;
  /** Replaces the flows; resolves when the new ones run. */
  deploy(flows: readonly FlowNode[]): Promise<void>;
  /** The flows as they are stored, without credentials. */
  flows(): Promise<FlowNode[]>;
  /** Presses the button of an inject node. */
  inject(id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Node-RED on a free port with a folder of its own. The checkout has to be built. */
export async function startNodeRed(flows: readonly FlowNode[]): Promise<NodeRed> {
  const userDir = mkdtempSync(path.join(os.tmpdir(), 'herald-node-red-'));
  layOut(userDir);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const command = [require.resolve(`${NODE_RED}/red.js`), '--userDir', userDir, '--port', String(port)];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => printed.push(String(text)));
  const log = () => printed.join('');
  const stop = () => end(child, userDir);
  try {
    await answers(url, child, log);
    const nodeRed = { url, log, stop, ...adminOf(url) };
    await nodeRed.deploy(flows);
    return nodeRed;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The nodes are this checkout; nothing is asked of the network. */
function layOut(userDir: string): void {
  const scope = path.join(userDir, 'node_modules/@herald-speech');
  mkdirSync(scope, { recursive: true });
  symlinkSync(ROOT, path.join(scope, 'node-red'), 'junction');
  const settings = {
    uiHost: '127.0.0.1',
    credentialSecret: 'of a test',
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false, palette: { catalogues: [] } },
    logging: { console: { level: 'info' } },
  };
  writeFileSync(path.join(userDir, 'settings.js'), `module.exports = ${JSON.stringify(settings)};\n`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('there is no free port');
  return address.port;
}

async function answers(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const late = AbortSignal.timeout(START_TIMEOUT_MS);
  while (!late.aborted && child.exitCode === null) {
    const reply = await fetch(`${url}flows`).catch(() => undefined);
    await reply?.arrayBuffer();
    if (reply?.ok) return;
    await sleep(50);
  }
  throw new Error(`Node-RED did not start:\n${log()}`);
}

function adminOf(url: string): Pick<NodeRed, 'deploy' | 'flows' | 'inject'> {
  const ask = async (route: string, request: RequestInit = {}) => {
    const reply = await fetch(url + route, request);
    const body = await reply.text();
    if (!reply.ok) throw new Error(`${route}: ${reply.status} ${body}`);
    return body;
  };
  const headers = { 'content-type': 'application/json' };
  return {
    deploy: async (flows) =>
      void (await ask('flows', { method: 'POST', headers, body: JSON.stringify(flows) })),
    flows: async () => JSON.parse(await ask('flows')),
    inject: async (id) => void (await ask(`inject/${id}`, { method: 'POST' })),
  };
}

async function end(child: ChildProcess, userDir: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
  rmSync(userDir, { recursive: true, force: true, maxRetries: 5 });
}
