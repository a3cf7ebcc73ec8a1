/** Installs the programs of the tests on Debian and Ubuntu. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { forgetLacks, missingPackages } from './programs.mjs';

/** Exit code 101 of this file is Debian's way to forbid the start of system services: the tests start their own servers. */
const POLICY = '/usr/sbin/policy-rc.d';
const FORBID = '#!/bin/sh\n# Written by the tests of Herald for the time of an installation.\nexit 101\n';
const OPTIONS = ['install', '-y', '-qq', '--no-install-recommends'];

/**
 * @param {readonly string[]} packages
 * @returns {string} the command that installs the packages which this system knows. Without a list of packages, all of them
 */
export function installCommand(packages) {
  const known = knownOf(packages);
  return ['apt-get', ...OPTIONS, ...(known.length > 0 ? known : packages)].join(' ');
}

/**
 * Ubuntu has no chromium-headless-shell: such a package must not prevent the others.
 * @param {readonly string[]} packages
 */
const knownOf = (packages) =>
  packages.filter((name) => spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0);

/**
 * Installs the Debian packages of missing programs if this process is root and the system has apt-get. Asks first in a
 * terminal. A failed installation is reported, and the run leaves out the tests without their programs.
 * @param {readonly import('./programs.mjs').ProgramName[]} [names] default: the programs of `npm test`
 */
export async function installPrograms(names) {
  const packages = missingPackages(names);
  const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (packages.length === 0 || !isPossible || !(await isWanted(packages))) return;
  withoutServices(() => install(packages));
  forgetLacks();
}

/**
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>}
 */
async function isWanted(packages) {
  const list = packages.join(' ');
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    console.log(`Installing the programs of the tests (no service is started): ${list}`);
    return true;
  }
  return agrees(`Install the programs of the tests: ${list}? [Y/n] `);
}

/**
 * Asks the user. The end of the input, such as Ctrl-D in a terminal, means no. Ctrl-C ends this process.
 * @param {string} question
 * @param {{ stdin: NodeJS.ReadableStream, stdout: NodeJS.WritableStream }} [streams]
 * @returns {Promise<boolean>}
 */
export async function agrees(question, { stdin, stdout } = process) {
  const terminal = createInterface({ input: stdin, output: stdout });
  terminal.once('SIGINT', () => process.exit(130));
  const ended = once(terminal, 'close').then(() => 'no');
  // Ctrl-D rejects the question in a terminal, and leaves it open elsewhere.
  const answered = terminal.question(question).catch(() => 'no');
  const answer = await Promise.race([answered, ended]);
  terminal.close();
  return !/^\s*n/i.test(answer);
}

/** @param {readonly string[]} packages */
function install(packages) {
  apt('update', '-qq');
  const known = knownOf(packages);
  const { status } = apt(...OPTIONS, ...known);
  if (status !== 0) console.log(`The installation failed: ${installCommand(known)}`);
}

/** @param {readonly string[]} args */
const apt = (...args) =>
  spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

/**
 * Runs `work` while the start of system services is forbidden. An existing policy of the system stays as it is.
 * @param {() => void} work
 */
function withoutServices(work) {
  if (existsSync(POLICY) && readFileSync(POLICY, 'utf8') !== FORBID) return work();
  const remove = () => rmSync(POLICY, { force: true });
  const end = () => process.exit(1);
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  writeFileSync(POLICY, FORBID, { mode: 0o755 });
  process.once('exit', remove);
  for (const signal of signals) process.once(signal, end);
  try {
    work();
  } finally {
    remove();
    process.off('exit', remove);
    for (const signal of signals) process.off(signal, end);
  }
}
