/** The programs of `npm run test:real` beside Node.js. */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/**
 * @typedef {object} Program
 * @property {readonly string[]} packages Debian packages
 * @property {readonly string[]} works a command that succeeds if the program can do its work
 * @property {string} otherwise the reason if the command fails
 */

/** @satisfies {Record<string, Program>} */
export const programs = {
  python3: {
    packages: ['python3', 'python3-venv'],
    works: ['python3', '-c', 'import ensurepip, venv'],
    otherwise: 'Python 3 with its module venv is missing',
  },
  ffmpeg: { packages: ['ffmpeg'], works: ['ffmpeg', '-version'], otherwise: 'ffmpeg is missing' },
  gmediarender: {
    packages: ['gmediarender', 'gstreamer1.0-plugins-base', 'gstreamer1.0-plugins-good'],
    works: ['gmediarender', '--version'],
    otherwise: 'gmediarender is missing',
  },
  ip: {
    packages: ['iproute2'],
    works: ['unshare', '--net', 'ip', 'link', 'set', 'lo', 'up'],
    otherwise: 'a network of its own needs root and iproute2',
  },
};

/** @typedef {keyof typeof programs} ProgramName */

/** Exit code 101 of this file forbids the start of services in an installation (Debian). */
const POLICY = '/usr/sbin/policy-rc.d';
const APT_LIMIT_MS = 240_000;

/**
 * @param {ProgramName} name
 * @returns {string | undefined} the reason why tests cannot use the program
 */
export function lack(name) {
  const { works, otherwise } = programs[name];
  const [command = name, ...args] = works;
  return spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0 ? undefined : otherwise;
}

/**
 * Installs missing programs, if this process runs as root on Debian or Ubuntu. A failure leaves them missing.
 * @param {readonly ProgramName[]} names
 */
export function installMissing(names) {
  const packages = names
    .filter((name) => lack(name) !== undefined)
    .flatMap((name) => programs[name].packages);
  if (packages.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(`Installing ${packages.join(' ')} ...`);
  const isOwnPolicy = !existsSync(POLICY);
  if (isOwnPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
  } finally {
    if (isOwnPolicy) rmSync(POLICY, { force: true });
  }
}

/** @param {...string} args */
function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: APT_LIMIT_MS });
}
