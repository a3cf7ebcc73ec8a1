// Packs the six packages, installs the tarballs into an empty user directory as the palette does, and generates speech
// with the installed nodes: on Node 20 with Node-RED 4.1, and on Node 24 with Node-RED 5.0. Then runs the public validator
// on the installation.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually, nodeBinary, nodeRedFolder, npm, withNodeRed } from '../other-node-red.mjs';
import { prepare, root } from '../prepare.mjs';
import { runDocumentedCommands } from './documented-commands.mjs';
import { validate } from './validator/validator.mjs';

/** Writes a stub voice to the folder in its first argument. */
const INSTALL = `
  const { installStub } = require('./test/support/natural/installed-stub.ts');
  installStub(process.argv[1], { name: 'en_US-stub-medium' });
`;

/** Prints the length of the audio. Its first argument is the data folder. */
const NATURAL = `
  const { startService } = require('@herald-speech/local-service');
  async function speak() {
    const service = await startService({ port: 0, data: process.argv[2] });
    const reply = await fetch(service.url + '/v1/text-to-speech/en_US-stub-medium', {
      method: 'POST',
      headers: { 'x-sup-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello', language: 'en' }),
    });
    if (!reply.ok) throw new Error(await reply.text());
    console.log((await reply.arrayBuffer()).byteLength);
    await service.close();
  }
  void speak();
`;

/** Prints `apart` when the member of a fleet has found no Redis. Ends only if no timer or socket remains. */
const FLEET = `
  const { joinFleet } = require('@herald-speech/fleet');
  const fleet = joinFleet({
    url: 'redis://127.0.0.1:9',
    account: { url: 'http://127.0.0.1:9', apiKey: 'key' },
    onChange({ isJoined, reason }) {
      if (isJoined || reason === undefined) return;
      console.log('apart');
      void fleet.close();
    },
  });
`;

/** Prints `searched` when all kinds of speakers have been searched for half a second. Ends only if no timer or socket remains. */
const SPEAKERS = `
  const { kindNames, kindOf } = require('@herald-speech/speakers');
  const search = async (name) => {
    for await (const speaker of kindOf(name).find(AbortSignal.timeout(500))) void speaker;
  };
  void Promise.all(kindNames.map(search)).then(() => console.log('searched'));
`;

const matrix = [
  { node: '20', nodeRed: '4.1' },
  { node: '24', nodeRed: '5.0' },
];

