import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** Runs a command in the checkout with its output in sight; ends this process when it fails. */
export function run(command, args, options = {}) {
  try {
    execFileSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  } catch (error) {
    process.exit(typeof error.status === 'number' && error.status > 0 ? error.status : 1);
  }
}

/** The test runner of a checkout, with two files at once: most of its time it waits for browsers and child processes. */
export const mochaOf = (checkout) => [
  path.join(checkout, 'node_modules', 'mocha', 'bin', 'mocha.js'),
  '--parallel',
  '--jobs',
  '2',
];

/**
 * The npm that runs this script, if one does: by its name the one that node-red brings would be found first, which is of
 * another version. By name npm is a script on Windows, which only a shell starts.
 */
export function npm(...args) {
  const { npm_execpath: cli = '' } = process.env;
  if (cli.endsWith('npm-cli.js')) run(process.execPath, [cli, ...args]);
  else run('npm', args, { shell: process.platform === 'win32' });
}

/** Installs and builds what is missing or older than its source. */
export function prepare() {
  if (!isInstalled()) npm('ci');
  run(process.execPath, ['scripts/build.mjs']);
}

/** npm writes this file last; a lock file that is newer has come since. */
function isInstalled() {
  const installed = path.join(root, 'node_modules', '.package-lock.json');
  const wanted = path.join(root, 'package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs;
}
