// Runs the tests of all functions of Node-RED that Herald uses on Node 24 with Node-RED 5.0, tests in the browser included. They run in a
// copy of this checkout with Node-RED 5.0 installed, so that every `require('node-red')` loads that version.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeRedTests } from './node-red-functions.mjs';
import { nodeBinary, npm } from '../other-node-red.mjs';
import { compileTests, prepare, root } from '../prepare.mjs';
import { runTests } from './run.mjs';

const NODE = '24';
const NODE_RED = '5.0';
const NOT_COPIED = new Set(['.git', '.herald', 'coverage']);

const given = process.argv.slice(2);
const specs = given.length > 0 ? given : nodeRedTests;

prepare();
compileTests();
const work = mkdtempSync(path.join(tmpdir(), 'herald-node-red-5-'));
try {
  const { binary, copy } = install();
  runTests(specs, { binary, checkout: copy });
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 });
}

/** Copies the checkout with its packages, so that only the packages of Node-RED are installed. */
function install() {
  const copy = path.join(work, 'checkout');
  const isCopied = (/** @type {string} */ file) => !NOT_COPIED.has(path.relative(root, file));
  // The compiled tests in `.cache` count as current if they have the modification times of their sources.
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, filter: isCopied });
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
