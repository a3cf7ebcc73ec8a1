/** The programs that tests use beside Node.js. `npm test` installs them on Debian, and leaves out suites without them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * @typedef {object} Program
 * @property {readonly string[]} packages Debian packages
 * @property {string} use the tests that use it
 * @property {boolean} [real] true if only `npm run test:real` uses it
 * @property {readonly string[]} [works] a command that succeeds if the program can do its work
 * @property {string} [rights] the reason why `works` fails if the program is installed
 */

/** @type {readonly string[]} folders of programs. The path of an ordinary user lacks the last one. */
const FOLDERS = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin'];

/** The headless shell comes first: it takes three quarters of the CPU time of the complete browser. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Sends a packet to this computer by multicast, as a search for speakers does. */
const MULTICAST = `
const { createSocket } = require('node:dgram');
const group = '224.0.0.251';
const host = '127.0.0.1';
const to = createSocket('udp4', () => process.exit(0));
const from = createSocket('udp4');
to.bind(0, () => {
  to.addMembership(group, host);
  from.bind(0, host, () => {
    from.setMulticastInterface(host);
    setInterval(() => from.send('herald', to.address().port, group), 100);
  });
});
setTimeout(() => process.exit(1), 5000);
`;

/** @satisfies {Record<string, Program>} */
export const programs = {
  chromium: { packages: ['chromium-headless-shell'], use: 'pages in a browser' },
  ffmpeg: { packages: ['ffmpeg'], use: 'decoded audio' },
  ffprobe: { packages: ['ffmpeg'], use: 'format and length of audio' },
  ffplay: { packages: ['ffmpeg'], use: 'a player' },
  sox: { packages: ['sox'], use: 'a strict reader of audio' },
  snapserver: { packages: ['snapserver'], use: 'a player in several rooms' },
  snapclient: { packages: ['snapclient'], use: 'a player in several rooms' },
  mpd: { packages: ['mpd'], use: 'a player of music' },
  pulseaudio: { packages: ['pulseaudio', 'pulseaudio-utils'], use: 'a sound card' },
  node: {
    packages: ['nodejs'],
    use: 'a search in the network',
    works: ['node', '-e', MULTICAST],
    rights: 'this network has no multicast',
  },
  mosquitto: { packages: ['mosquitto'], use: 'an MQTT broker' },
  'redis-server': { packages: ['redis-server'], use: 'the fleet' },
  curl: { packages: ['curl'], use: 'the commands in the documentation' },
  ps: { packages: ['procps'], use: 'processes that a test must not leave behind' },
  ip: {
    packages: ['iproute2', 'util-linux'],
    use: 'a network of its own for players',
    works: ['unshare', '--net', 'ip', 'link', 'set', 'lo', 'up'],
    rights: 'networks need root',
  },
  unshare: {
    packages: ['util-linux'],
    use: 'a disk that is full or read-only',
    works: ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt && mount -o remount,ro /mnt'],
    rights: 'a disk of its own needs the right to mount',
  },
  python3: {
    packages: ['python3', 'python3-venv'],
    use: 'peers in Python',
    real: true,
    works: ['python3', '-c', 'import ensurepip, venv'],
  },
  mopidy: { packages: ['mopidy'], use: 'a player of music', real: true },
  gmediarender: {
    packages: ['gmediarender', 'gstreamer1.0-plugins-base', 'gstreamer1.0-plugins-good'],
    use: 'a DLNA renderer',
    real: true,
  },
};

/** @typedef {keyof typeof programs} ProgramName */

/**
 * @param {string} program
 * @returns {string | undefined} its path
 */
const pathOf = (program) =>
  FOLDERS.map((folder) => path.join(folder, program)).find((file) => existsSync(file));

/** @returns {string | undefined} the executable of Chromium or Chrome; the environment variable `CHROMIUM` sets another one */
export const chromium = () =>
  process.env['CHROMIUM'] || BROWSERS.map(pathOf).find((file) => file !== undefined);

/** @type {Map<ProgramName, string | undefined>} */
const known = new Map();

/**
 * @param {ProgramName} name
 * @returns {string | undefined} the reason why tests cannot use the program; undefined if they can
 */
export function lack(name) {
  if (!known.has(name)) known.set(name, findLack(name));
  return known.get(name);
}

/** Looks for all programs again, after an installation. */
export const forgetLacks = () => known.clear();

/**
 * @param {ProgramName} name
 * @returns {string | undefined}
 */
function findLack(name) {
  /** @type {Program} */
  const { works, rights } = programs[name];
  if (!isFound(name)) return `${name} is missing`;
  if (works === undefined) return undefined;
  const [command = name, ...args] = works;
  const { status } = spawnSync(command, args, { stdio: 'ignore', env: withFolders(), timeout: 20_000 });
  return status === 0 ? undefined : (rights ?? `${name} is incomplete`);
}

/** @param {ProgramName} name */
const isFound = (name) => (name === 'chromium' ? chromium() : pathOf(name)) !== undefined;

/** @returns {NodeJS.ProcessEnv} the environment in which all programs are on the path */
export const withFolders = () => ({ ...process.env, PATH: FOLDERS.join(path.delimiter) });

/** The names of the programs of `npm test`. */
const usual = /** @type {ProgramName[]} */ (Object.keys(programs)).filter(
  (name) => !('real' in programs[name]),
);

/**
 * @param {readonly ProgramName[]} [names]
 * @returns {string[]} the Debian packages of missing programs
 */
export function missingPackages(names = usual) {
  const missing = names.filter(
    (name) => lack(name) !== undefined && !(isFound(name) && 'rights' in programs[name]),
  );
  return [...new Set(missing.flatMap((name) => programs[name].packages))];
}
