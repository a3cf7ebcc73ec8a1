/**
 * `npm run test:soak`: runs all tests eight times, four of them beside two busy processes. Then runs each file 30 times that
 * uses a browser, another process or a real clock. Appends each run with its failures to a record, also if it is stopped early.
 *
 * `--runs 8 --busy 4 --files 30 --record .cache/soak.md` are the defaults. Zero leaves a part out.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compileTests, mochaOf, prepare, root, testFiles } from '../prepare.mjs';
import { kindsOf } from './kinds.mjs';

/** @typedef {{ fullTitle: string, file: string, err: { message?: string, stack?: string } }} Failure */
/** @typedef {{ stats: { passes: number, failures: number }, failures: Failure[] }} Report the reporter `json` of mocha */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '8' },
    busy: { type: 'string', default: '4' },
    files: { type: 'string', default: '30' },
    record: { type: 'string', default: path.join(root, '.cache', 'soak.md') },
  },
});
const record = path.resolve(values.record);
const REPORT = path.join(root, '.cache', `soak-${process.pid}.json`);
const BUSY = path.join(import.meta.dirname, 'busy.mjs');

prepare();
compileTests();
mkdirSync(path.dirname(record), { recursive: true });
const all = testFiles(['test/']);
const soaked = all.filter((file) => kindsOf(file).size > 0);
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const isChanged = git('status', '--porcelain') !== '';
write(
  `\n## ${new Date().toISOString()}, commit ${git('rev-parse', 'HEAD')}${isChanged ? ' with changes' : ''}\n`,
);
const [runs, busy, rounds] = [Number(values.runs), Number(values.busy), Number(values.files)];
let failed = 0;
for (let run = 1; run <= runs; run += 1) {
  const isBusy = run > runs - busy;
  failed += await soak(
    `all ${all.length} files, run ${run} of ${runs}${isBusy ? ', two busy processes' : ''}`,
    all,
    isBusy,
  );
}
for (let round = 1; round <= rounds; round += 1)
  failed += await soak(`${soaked.length} files, round ${round} of ${rounds}`, soaked, false);
write(failed === 0 ? '- no failure' : `- runs with failures: ${failed}`);
process.exitCode = Math.min(failed, 1);

/**
 * Runs files once and records the run.
 * @param {string} title
 * @param {readonly string[]} files
 * @param {boolean} isBusy
 * @returns {Promise<number>} 1 if the run failed
 */
async function soak(title, files, isBusy) {
  const others = isBusy ? [1, 2].map(() => spawn(process.execPath, [BUSY], { stdio: 'ignore' })) : [];
  const start = performance.now();
  const before = loadavg()[0];
  rmSync(REPORT, { force: true });
  const status = await mocha(files);
  for (const other of others) other.kill('SIGKILL');
  const seconds = Math.round((performance.now() - start) / 1000);
  const load = [before, loadavg()[0]].map((value) => value?.toFixed(1)).join(' to ');
  write(`- ${title}: ${seconds} s, load ${load}, ${outcome(status)}`);
  return status === 0 ? 0 : 1;
}

/**
 * @param {readonly string[]} files
 * @returns {Promise<number | null>} the exit code
 */
async function mocha(files) {
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${REPORT}`];
  const child = spawn(process.execPath, [...mochaOf(root), ...reporter, ...files], {
    cwd: root,
    // Mocha prints the complete report also if it writes it to a file.
    stdio: ['ignore', 'ignore', 'inherit'],
    // A suite left out is a failure.
    env: { ...process.env, CI: 'true' },
  });
  await once(child, 'exit');
  return child.exitCode;
}

/**
 * @param {number | null} status
 * @returns {string} the counts, and each failure in a line
 */
function outcome(status) {
  /** @type {Report} */
  let report;
  try {
    report = JSON.parse(readFileSync(REPORT, 'utf8'));
  } catch {
    return `ended with exit code ${status} without a report`;
  }
  const { stats, failures } = report;
  const lines = failures.map(
    ({ fullTitle, file, err }) => `\n  - ${path.relative(root, file)}: ${fullTitle}\n    ${indented(err)}`,
  );
  return `${stats.passes} passed, ${stats.failures} failed${lines.join('')}`;
}

/** @param {Failure['err']} error */
const indented = ({ stack, message = 'no message' }) => (stack ?? message).replaceAll('\n', '\n    ');

/** @param {string} text */
function write(text) {
  console.log(text);
  appendFileSync(record, `${text}\n`);
}
