/** Installs and runs other versions of Node.js and Node-RED. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './prepare.mjs';

const READY_WITHIN_MS = 60_000;

/**
 * Returns the executable of a Node.js version: this one if its version matches, otherwise one installed from a package.
 * @param {string} version major version
 * @param {string} folder folder to install the package in
 * @returns {string} path
 */
export function nodeBinary(version, folder) {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  npm(process.execPath, folder, 'install', '--ignore-scripts', `${name}@${version}`);
  return path.join(folder, 'node_modules', name, 'bin', 'node');
}

/**
 * Returns a folder with a Node-RED version: this checkout if its version matches, otherwise a new installation.
 * @param {string} binary path of the Node.js executable
 * @param {string} version major and minor version
 * @param {string} folder folder to install the package in
 */
export function nodeRedFolder(binary, version, folder) {
  const manifest = path.join(root, 'node_modules', 'node-red', 'package.json');
  if (JSON.parse(readFileSync(manifest, 'utf8')).version.startsWith(`${version}.`)) return root;
  npm(binary, folder, 'install', `node-red@~${version}.0`);
  return folder;
}

/**
 * Runs npm on the given Node.js, so that its engine check tests that version.
 * @param {string} binary path of the Node.js executable
 * @param {string} cwd
 * @param {string[]} args
 * @returns {string} the output of npm
 */
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
 * Runs the Node-RED that is installed in a folder until `work` ends. If `work` fails, prints the log of Node-RED.
 * @param {string} binary path of the Node.js executable
 * @param {string} folder folder with the package `node-red`
 * @param {string} userDir Node-RED's user directory
 * @param {(address: string) => Promise<void>} work gets the address of Node-RED, without a slash at the end
 */
export async function withNodeRed(binary, folder, userDir, work) {
  const port = await freePort();
  const red = path.join(folder, 'node_modules', 'node-red', 'red.js');
  const settings = path.join(root, 'scripts', 'demo', 'settings.cjs');
  const child = spawn(binary, [red, '--settings', settings, '--userDir', userDir, '--port', String(port)], {
    env: {
      ...process.env,
      HERALD_DATA: path.join(userDir, 'data'),
      HERALD_CACHE: path.join(userDir, 'cache'),
    },
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

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new Error('expected the server to listen on a port');
  return address.port;
}

/**
 * Requests a URL until the reply is OK, for at most a minute.
 * @param {string} url
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 * @throws Error with the last reply
 */
export async function eventually(url, options) {
  const late = AbortSignal.timeout(READY_WITHIN_MS);
  let last = 'no reply';
  while (!late.aborted) {
    const reply = await fetch(url, options).catch(() => undefined);
    if (reply?.ok) return reply;
    last = reply === undefined ? last : `${reply.status} ${await reply.text()}`;
    await sleep(250);
  }
  throw new Error(`${url}: ${last}`);
}
