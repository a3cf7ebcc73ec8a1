// Runs the tests of the nodes and the examples on Node 24 with Node-RED 5.0, tests in the browser included. They run in a
// copy of this checkout with Node-RED 5.0 installed, so that every `require('node-red')` loads that version.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeBinary, npm } from './other-node-red.mjs';
import { mochaOf, prepare, root, testFiles } from './prepare.mjs';

const NODE = '24';
const NODE_RED = '5.0';
const NOT_COPIED = new Set(['.git', '.herald', 'coverage', 'node_modules']);

const given = process.argv.slice(2);
const specs = given.length > 0 ? given : testFiles(['test/nodes/', 'test/examples/']);

prepare();
const work = mkdtempSync(path.join(tmpdir(), 'herald-node-red-5-'));
try {
  const { binary, copy } = install();
  const { status } = spawnSync(binary, [...mochaOf(copy), ...specs], { cwd: copy, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

function install() {
  const copy = path.join(work, 'checkout');
  cpSync(root, copy, { recursive: true, filter: (file) => !NOT_COPIED.has(path.basename(file)) });
  mkdirSync(path.join(work, 'node'));
  writeFileSync(path.join(work, 'node', 'package.json'), '{"private": true}');
  const binary = nodeBinary(NODE, path.join(work, 'node'));
  npm(binary, copy, 'install', '--no-save', `node-red@~${NODE_RED}.0`);
  const manifest = path.join(copy, 'node_modules', 'node-red', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const node = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim();
  assert.ok(version.startsWith(`${NODE_RED}.`) && node.startsWith(`v${NODE}.`));
  console.log(`Node-RED ${version} on Node ${node}: ${specs.length} test files`);
  return { binary, copy };
}