prepare();
const work = mkdtempSync(path.join(tmpdir(), 'herald-packed-'));
try {
  const tarballs = pack();
  let userDir = '';
  for (const { node, nodeRed } of matrix) userDir = await tryOut(node, nodeRed, tarballs);
  await validate(process.execPath, userDir, path.join(work, 'validator'));
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

/** Packs the packages, and fails if a tarball holds a file that no user needs. Returns the paths of the tarballs. */
function pack() {
  const wanted =
    /^(package\.json|zod\.(cjs|d\.cts)|README\.md|LICENSE|CHANGELOG\.md|(bin|dist|resources|icons|examples)\/.*)$/;
  const packages = ['.', './client', './audio', './service', './fleet', './neural', './speakers'];
  const listing = npm(process.execPath, root, 'pack', '--json', '--pack-destination', work, ...packages);
  /** @type {{filename: string, files: {path: string}[]}[]} */
  const tarballs = JSON.parse(listing);
  return tarballs.map(({ filename, files }) => {
    const stray = files.map((file) => file.path).filter((file) => !wanted.test(file));
    assert.deepEqual(stray, [], `${filename} holds files that no user needs`);
    console.log(`packed ${filename}: ${files.length} files`);
    return path.join(work, filename);
  });
}

/**
 * @param {string} node major version of Node.js
 * @param {string} nodeRed major and minor version
 * @param {readonly string[]} tarballs
 * @returns {Promise<string>} the user directory with the installed packages
 */
async function tryOut(node, nodeRed, tarballs) {
  const folder = path.join(work, `node-${node}`);
  const userDir = path.join(folder, 'user');
  mkdirSync(userDir, { recursive: true });
  for (const place of [folder, userDir]) writeFileSync(path.join(place, 'package.json'), '{"private": true}');
  const binary = nodeBinary(node, folder);
  const runtime = nodeRedFolder(binary, nodeRed, folder);
  npm(binary, userDir, 'install', '--engine-strict', ...tarballs);
  copyFileSync(path.join(root, 'examples', 'first-words.json'), path.join(userDir, 'flows.json'));
  theCommandRuns(binary, userDir);
  theFleetConnects(binary, userDir);
  theSpeakersAreSearched(binary, userDir);
  await withNodeRed(binary, runtime, userDir, async (address) => {
    await nodesAreLoaded(address);
    await itSpeaks(address);
  });
  theNaturalVoiceSpeaks(binary, userDir);
  const commands = await runDocumentedCommands(userDir, { node: binary });
  console.log(`${commands.length} commands of the documentation run in the installation`);
  console.log(`the packed nodes load and speak on Node ${node} with Node-RED ${nodeRed}`);
  return userDir;
}

/**
 * Runs the command of the local service as `npx` does.
 * @param {string} binary
 * @param {string} userDir
 */
function theCommandRuns(binary, userDir) {
  const printed = npm(binary, userDir, 'exec', '--offline', '--', 'herald-service', '--version');
  assert.match(printed, /^\d+\.\d+\.\d+\n$/);
}

/**
 * Joins a fleet at a port without a server, as a program with the client does. The member reports the reason and closes.
 * @param {string} binary
 * @param {string} userDir
 */
function theFleetConnects(binary, userDir) {
  const script = path.join(userDir, 'fleet.cjs');
  writeFileSync(script, FLEET);
  const printed = execFileSync(binary, [script], { cwd: userDir, encoding: 'utf8', timeout: 60_000 });
  assert.equal(printed, 'apart\n');
}

/**
 * @param {string} binary
 * @param {string} userDir
 */
function theSpeakersAreSearched(binary, userDir) {
  const script = path.join(userDir, 'speakers.cjs');
  writeFileSync(script, SPEAKERS);
  const printed = execFileSync(binary, [script], { cwd: userDir, encoding: 'utf8', timeout: 60_000 });
  assert.equal(printed, 'searched\n');
}

/** @param {string} address */
async function nodesAreLoaded(address) {
  const reply = await eventually(`${address}/nodes`, { headers: { accept: 'application/json' } });
  /** @type {{module: string, types: string[], id: string, enabled: boolean, err?: string}[]} */
  const installed = await reply.json();
  const sets = installed.filter(({ module }) => module === '@herald-speech/node-red');
  const { 'node-red': declared } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  assert.deepEqual(sets.flatMap(({ types }) => types).sort(), Object.keys(declared.nodes).sort());
  for (const { id, enabled, err } of sets) assert.ok(enabled && !err, `${id}: ${err}`);
}

/** @param {string} address */
async function itSpeaks(address) {
  const reply = await eventually(`${address}/say?text=Hello`);
  assert.equal(reply.headers.get('content-type'), 'audio/wav');
  const audio = Buffer.from(await reply.arrayBuffer());
  assert.equal(audio.toString('latin1', 0, 4), 'RIFF');
  assert.ok(audio.length > 10_000, `${audio.length} bytes are no "Hello"`);
}

/**
 * Speaks with a stub voice through the installed service and its neural process.
 * @param {string} binary
 * @param {string} userDir
 */
function theNaturalVoiceSpeaks(binary, userDir) {
  const data = path.join(userDir, 'natural');
  const loader = path.join(root, 'test', 'support', 'typescript.cjs');
  execFileSync(process.execPath, ['--require', loader, '-e', INSTALL, path.join(data, 'voices')], {
    cwd: root,
  });
  const script = path.join(userDir, 'natural.cjs');
  writeFileSync(script, NATURAL);
  const length = Number(execFileSync(binary, [script, data], { cwd: userDir, encoding: 'utf8' }));
  assert.ok(length > 10_000, `${length} bytes are no "Hello"`);
}
