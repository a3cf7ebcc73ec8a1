// Packs the three packages, installs the tarballs into an empty Node-RED user directory as the palette does, and
// speaks with them: on Node 20 with Node-RED 4.1, and on Node 24 with Node-RED 5.0.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepare, root } from './prepare.mjs';

const READY_WITHIN_MS = 60_000;
const matrix = [
  { node: '20', nodeRed: '~4.1.0' },
  { node: '24', nodeRed: '~5.0.0' },
];

prepare();
const work = mkdtempSync(path.join(tmpdir(), 'herald-packed-'));
try {
  const tarballs = pack();
  for (const { node, nodeRed } of matrix) await tryOut(node, nodeRed, tarballs);
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

/** The tarballs, each holding only what it needs. */
function pack() {
  const wanted = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|(dist|resources|icons|examples)\/.*)$/;
  const packages = ['.', './client', './service'];
  const listing = npm(process.execPath, root, 'pack', '--json', '--pack-destination', work, ...packages);
  return JSON.parse(listing).map(({ filename, files }) => {
    const stray = files.map((file) => file.path).filter((file) => !wanted.test(file));
    assert.deepEqual(stray, [], `${filename} holds what it does not need`);
    console.log(`packed ${filename}: ${files.length} files`);
    return path.join(work, filename);
  });
}

async function tryOut(node, nodeRed, tarballs) {
  const folder = path.join(work, `node-${node}`);
  const userDir = path.join(folder, 'user');
  mkdirSync(userDir, { recursive: true });
  for (const place of [folder, userDir]) writeFileSync(path.join(place, 'package.json'), '{"private": true}');
  const binary = nodeBinary(node, folder);
  npm(binary, folder, 'install', `node-red@${nodeRed}`);
  npm(binary, userDir, 'install', '--engine-strict', ...tarballs);
  copyFileSync(path.join(root, 'examples', 'first-words.json'), path.join(userDir, 'flows.json'));
  await withNodeRed(binary, folder, userDir, async (address) => {
    await nodesAreLoaded(address);
    await itSpeaks(address);
  });
  console.log(`the packed nodes load and speak on Node ${node} with Node-RED ${nodeRed}`);
}

/** This Node where its version fits, else the one that a package brings. */
function nodeBinary(version, folder) {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  npm(
    process.execPath,
    folder,
    'install',
    '--ignore-scripts',
    `node-${process.platform}-${process.arch}@${version}`,
  );
  return path.join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
}

/** npm itself runs on the Node in question: its engine check looks at that one. */
function npm(binary, cwd, ...args) {
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

async function withNodeRed(binary, folder, userDir, work) {
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

async function nodesAreLoaded(address) {
  const reply = await eventually(`${address}/nodes`, { headers: { accept: 'application/json' } });
  const sets = (await reply.json()).filter(({ module }) => module === '@herald-speech/node-red');
  const { 'node-red': declared } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  assert.deepEqual(sets.flatMap(({ types }) => types).sort(), Object.keys(declared.nodes).sort());
  for (const { id, enabled, err } of sets) assert.ok(enabled && !err, `${id}: ${err}`);
}

async function itSpeaks(address) {
  const reply = await eventually(`${address}/say?text=Hello`);
  assert.equal(reply.headers.get('content-type'), 'audio/wav');
  const audio = Buffer.from(await reply.arrayBuffer());
  assert.equal(audio.toString('latin1', 0, 4), 'RIFF');
  assert.ok(audio.length > 10_000, `${audio.length} bytes are no "Hello"`);
}

/** The reply once it is 200; what stood in the way when it never is. */
async function eventually(url, options) {
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
