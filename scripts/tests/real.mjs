/**
 * `npm run test:real`: runs the tests below `test/real/` with real peers and real weights, or the suites in its arguments.
 * A suite whose packages or programs cannot be installed is left out. Exits with 1 only if a test fails.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { filesBelow } from '../files.mjs';
import { prepare, root } from '../prepare.mjs';
import { lack } from './programs.mjs';
import { runBounded } from './run-bounded.mjs';
import { installPrograms } from './install.mjs';

/**
 * @typedef {import('./programs.mjs').ProgramName} ProgramName
 * @typedef {{ name: string, seconds: number, outcome: 'passed' | 'failed' | 'left out', reason?: string }} Result
 */

/**
 * Programs of the suites. A suite with a file `requirements.txt` also needs Python. A file `npm.txt` has packages of the npm registry.
 * @type {Readonly<Record<string, readonly ProgramName[]>>}
 */
const PROGRAMS = {
  openai: ['ffmpeg'],
  'openai-servers': ['ffmpeg'],
  'home-assistant': ['ffmpeg', 'mpd'],
  players: ['gmediarender', 'mopidy', 'ip', 'ffmpeg'],
};
/** Milliseconds for the Python packages of a suite. */
const INSTALL_LIMIT_MS = 300_000;
/** A registry that does not answer must not cost minutes. */
const PIP = [
  '-m',
  'pip',
  'install',
  '--quiet',
  '--disable-pip-version-check',
  '--timeout',
  '15',
  '--retries',
  '1',
];
/** Milliseconds for the tests of a suite. Only a hung peer takes longer, also on a busy machine: the longest suite takes 130 s alone. */
const SUITE_LIMIT_MS = 600_000;
/** Milliseconds from the start of this process after which no suite starts. Hung peers cannot use up the time of a CI run. */
const RUN_LIMIT_MS = 1_500_000;
const MOCHA = path.join(root, 'node_modules/mocha/bin/mocha.js');

const suites = chosenSuites(process.argv.slice(2));
process.chdir(root);
prepare();
await installPrograms([...new Set(suites.flatMap(programsOf))]);
/** @type {Result[]} */
const results = [];
for (const name of suites) results.push(await runSuite(name));
console.log(`\nReal peers and real weights:\n${results.map(lineOf).join('\n')}`);
if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;

/** @param {readonly string[]} wanted */
function chosenSuites(wanted) {
  const files = filesBelow(path.join(root, 'test/real')).filter((file) => file.endsWith('.test.ts'));
  const all = [...new Set(files.map((file) => file.split('/')[0] ?? ''))].toSorted();
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown === undefined) return wanted.length > 0 ? wanted : all;
  console.error(`suite "${unknown}": unknown. Use ${all.join(', ')}.`);
  process.exit(2);
}

/** @param {string} name */
function needsPython(name) {
  return existsSync(path.join(root, 'test/real', name, 'requirements.txt'));
}

/**
 * @param {string} name
 * @returns {readonly ProgramName[]}
 */
function programsOf(name) {
  return [...(needsPython(name) ? /** @type {const} */ (['python3']) : []), ...(PROGRAMS[name] ?? [])];
}

/**
 * @param {string} name
 * @returns {Promise<Result>}
 */
async function runSuite(name) {
  const start = performance.now();
  const seconds = () => Math.round((performance.now() - start) / 1000);
  const missing = programsOf(name)
    .map(lack)
    .find((reason) => reason !== undefined);
  const late = start > RUN_LIMIT_MS ? `it would start after ${RUN_LIMIT_MS / 60_000} minutes` : undefined;
  const reason =
    late ??
    missing ??
    (needsPython(name) ? await preparePython(name) : undefined) ??
    (await preparePackages(name));
  if (reason !== undefined) return { name, seconds: seconds(), outcome: 'left out', reason };
  console.log(`\n${name}: prepared in ${seconds()} s`);
  const args = [MOCHA, `test/real/${name}/**/*.test.ts`];
  const failure = await runBounded(process.execPath, args, { limit: SUITE_LIMIT_MS, isShown: true });
  if (failure === undefined) return { name, seconds: seconds(), outcome: 'passed' };
  return { name, seconds: seconds(), outcome: 'failed', reason: failure };
}

/**
 * Installs the packages of `test/real/SUITE/requirements.txt` in `.cache/real/SUITE`. Installed packages need no registry.
 * @param {string} suite
 * @returns {Promise<string | undefined>} the reason of a failure
 */
async function preparePython(suite) {
  const folder = path.join(root, '.cache/real', suite);
  const python = path.join(folder, 'bin/python');
  if (!existsSync(path.join(folder, 'bin/pip'))) {
    const failure = await runBounded('python3', ['-m', 'venv', folder], { limit: INSTALL_LIMIT_MS });
    if (failure !== undefined) return `Python makes no environment: ${failure}`;
  }
  const requirements = path.join(root, 'test/real', suite, 'requirements.txt');
  const args = [...PIP, '--requirement', requirements];
  const failure = await runBounded(python, args, { limit: INSTALL_LIMIT_MS });
  return failure && `the Python packages cannot be installed: ${failure}`;
}

/**
 * Installs the packages of `test/real/SUITE/npm.txt` in `.cache/real/SUITE`. Installed packages need no registry.
 * @param {string} suite
 * @returns {Promise<string | undefined>} the reason of a failure
 */
async function preparePackages(suite) {
  const list = path.join(root, 'test/real', suite, 'npm.txt');
  if (!existsSync(list)) return undefined;
  const packages = readFileSync(list, 'utf8').trim().split('\n');
  const folder = path.join(root, '.cache/real', suite);
  mkdirSync(folder, { recursive: true });
  const flags = [
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ];
  const failure = await runBounded('npm', ['install', ...flags, ...packages], { limit: INSTALL_LIMIT_MS });
  return failure && `the packages of npm cannot be installed: ${failure}`;
}

/** @param {Result} result */
function lineOf({ name, seconds, outcome, reason }) {
  return `  ${name.padEnd(16)}${outcome.padEnd(10)}${String(seconds).padStart(4)} s${reason ? `  ${reason}` : ''}`;
}
