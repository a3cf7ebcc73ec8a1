/** Installs, builds and runs the tests of a checkout. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';
import { filesBelow } from './files.mjs';

export const root = path.resolve(import.meta.dirname, '..');

/**
 * Runs a command in the checkout and shows its output. Exits this process if the command fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').ExecFileSyncOptions} [options]
 */
export function run(command, args, options = {}) {
  try {
    execFileSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? error.status : 1;
    process.exit(typeof status === 'number' && status > 0 ? status : 1);
  }
}

/**
 * One worker more than cores, because tests wait for a browser, a service or a timer for 40 % of their time. Each worker starts
 * a browser and a Node-RED, and needs up to 1 GB of memory.
 */
const JOBS = Math.max(2, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 2 ** 30) - 1, 8));
const PARALLEL = ['--parallel', '--jobs', String(JOBS)];

/** Compiles all TypeScript files. Otherwise each worker of mocha compiles all of them at its start. */
export const compileTests = () =>
  run(process.execPath, ['--require', './test/support/typescript.cjs', 'test/support/shared.ts']);

/**
 * @param {string} checkout
 * @returns {string[]} script and options of mocha in a checkout
 */
export const mochaOf = (checkout) => [
  path.join(checkout, 'node_modules', 'mocha', 'bin', 'mocha.js'),
  ...PARALLEL,
];

/**
 * The files that take 15 s and more, and then the folders with long files. Mocha runs them in this order, so that no worker
 * is left with a long file at the end.
 */
const SLOW = [
  'test/speakers/announce.test.ts',
  'test/service/text-growth.test.ts',
  'test/nodes/editor/in-view.test.ts',
  'test/nodes/editor/legible.test.ts',
  'test/service/voices/engines/espeak.test.ts',
  'test/service/voices/engines/neural/',
  'test/nodes/editor/german.test.ts',
  'test/nodes/account.test.ts',
  'test/service/voices/engines/normalize/pronunciation.test.ts',
  'test/service/built-expressions.test.ts',
  'test/client/audio/changes.test.ts',
  'test/client/calls/limiter.test.ts',
  'test/nodes/editor/voices/',
  'test/service/console/natural.test.ts',
  'test/service/console/account.test.ts',
  'test/service/voices/engines/espeak-process.test.ts',
  'test/nodes/editor/dialogs.test.ts',
  'test/nodes/prompts-fleet.test.ts',
  'test/nodes/prompts/run/one-cache.test.ts',
  'test/nodes/fleet-instances.test.ts',
  'test/fleet/cache/processes.test.ts',
  'test/fleet/work/processes.test.ts',
  'test/fleet/limits/',
  'test/examples/telephony/',
  'test/client/upstreams/faults/',
  'test/service/voices/natural/',
  'test/service/openai/client.test.ts',
  'test/service/cli/cli.test.ts',
  'test/nodes/shared-service.test.ts',
  'test/nodes/runtime/retry-loops.test.ts',
  'test/nodes/lib/retries.test.ts',
  'test/nodes/prompts/run/spread.test.ts',
  'test/nodes/admin/account/explain-test.test.ts',
  'test/neural/',
  'test/service/accounts/metered.test.ts',
  'test/service/voices/clones/',
  'test/service/full-disk.test.ts',
  'test/service/http/',
  'test/nodes/editor/',
  'test/service/console/',
  'test/examples/',
  'test/audio/',
  'test/fleet/',
  'test/players/',
  'test/service/voices/engines/',
  'test/service/',
  'test/nodes/',
  'test/scripts/',
];

/**
 * @param {string} file
 * @returns {number} the position in `SLOW` of the file or its folder
 */
function rank(file) {
  const position = SLOW.findIndex((start) => file.startsWith(start));
  return position < 0 ? SLOW.length : position;
}

/**
 * @param {readonly string[]} folders folders below the checkout, with `/` at the end
 * @returns {string[]} their test files in the order for mocha, without those of `npm run test:real`
 */
export function testFiles(folders) {
  return folders
    .flatMap((folder) => filesBelow(path.join(root, folder)).map((file) => folder + file))
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/real/'))
    .toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other));
}

/**
 * Runs npm. Prefers the npm that runs this script: the first npm on the path may be the one of node-red, which has another
 * version. On Windows npm is a script, which needs a shell.
 * @param {...string} args
 */
export function npm(...args) {
  const { npm_execpath: cli = '' } = process.env;
  if (cli.endsWith('npm-cli.js')) run(process.execPath, [cli, ...args]);
  else run('npm', args, { shell: process.platform === 'win32' });
}

/**
 * Installs the packages if the installation differs from the lock file, then builds. With `HERALD_PREPARED=1` it does
 * nothing: `.ci/run` sets it for scripts that run at the same time, because a build replaces files that the others read.
 */
export function prepare() {
  if (process.env['HERALD_PREPARED'] === '1') return;
  if (!isInstalled(root)) {
    console.log('Installing packages. This takes about a minute ...');
    npm('ci');
  }
  run(process.execPath, ['scripts/build.mjs']);
}

/**
 * Compares the lock file with the file that npm writes at the end of an installation. Compares versions, because a copy has other
 * times, and another npm may write other fields: `npm start` must not install again without a network.
 * @param {string} checkout
 * @returns {boolean} whether all packages are installed, without the optional ones of other systems
 */
export function isInstalled(checkout) {
  const file = path.join(checkout, 'node_modules', '.package-lock.json');
  if (!existsSync(file)) return false;
  const [wanted, installed] = [packagesIn(path.join(checkout, 'package-lock.json')), packagesIn(file)];
  const isFit = (/** @type {string} */ name) =>
    installed[name] === undefined
      ? wanted[name]?.['optional'] === true
      : installed[name]['version'] === wanted[name]?.['version'];
  return Object.keys({ ...wanted, ...installed }).every(isFit);
}

/**
 * @param {string} file a lock file
 * @returns {Record<string, Record<string, unknown>>} its packages by folder. Only a lock file of a project has the project itself
 */
function packagesIn(file) {
  const { '': _project, ...packages } = JSON.parse(readFileSync(file, 'utf8')).packages;
  return packages;
}
