/**
 * Shows that usage reports do not slow down with the number of recorded uses, because the ledger keeps sums per hour.
 * Two databases hold the same 30 days of three keys and four voices in two styles, one with five times as many uses
 * (in the smaller one, each hour already has a use of each combination).
 * The ratio compares the time of each report, during which the event loop of the service waits.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { log, median, report, timeOf } from './support.mjs';

const require = createRequire(import.meta.url);
const dist = path.join(import.meta.dirname, '..', 'service', 'dist');
/** @type {typeof import('../service/accounts/ledger.js')} */
const { openLedger } = require(path.join(dist, 'accounts', 'ledger.js'));
/** @type {typeof import('../service/kit/data-lock.js')} */
const { lockDataFolder } = require(path.join(dist, 'kit', 'data-lock.js'));

/** @typedef {import('../service/accounts/ledger.js').AccountLedger} Ledger */

const FEW = 20_000;
const MANY = 100_000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const TRIES = 15;
const BOUND = 1.5;

const [few, many] = [await open(FEW), await open(MANY)];
try {
  for (const [name, ofFew] of few.reports) compare(name, ofFew, many.reports.get(name) ?? ofFew);
} finally {
  await few.close();
  await many.close();
}

/**
 * @param {string} name
 * @param {() => void} ofFew reports the smaller history
 * @param {() => void} ofMany reports the larger history
 */
function compare(name, ofFew, ofMany) {
  /** @type {number[]} */
  const fewTimes = [];
  /** @type {number[]} */
  const manyTimes = [];
  for (let count = 0; count < TRIES; count++) {
    fewTimes.push(timeOf(ofFew));
    manyTimes.push(timeOf(ofMany));
  }
  const ratio = median(manyTimes) / median(fewTimes);
  report({ name: `usage report ${name}, ${MANY} uses`, ratio, baseline: `${FEW} uses`, bound: BOUND });
}

/**
 * Opens a ledger in a temporary folder and records uses in it.
 * @param {number} uses
 */
async function open(uses) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'herald-bench-'));
  const lock = await lockDataFolder(folder);
  const clock = { now: START };
  const ledger = openLedger(lock, () => clock.now);
  const account = ledger.accounts.unlimited('local').id;
  log(`${uses} uses recorded in ${timeOf(() => record(ledger, account, clock, uses)).toFixed(0)} ms`);
  const close = async () => {
    ledger.close();
    await lock.release();
    rmSync(folder, { recursive: true });
  };
  return { reports: reportsOf(ledger, account), close };
}

/**
 * @param {Ledger} ledger
 * @param {string} account
 * @param {{now: number}} clock
 * @param {number} uses
 */
function record(ledger, account, clock, uses) {
  ledger.transaction(() => {
    for (let index = 0; index < uses; index++) {
      clock.now = START + Math.floor((index * 30 * DAY) / uses);
      use(ledger, account, index);
    }
  });
}

/**
 * @param {Ledger} ledger
 * @param {string} account
 * @param {number} index
 */
function use(ledger, account, index) {
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

/**
 * @param {Ledger} ledger
 * @param {string} account
 * @returns {Map<string, () => void>} reports by name
 */
function reportsOf(ledger, account) {
  const iso = (/** @type {number} */ time) => new Date(time).toISOString();
  const days = { start_time: iso(START), end_time: iso(START + 30 * DAY), page_size: 20 };
  /** @type {('voice_id' | 'api_key' | 'model')[]} */
  const breakdown_type = ['voice_id', 'api_key', 'model'];
  const dates = { start_date: '2026-01-01', end_date: '2026-01-30' };
  return new Map([
    ['by voice', () => void ledger.usage.byVoice(account, dates)],
    ['by day', () => void ledger.usage.byTime(account, days)],
    ['by day with breakdown', () => void ledger.usage.byTime(account, { ...days, breakdown_type })],
    [
      'by hour with breakdown',
      () => void ledger.usage.byTime(account, { ...days, breakdown_type, bucket_width: 'hour' }),
    ],
  ]);
}
