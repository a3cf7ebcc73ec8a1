import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from '@herald-speech/client';
import { freePort } from '../net/free-port.js';
import { spawned } from '../spawned.js';

const ROOT = path.resolve(__dirname, '../../..');
/** Longer than a start takes on a busy computer. */
const START_TIMEOUT_MS = 120_000;

/** A node in the format of an exported flow. A config node may have `credentials`. */
export interface FlowNode {
  id: string;
  type: string;
  [property: string]: unknown;
}

/** A Node-RED process with the nodes of this checkout. */
export interface NodeRed {
  /** Address of the editor, ending in `/`. */
  url: string;
  /** All text that Node-RED has printed. */
  log(): string;
  /** Replaces the flows, and resolves when the new ones run. */
  deploy(flows: readonly FlowNode[]): Promise<void>;
  /** The stored flows, without credentials. */
  flows(): Promise<FlowNode[]>;
  /** Resolves at the next start of the flows. Node-RED answers a deploy before it starts the flows. */
  nextStart(): Promise<void>;
  /** Presses the button of an inject node. */
  inject(id: string): Promise<void>;
  stop(): Promise<void>;
  /** Kills the process as `kill -9` does. `stop` is still needed. */
  kill(): Promise<void>;
}

export interface NodeRedOptions {
  /** More settings. */
  settings?: object;
  /** JavaScript for the end of the settings file, after `module.exports` is set. */
  script?: string;
  /** A user with write permission, if the settings define users. */
  user?: User;
}

/** Core nodes that take a quarter of the start of Node-RED. `settings: { nodesExcludes: [] }` loads them. */
const SLOW_NODES = ['10-mqtt.js', '21-httprequest.js', '22-websocket.js', '31-tcpin.js', '32-udp.js'];

/** A user of the editor. */
export interface User {
  username: string;
  password: string;
}

/** Starts Node-RED on a free port with a new user directory. The checkout must be built. */
export async function startNodeRed(
  flows: readonly FlowNode[],
  options: NodeRedOptions = {},
): Promise<NodeRed> {
  for (let triesLeft = 2; ; triesLeft -= 1) {
    try {
      return await startAt(await freePort(), flows, options);
    } catch (error) {
      // Node-RED takes its port a second after the check. A program of the machine can be faster.
      if (triesLeft === 0 || !String(error).includes('Error: port in use')) throw error;
    }
  }
}

async function startAt(
  port: number,
  flows: readonly FlowNode[],
  { settings = {}, script = '', user }: NodeRedOptions,
): Promise<NodeRed> {
  const userDir = mkdtempSync(path.join(os.tmpdir(), 'herald-node-red-'));
  layOut(userDir, settings, script, user?.username);
  const url = `http://127.0.0.1:${port}/`;
  const command = [require.resolve('node-red/red.js'), '--userDir', userDir, '--port', String(port)];
  // `deploy` reads the English log.
  const env = { ...withoutProxies(process.env), LC_ALL: 'C' };
  const child = spawned(spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  // A parallel worker exits without a call of `stop`.
  const abandon = () => child.kill('SIGKILL') && rmSync(userDir, { recursive: true, force: true });
  process.once('exit', abandon);
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => printed.push(String(text)));
  child.once('exit', (code, signal) => printed.push(`\nNode-RED exited with ${signal ?? code}\n`));
  const log = () => printed.join('');
  const stop = async () => {
    await end(child, userDir);
    process.off('exit', abandon);
  };
  try {
    await answers(url, child, log);
    await startedMore(log, 0);
    const kill = async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    };
    const nodeRed = { url, log, stop, kill, ...adminOf(url, log, user && (await logIn(url, user))) };
    await nodeRed.deploy(flows);
    return nodeRed;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The environment without the proxies of the machine, which tests set by themselves. */
function withoutProxies(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^https?_proxy$/i.test(name)));
}

/** Prepares a user directory with the nodes of this checkout. Its Node-RED never uses the network. */
function layOut(userDir: string, more: object, script: string, editor = '_'): void {
  const scope = path.join(userDir, 'node_modules/@herald-speech');
  mkdirSync(scope, { recursive: true });
  symlinkSync(ROOT, path.join(scope, 'node-red'), 'junction');
  // The nodes use no code editor, and Ace loads in a quarter of the time of Monaco.
  const editorTheme = { tours: false, palette: { catalogues: [] }, codeEditor: { lib: 'ace' } };
  const settings = {
    uiHost: '127.0.0.1',
    // The palette manager runs npm at each start.
    externalModules: { autoInstall: false, palette: { allowInstall: false, allowUpload: false } },
    nodesExcludes: SLOW_NODES,
    credentialSecret: 'of a test',
    telemetry: { enabled: false, updateNotification: false },
    editorTheme,
    logging: { console: { level: 'info' } },
    ...more,
  };
  writeFileSync(
    path.join(userDir, 'settings.js'),
    `module.exports = ${JSON.stringify(settings)};\n${script}`,
  );
  // The editor of 5.0 shows its first tip after a second, and throws if its sidebar is not ready by then.
  const view = { 'view-show-tips': false };
  writeFileSync(path.join(userDir, '.config.users.json'), JSON.stringify({ [editor]: { editor: { view } } }));
}

async function answers(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const late = AbortSignal.timeout(START_TIMEOUT_MS);
  while (!late.aborted && child.exitCode === null) {
    const reply = await fetch(`${url}flows`).catch(() => undefined);
    await reply?.arrayBuffer();
    // 401: the settings define users.
    if (reply?.ok || reply?.status === 401) return;
    await sleep(50);
  }
  throw new Error(`Node-RED did not start. Its log:\n${log()}`);
}

/** Returns the access token of a user. */
export async function logIn(url: string, user: User): Promise<string> {
  const reply = await fetch(`${url}auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: 'node-red-admin', grant_type: 'password', scope: '', ...user }),
  });
  return tokenReply.parse(await reply.json()).access_token;
}

const tokenReply = z.object({ access_token: z.string() });

/** The number of times that flows have started. Only the log (English or German) shows it: Node-RED answers a deploy earlier. */
const startsIn = (log: string): number =>
  log.match(/Started (modified )?(flows|nodes)|(Flows|Nodes) sind gestartet/g)?.length ?? 0;

async function startedMore(log: () => string, than: number): Promise<void> {
  const late = AbortSignal.timeout(START_TIMEOUT_MS);
  while (startsIn(log()) <= than) {
    if (late.aborted) throw new Error(`The flows did not start. The log of Node-RED:\n${log()}`);
    await sleep(5);
  }
}

function adminOf(
  url: string,
  log: () => string,
  token?: string,
): Pick<NodeRed, 'deploy' | 'flows' | 'nextStart' | 'inject'> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const ask = async (route: string, request: RequestInit = {}) => {
    const reply = await fetch(url + route, { ...request, headers }).catch((cause: unknown) => {
      throw new Error(`${route}: Node-RED does not reply. Its log:\n${log()}`, { cause });
    });
    const body = await reply.text();
    if (!reply.ok) throw new Error(`${route}: ${reply.status} ${body}`);
    return body;
  };
  return {
    async deploy(flows) {
      const before = startsIn(log());
      await ask('flows', { method: 'POST', body: JSON.stringify(flows) });
      await startedMore(log, before);
    },
    nextStart: () => startedMore(log, startsIn(log())),
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
