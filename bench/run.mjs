/**
 * Runs the benches: `npm run bench [-- NAME...]` after `npm run build`.
 *
 * A bench is a module `bench/NAME.bench.mjs`. It runs in a separate process, prints its results to stdout, one JSON
 * object per line in the form of `Result`, and logs to stderr. The runner writes them to `bench/results/NAME.json` and
 * as a table to `bench/README.md`. Exits with 1 if a bench fails or a result exceeds its bound.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Result
 * @property {string} name The measured thing, as the table names it.
 * @property {number} ratio The measured value, divided by the value of `baseline` from the same run.
 * @property {string} [baseline] Subject of the comparison.
 * @property {number} [value] The value that `bound` limits, if it is not the ratio.
 * @property {number} bound The largest allowed value.
 * @property {string} [unit] Unit of `value` and `bound`; without it both are ratios.
 */

const FOLDER = import.meta.dirname;
const README = path.join(FOLDER, 'README.md');
const RESULTS = path.join(FOLDER, 'results');
const SUFFIX = '.bench.mjs';

const wanted = process.argv.slice(2);
const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => file.slice(0, -SUFFIX.length))
  .filter((name) => wanted.length === 0 || wanted.includes(name));

const passed = names.map(measure);
writeTable();
process.exitCode = passed.length > 0 && passed.every(Boolean) ? 0 : 1;

/**
 * Runs one bench and writes its results.
 * @param {string} name
 * @returns {boolean} Whether it ran to its end within its bounds.
 */
function measure(name) {
  console.log(`${name} ...`);
  const script = path.join(FOLDER, name + SUFFIX);
  const { status, stdout } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) {
    console.error(`${name}: the bench failed with exit code ${status}`);
    return false;
  }
  /** @type {Result[]} */
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const machine = { node: process.version, cpus: os.cpus().length, cpu: os.cpus()[0]?.model };
  const report = { measuredAt: new Date().toISOString().slice(0, 10), ...machine, results };
  writeFileSync(path.join(RESULTS, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  for (const result of results) console.log(`  ${rowOf(result).join(' | ')}`);
  return results.every(isWithinBound);
}

/** Writes the table of all stored results between the two markers in the README. */
function writeTable() {
  const rows = readdirSync(RESULTS)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(path.join(RESULTS, file), 'utf8')).results)
    .map((result) => `| ${rowOf(result).join(' | ')} |`);
  const table = ['| bench | ratio | value | bound |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const text = readFileSync(README, 'utf8').replace(
    /(<!-- results -->\n)[^]*(\n<!-- end of results -->)/,
    (_, before, after) => `${before}\n${table}\n${after}`,
  );
  writeFileSync(README, text);
  const oxfmt = fileURLToPath(import.meta.resolve('oxfmt/package.json'));
  execFileSync(process.execPath, [path.join(path.dirname(oxfmt), 'bin', 'oxfmt'), README]);
}

/** @param {Result} result */
function isWithinBound({ value, ratio, bound }) {
  return (value ?? ratio) <= bound;
}

/**
 * @param {Result} result
 * @returns {string[]} The cells of one row of the table.
 */
function rowOf(result) {
  const { name, baseline, ratio, value, bound, unit = '' } = result;
  const measured = value === undefined ? '' : `${rounded(value)} ${unit}`;
  const limit = `${isWithinBound(result) ? '' : 'exceeded: '}${bound} ${unit}`.trim();
  return [name, `${rounded(ratio)}${baseline === undefined ? '' : ` of ${baseline}`}`, measured, limit];
}

/** @param {number} value */
function rounded(value) {
  return value.toFixed(value < 10 ? 2 : 0);
}
