/** Runs the commands in the pages of the documentation, in a clone or in an installation. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const PAGES = ['README.md', 'service/README.md', ...pagesIn('docs')];
/** Programs of the service that a test can run. Other commands install programs, or need a network. */
const RUNNABLE = /herald-service|^curl /;
/** The tests of the other commands, by their beginning. */
export const elsewhere = {
  'git clone': 'test/scripts/start.test.ts',
  'cd ': 'scripts/tests/packed.mjs',
  'npm start': 'test/scripts/start.test.ts',
  "curl -o hello.wav 'http://127.0.0.1:1880/say": 'scripts/tests/packed.mjs',
  'npm ci': 'scripts/prepare.mjs',
  'npm pack': 'scripts/tests/packed.mjs',
  'npm install': 'scripts/tests/packed.mjs',
  'apt-get install redis-server': 'scripts/tests/programs.mjs',
};
const LIMIT_MS = 120_000;
/** A file of another program: 8,000 hertz, one channel, 16 bits, without samples. */
const EMPTY_WAV = Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=', 'base64');

/** @param {string} folder */
function pagesIn(folder) {
  const pages = readdirSync(path.join(root, folder)).filter((file) => file.endsWith('.md'));
  return pages.map((file) => `${folder}/${file}`);
}

/**
 * Returns the lines of all blocks with commands, and the commands of the service in sentences and tables.
 * @returns {Documented[]}
 */
export function documentedLines() {
  return PAGES.flatMap((page) => {
    const text = readFileSync(path.join(root, page), 'utf8');
    return [...linesOfBlocks(page, text), ...commandsInText(page, text)];
  });
}

/**
 * A line that ends with a backslash continues.
 * @param {string} page
 * @param {string} text
 * @returns {Documented[]}
 */
function linesOfBlocks(page, text) {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => {
    const lines = block.replaceAll(/\\\n\s*/g, ' ').split('\n');
    const isGlobal = /npm install --global/.test(block);
    return lines.map((line) => ({ page, line: line.trim(), isGlobal })).filter(({ line }) => line !== '');
  });
}

/**
 * A command with a word in capitals, such as `NAME`, is no complete one.
 * @param {string} page
 * @param {string} text
 * @returns {Documented[]}
 */
function commandsInText(page, text) {
  const sentences = text.replaceAll(/```.*?```/gs, '');
  const commands = sentences.matchAll(/`((?:npx )?herald-service [^`A-Z]+)`/g);
  return [...commands].map(([, line = '']) => ({ page, line, isGlobal: false }));
}

/**
 * Returns whether a test of this module runs a command.
 * @param {string} line
 */
export const isRunnable = (line) =>
  RUNNABLE.test(line) && !Object.keys(elsewhere).some((start) => line.startsWith(start));

/** A computer of a reader: a home folder, and a folder in which the commands are typed. */
class Reader {
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

/** Commands that fail for this reader, with the message that shows their work. */
const INCOMPLETE = {
  'voices install': /asks for consent to the licence/,
  'voices native install': /run "npm pack onnxruntime-node@|WebAssembly/,
  'voices refresh': /voices\.json: no such file/,
  'verify hello.wav': /unmarked/i,
};

/**
 * Runs all commands of the documentation one after another.
 * @param {string} folder a clone, or a folder with an installation
 * @param {string} [node] path of the Node.js executable
 * @returns {Promise<string[]>} the lines that ran
 * @throws Error with page, line and output of a command that fails
 */
export async function runDocumentedCommands(folder, node) {
  const reader = new Reader(folder, node);
  const lines = documentedLines().filter(({ line }) => isRunnable(line));
  try {
    for (const documented of lines) await runOne(reader, documented);
  } finally {
    reader.remove();
  }
  return lines.map(({ line }) => line);
}

/**
 * A service ends before the next command. The console and a request of a client need a running service.
 * @param {Reader} reader
 * @param {Documented} documented
 */
async function runOne(reader, documented) {
  const { page, line } = documented;
  const needed = /^curl|herald-service console/.test(line) ? await reader.run(serviceFor(line)) : undefined;
  const { code, output, stop } = await reader.run(documented);
  await stop();
  await needed?.stop();
  const [, known] = Object.entries(INCOMPLETE).find(([words]) => line.includes(words)) ?? [];
  const isGood = known === undefined ? code === 0 || code === null : known.test(output);
  const problem = isGood ? reader.problemOf(line) : output;
  if (problem !== undefined) throw new Error(`${page}: "${line}" ended with ${code}: ${problem}`);
}

/** @param {string} line @returns {Documented} */
function serviceFor(line) {
  const data = /--data \S+/.exec(line)?.[0] ?? '';
  return { page: '', line: `npx herald-service --json ${data}`, isGlobal: false };
}
