/**
 * Shows that a plan of 1,000 prompts with all checks takes less than 2 seconds: reading the table and the manifest, hashes of
 * the rows, and checks of the files. In the second plan, all files have new times, as after a copy of the folder, so the plan
 * reads their content. The ratio compares each plan with reading the files one after another.
 *
 * Also measures the longest time in which a plan of 100,000 prompts into a new folder lets no other event of Node-RED happen.
 */
import { mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { log, report, timeOf } from './support.mjs';

const require = createRequire(import.meta.url);
const dist = path.join(import.meta.dirname, '..', 'dist', 'nodes', 'prompts');
/** @type {typeof import('../nodes/prompts/table/read-table.js')} */
const { readTable } = require(path.join(dist, 'table', 'read-table.js'));
/** @type {typeof import('../nodes/prompts/files/manifest.js')} */
const { Manifest } = require(path.join(dist, 'files', 'manifest.js'));
/** @type {typeof import('../nodes/prompts/files/plan-run.js')} */
const { planRun } = require(path.join(dist, 'files', 'plan-run.js'));
/** @type {typeof import('../nodes/prompts/files/save-prompt.js')} */
const { savePrompt } = require(path.join(dist, 'files', 'save-prompt.js'));
/** @type {typeof import('../nodes/prompts/files/estimate.js')} */
const { estimatorOf } = require(path.join(dist, 'files', 'estimate.js'));
/** @type {typeof import('../nodes/prompts/files/hash.js')} */
const { hashOf } = require(path.join(dist, 'files', 'hash.js'));

const ROWS = 1000;
/** Bytes of a file: three seconds of 8 kHz audio with 16 bits. */
const BYTES = 48_000;
const MOST_MS = 2000;
const PARALLEL = 4;
const MANY_ROWS = 100_000;
/** Work between two turns takes 10 ms. The rest is the collection of garbage, and other processes of the computer. */
const MOST_BLOCKED_MS = 500;
const { signal } = new AbortController();

const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
const lines = Array.from(
  { length: ROWS },
  (_, row) => `menu ${row % 20}/${row},Prompt ${row}: please press the key.`,
);
const csv = ['filename,text', ...lines].join('\r\n');
try {
  const names = await makeFiles();
  const baseline = timeOf(() => names.forEach((name) => readFileSync(path.join(folder, name))));
  await measure('plan of 1,000 unchanged prompts', baseline);
  for (const name of names) utimesSync(path.join(folder, name), new Date(0), new Date(0));
  await measure('plan of 1,000 copied prompts, with their content', baseline);
  await measureBlock();
} finally {
  rmSync(folder, { recursive: true });
}

/** Measures the longest pause between two timers during a plan into a new folder. */
async function measureBlock() {
  const rows = Array.from({ length: MANY_ROWS }, (_, row) => ({
    number: row,
    given: {},
    filename: `menu ${row % 20}/${row}.wav`,
    text: `Prompt ${row}: please press the key.`,
    voice: {},
  }));
  const inner = path.join(folder, 'new');
  const manifest = await Manifest.open(inner, signal);
  const input = { table: { rows, wrong: [] }, manifest, folder: inner, estimate: estimatorOf([]) };
  let last = performance.now();
  let longest = 0;
  const beat = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(beat, 1);
  const start = last;
  const plan = await planRun({ ...input, hashOf: ({ text }) => hashOf({ text }) }, signal);
  beat();
  clearInterval(timer);
  if (plan.counts.new !== MANY_ROWS) throw new Error(`${plan.counts.new} new rows`);
  const value = longest;
  log(`longest pause in a plan of 100,000 prompts: ${value.toFixed(0)} ms`);
  report({
    name: 'longest pause in a plan of 100,000 prompts into a new folder',
    ratio: value / (performance.now() - start),
    baseline: 'the whole plan',
    value,
    unit: 'ms',
    bound: MOST_BLOCKED_MS,
  });
}

/** @returns {Promise<string[]>} the file names of the rows */
async function makeFiles() {
  const { rows } = await tableOf();
  const manifest = await Manifest.open(folder, signal);
  const rest = rows.values();
  const worker = async () => {
    for (const { filename, text } of rest) {
      const facts = { filename, text, hash: hashOf({ text }), seconds: 3, voice_id: '', language: 'en' };
      await savePrompt({ folder, manifest }, { ...facts, data: Buffer.alloc(BYTES, text) }, signal);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  await manifest.close();
  return rows.map(({ filename }) => filename);
}

/** Reads the table of the rows. */
function tableOf() {
  return readTable(csv, { extensionOf: () => 'wav', isFormat: () => false, markup: 'remove', signal });
}

/**
 * @param {string} name
 * @param {number} baseline milliseconds
 */
async function measure(name, baseline) {
  const start = performance.now();
  const table = await tableOf();
  const manifest = await Manifest.open(folder, signal);
  const estimate = estimatorOf(manifest.all());
  const plan = await planRun(
    { table, manifest, folder, estimate, hashOf: ({ text }) => hashOf({ text }) },
    signal,
  );
  const value = performance.now() - start;
  if (plan.counts.unchanged !== ROWS) throw new Error(`${plan.counts.unchanged} unchanged rows`);
  log(`${name}: ${value.toFixed(0)} ms`);
  report({
    name,
    ratio: value / baseline,
    baseline: 'reading the files',
    value,
    unit: 'ms',
    bound: MOST_MS,
  });
}
