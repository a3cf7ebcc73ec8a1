/**
 * How usage reports bear a long history: `node bench/usage-reports.mjs [REQUESTS]` (100,000) after `npm run build`.
 * Records that many uses over 30 days, of three keys and four voices in two styles each, and prints how large the
 * database is and how long each report keeps the event loop. Nothing of the network is in it.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';

const require = createRequire(import.meta.url);
const dist = path.join(import.meta.dirname, '..', 'service', 'dist');
const { openLedger } = require(path.join(dist, 'accounts', 'ledger.js'));
const { lockDataFolder } = require(path.join(dist, 'store', 'data-lock.js'));

const REQUESTS = Number(process.argv[2] ?? 100_000);
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const TRIES = 5;

const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
const lock = await lockDataFolder(folder);
const clock = { now: START };
const ledger = openLedger(lock, () => clock.now);

try {
  const account = ledger.accounts.unlimited('local').id;
  console.log(`${REQUESTS} uses recorded: ${ms(timeOf(() => record(account)))}, ${size()}`);
  console.log(`one more, on the disk: ${ms(median(() => use(account, 0)))}`);
  report(account);
} finally {
  ledger.close();
  await lock.release();
  rmSync(folder, { recursive: true });
}

function record(account) {
  ledger.transaction(() => {
    for (let index = 0; index < REQUESTS; index++) {
      clock.now = START + Math.floor((index * 30 * DAY) / REQUESTS);
      use(account, index);
    }
  });
}

function use(account, index) {
  const voice = `voice-${index % 4}`;
  ledger.credits.settle(ledger.credits.reserve(account, 0), 1.5, {
    api_key: `key-${index % 3}`,
    voice_id: voice,
    voice_name: voice,
    style: index % 8 < 4 ? 'neutral' : 'happy',
    language: 'en',
    model: 'main_speech_1',
  });
}

function report(account) {
  const iso = (time) => new Date(time).toISOString();
  const all = { start_time: iso(START), end_time: iso(START + 30 * DAY), page_size: 20 };
  const breakdown_type = ['voice_id', 'api_key', 'model'];
  const reports = {
    'by voice, 30 days': () =>
      ledger.usage.byVoice(account, { start_date: '2026-01-01', end_date: '2026-01-30' }),
    'by day, 20 days': () => ledger.usage.byTime(account, all),
    'by day, 20 days, broken down': () => ledger.usage.byTime(account, { ...all, breakdown_type }),
    'by hour, 20 hours, broken down': () =>
      ledger.usage.byTime(account, { ...all, breakdown_type, bucket_width: 'hour' }),
  };
  for (const [name, read] of Object.entries(reports)) console.log(`${name}: ${ms(median(read))}`);
}

function median(work) {
  const times = Array.from({ length: TRIES }, () => timeOf(work));
  return times.sort((a, b) => a - b)[Math.floor(TRIES / 2)];
}

function timeOf(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function size() {
  const bytes = ['', '-wal'].map((end) => statSync(path.join(folder, `herald.sqlite${end}`)).size);
  return `${((bytes[0] + bytes[1]) / 1e6).toFixed(1)} MB`;
}

function ms(time) {
  return `${time.toFixed(1)} ms`;
}
