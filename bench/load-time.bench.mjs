/**
 * Compares the time to load all node modules, as Node-RED loads them at its start, with the time to load undici, which
 * any HTTP client of the nodes needs. The nodes load undici and zod when a flow creates the first client, so a second
 * result includes that step. Each load runs in a new process; the variants alternate.
 * Usage: `node bench/load-time.bench.mjs [ROUNDS]`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { log, median, report } from './support.mjs';

const ROUNDS = Number(process.argv[2] ?? 21);
const ROOT = path.join(import.meta.dirname, '..');

/** @type {{'node-red': {nodes: Record<string, string>}}} */
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const nodes = Object.values(manifest['node-red'].nodes).map((file) => path.join(ROOT, file));

const loadNodes = `for (const file of ${JSON.stringify(nodes)}) require(file);`;
const createClient = `require('@herald-speech/client').createClient({ url: 'http://127.0.0.1', apiKey: 'key' });`;
const variants = {
  undici: "require('undici');",
  nodes: loadNodes,
  client: loadNodes + createClient,
};

/** @type {{undici: number, nodes: number, client: number}[]} Milliseconds per variant. */
const rounds = [];
for (let round = -2; round < ROUNDS; round++) {
  const { undici, nodes, client } = variants;
  const times = { undici: timeToRun(undici), nodes: timeToRun(nodes), client: timeToRun(client) };
  if (round >= 0) rounds.push(times); // The first rounds fill the file cache.
}
const undici = median(rounds.map((times) => times.undici));
log(`undici: ${undici.toFixed(1)} ms`);
const nodesTime = median(rounds.map((times) => times.nodes));
report({
  name: `loading all ${nodes.length} nodes`,
  ratio: nodesTime / undici,
  baseline: 'loading undici',
  value: nodesTime - undici,
  unit: 'ms more than undici',
  bound: 40,
});
report({
  name: 'loading all nodes and creating a client',
  ratio: median(rounds.map((times) => times.client)) / undici,
  baseline: 'loading undici',
  bound: 3,
});

/**
 * @param {string} code
 * @returns {number} Milliseconds that the code takes in a new process.
 */
function timeToRun(code) {
  const timed = `const start = performance.now(); ${code} console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ['-e', timed], { cwd: ROOT, encoding: 'utf8' }));
}
