/**
 * Measures the loudness of all voices over the HTTP interface of the built local service: eight sentences of each voice, with the
 * gain of the voice. Prints a table in Markdown: integrated loudness, standard deviation of the sentences, and highest true peak.
 * Usage: `node scripts/loudness.mjs [--data FOLDER] [--write]`. FOLDER has installed natural voices. `--write` corrects the table of
 * the simple voices, `service/voices/engines/loudness-of-voices.ts`; run it again after a build until no voice changes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/** @typedef {{ id: string, language: string }} Listed */
/** @typedef {{ id: string, kind: string, lufs: number, spread: number, peak: number }} Row */

const root = path.join(import.meta.dirname, '..');
const table = path.join(root, 'service/voices/engines/loudness-of-voices.ts');
const require = createRequire(import.meta.url);
require(path.join(root, 'test/support/typescript.cjs'));
/** @param {string} file @returns {any} */
const source = (file) => require(path.join(root, file));
const { measureLoudness } = source('client/audio/loudness/integrated.ts');
const { parseWav } = source('client/audio/wav.ts');
const { startPeaks } = source('client/audio/loudness/true-peak.ts');
const { testSentences } = source('service/voices/engines/test-sentences.ts');
const { VOICE_LOUDNESS } = source('service/kit/audio/level.ts');
const { loudnessOfVoice } = source('service/voices/engines/loudness-of-voices.ts');

const { values } = parseArgs({ options: { data: { type: 'string' }, write: { type: 'boolean' } } });
const rows = await withService(values.data, measureAll);
print(rows);
if (values.write) writeTable(rows);

/**
 * @param {string | undefined} folder the data folder, by default an empty one
 * @param {(service: { url: string, key: string }) => Promise<Row[]>} work
 */
async function withService(folder, work) {
  const data = folder ?? mkdtempSync(path.join(os.tmpdir(), 'herald-loudness-'));
  const cli = path.join(root, 'service/dist/cli/cli.js');
  const flags = ['--port', '0', '--data', data, '--json', '--quiet'];
  const child = spawn(process.execPath, [cli, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    return await work(JSON.parse(line));
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
    if (folder === undefined) rmSync(data, { recursive: true });
  }
}

/** @param {{ url: string, key: string }} service */
async function measureAll(service) {
  /** @type {Row[]} */
  const all = [];
  for (const voice of await listVoices(service)) all.push(await measure(service, voice));
  return all;
}

/** @param {{ url: string, key: string }} service @returns {Promise<(Listed & { kind: string })[]>} */
async function listVoices({ url, key }) {
  const all = [];
  let token = '';
  do {
    const query = new URLSearchParams({ page_size: '100', ...(token && { next_page_token: token }) });
    const reply = await fetch(`${url}/v1/voices?${query}`, { headers: { 'x-sup-api-key': key } });
    const { items, next_page_token: next } = await reply.json();
    all.push(...items);
    token = next ?? '';
  } while (token !== '');
  return all.map(({ voice_id: id, language: [language], natural, description }) => ({
    id,
    language,
    kind: natural ? 'natural' : description.includes('Flite') ? 'Flite' : 'eSpeak NG',
  }));
}

/**
 * @param {{ url: string, key: string }} service
 * @param {Listed & { kind: string }} voice
 * @returns {Promise<Row>}
 */
async function measure({ url, key }, { id, language, kind }) {
  /** @type {Float32Array[]} */
  const sentences = [];
  let sampleRate = 0;
  for (const text of testSentences(language)) {
    const reply = await fetch(`${url}/v1/text-to-speech/${id}`, {
      method: 'POST',
      headers: { 'x-sup-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ text, language }),
    });
    if (!reply.ok) throw new Error(`${id}: status ${reply.status}: ${await reply.text()}`);
    const { format, data } = parseWav(new Uint8Array(await reply.arrayBuffer()));
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    sampleRate = format.sampleRate;
    sentences.push(
      Float32Array.from({ length: data.length / 2 }, (_, at) => view.getInt16(2 * at, true) / 32_768),
    );
  }
  const levels = sentences.map((samples) => measureLoudness(samples, sampleRate));
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  const variance = levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length;
  const all = Float32Array.from(sentences.flatMap((samples) => [...samples]));
  /** @type {Float32Array} */
  const peaks = startPeaks(sampleRate).push(all);
  const peak = 20 * Math.log10(peaks.reduce((highest, value) => Math.max(highest, value), 0));
  return { id, kind, lufs: measureLoudness(all, sampleRate), spread: Math.sqrt(variance), peak };
}

/** @param {Row[]} all */
function print(all) {
  console.log('| voice | engine | LUFS | spread, LU | peak, dBTP |\n|---|---|---|---|---|');
  for (const { id, kind, lufs, spread, peak } of all)
    console.log(`| ${id} | ${kind} | ${lufs.toFixed(1)} | ${spread.toFixed(1)} | ${peak.toFixed(1)} |`);
  const levels = all.map(({ lufs }) => lufs);
  const [lowest, highest] = [Math.min(...levels), Math.max(...levels)].map((lufs) => lufs.toFixed(2));
  console.log(`\n${all.length} voices, from ${lowest} to ${highest} LUFS. Target: ${VOICE_LOUDNESS} LUFS`);
}

/** @param {Row[]} all */
function writeTable(all) {
  const simple = all.filter(({ kind }) => kind !== 'natural');
  const before = (/** @type {string} */ id) => loudnessOfVoice(id);
  const lines = simple.map(
    ({ id, lufs }) => `  '${id}': ${(before(id) + lufs - VOICE_LOUDNESS).toFixed(1)},`,
  );
  const source = readFileSync(table, 'utf8');
  writeFileSync(table, source.replace(/(= \{\n)[^]*?(\n?\};)/, `$1${lines.join('\n')}\n};`));
}
