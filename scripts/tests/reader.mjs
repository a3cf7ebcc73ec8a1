/** The computer of a reader of the documentation, on which its commands run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { root } from '../prepare.mjs';

/**
 * @typedef {object} Documented a line of a block with commands
 * @property {string} page
 * @property {string} line
 * @property {boolean} isGlobal whether the block installs the command for all folders
 *
 * @typedef {object} Ran
 * @property {number | null} code null for a service that runs
 * @property {string} output
 * @property {() => Promise<void>} stop
 */

const LIMIT_MS = 120_000;
/** A file of another program: 8,000 hertz, one channel, 16 bits, without samples. */
const EMPTY_WAV = Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=', 'base64');

/** A computer of a reader: a home folder, and a folder in which the commands are typed. */
export class Reader {
  /**
   * @param {string} folder a clone, or a folder with an installation
   * @param {string} node path of the Node.js executable
   */
  constructor(folder, node = process.execPath) {
    this.installation = folder;
    this.home = mkdtempSync(path.join(os.tmpdir(), 'herald-reader-'));
    // A folder inside, so that relative files of the commands do not stay.
    this.folder = path.join(folder, '.cache', path.basename(this.home));
    mkdirSync(this.folder, { recursive: true });
    const engine = /```js\n(.*?)```/s.exec(readFileSync(path.join(root, 'docs/engines.md'), 'utf8'));
    writeFileSync(path.join(this.folder, 'beeps.mjs'), engine?.[1] ?? '');
    writeFileSync(path.join(this.folder, 'hello.wav'), EMPTY_WAV);
    this.node = node;
    /** The key that a service or a command printed last. */
    this.key = '';
    this.keyId = '';
    /** The address of the service that started last. */
    this.url = '';
  }

  remove() {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * Runs a line. Folders, ports and identifiers of the page become those of this reader.
   * @param {Documented} documented
   * @returns {Promise<Ran>}
   */
  async run({ line, isGlobal }) {
    const ran = await this.#start(this.#adapted(line), isGlobal);
    this.key = /"key":"([^"]+)"/.exec(ran.output)?.[1] ?? this.key;
    this.keyId = /\bkey-[0-9a-f]{16}\b/.exec(ran.output)?.[0] ?? this.keyId;
    return ran;
  }

  /**
   * Returns the content of a file that should be audio. `curl` also succeeds with an error of the service.
   * @param {string} line
   */
  problemOf(line) {
    const file = / -o (\S+)/.exec(line)?.[1];
    if (file === undefined) return undefined;
    const content = readFileSync(path.join(this.folder, file), 'latin1');
    return content.length > 1000 && !content.startsWith('{')
      ? undefined
      : `${file}: ${content.slice(0, 300)}`;
  }

  /** @param {string} line */
  #adapted(line) {
    return line
      .replaceAll('/opt/herald/node_modules', path.join(this.installation, 'node_modules'))
      .replaceAll('/var/lib/herald', path.join(this.home, 'lib'))
      .replace(/--port \d+/, '--port 0')
      .replace(/--wyoming 0\.0\.0\.0:\d+/, '--wyoming 127.0.0.1:0')
      .replace('http://127.0.0.1:7800', this.url)
      .replace(/key-[0-9a-f]{16}/, this.keyId);
  }

  /** @param {boolean} isGlobal */
  #environment(isGlobal) {
    const bin = path.join(this.installation, 'node_modules', '.bin');
    // `npx mocha` adds the programs of the clone, which a reader does not have.
    const usual = (process.env['PATH'] ?? '')
      .split(path.delimiter)
      .filter((place) => !place.endsWith('.bin'));
    const places = [...(isGlobal ? [bin] : []), path.dirname(this.node), ...usual];
    return {
      ...process.env,
      HOME: this.home,
      USERPROFILE: this.home,
      PATH: places.join(path.delimiter),
      KEY: this.key,
      HERALD_PORT: '0',
      // No command needs a network.
      HERALD_VOICES_URL: this.folder,
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    };
  }

  /**
   * Runs a line until its end, or until its service has started.
   * @param {string} line
   * @param {boolean} isGlobal
   * @returns {Promise<Ran>}
   */
  async #start(line, isGlobal) {
    const child = spawn('sh', ['-c', line], {
      cwd: this.folder,
      env: this.#environment(isGlobal),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'close');
    const kill = (/** @type {NodeJS.Signals} */ signal) => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
    };
    const timer = setTimeout(() => kill('SIGKILL'), LIMIT_MS);
    const output = await outputOf(child, ended).finally(() => clearTimeout(timer));
    this.url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? this.url;
    const stop = async () => {
      kill('SIGTERM');
      await ended;
    };
    return { code: child.exitCode, output, stop };
  }
}

/**
 * Returns the output of a command up to its end, or up to the line with the address of its service.
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {Promise<unknown>} ended
 */
async function outputOf(child, ended) {
  let output = '';
  const serves = new Promise((resolve) => {
    child.stdout.on('data', (text) => {
      output += text;
      if (/^(?:Herald service: |\{"url":)/m.test(output)) resolve(undefined);
    });
  });
  child.stderr.on('data', (text) => (output += text));
  await Promise.race([ended, serves]);
  return output;
}
