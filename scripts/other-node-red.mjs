/** Node-RED on another Node than this one: what is tried on more versions than are installed here. */
import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './prepare.mjs';

const READY_WITHIN_MS = 60_000;

/**
 * This Node where its version fits, else the one that a package brings.
 * @param version the major one
 * @param folder where packages may be installed
 * @returns the program's path
 */
export function nodeBinary(version, folder) {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  npm(process.execPath, folder, 'install', '--ignore-scripts', `${name}@${version}`);
  return path.join(folder, 'node_modules', name, 'bin', 'node');
}

/** What npm prints; npm itself runs on the Node in question: its engine check looks at that one. */
export function npm(binary, cwd, ...args) {
  const cli = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  const command = [
    path.join(cli, 'npm', 'bin', 'npm-cli.js'),
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    ...args,
  ];
  return execFileSync(binary, command, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
}

/**
 * Runs the Node-RED that is installed in a folder, for as long as `work` takes.
 * @param work is given its address, without a slash at the end
 */
export async function withNodeRed(binary, folder, userDir, work) {
  const port = await freePort();
  const red = path.join(folder, 'node_modules', 'node-red', 'red.js');
  const settings = path.join(root, 'scripts', 'demo-settings.cjs');
  const child = spawn(binary, [red, '--settings', settings, '--userDir', userDir, '--port', String(port)], {
    env: { ...process.env, HERALD_DATA: path.join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.on('data', (text) => (log += text));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await work(`http://127.0.0.1:${port}`);
  } catch (error) {
    console.error(log);
    throw error;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The reply once it is 200; throws what stood in the way when it never is. */
export async function eventually(url, options) {
  const late = AbortSignal.timeout(READY_WITHIN_MS);
  let last = 'no answer';
  while (!late.aborted) {
    const reply = await fetch(url, options).catch(() => undefined);
    if (reply?.ok) return reply;
    last = reply === undefined ? last : `${reply.status} ${await reply.text()}`;
    await sleep(250);
  }
  throw new Error(`${url}: ${last}`);
}
