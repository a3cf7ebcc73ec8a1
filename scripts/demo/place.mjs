/**
 * Checks and prepares the port and the data folder of `npm start`: the data folder of the local service, in which `npm start` also keeps the
 * user directory of Node-RED and the audio cache. Needs no installed package.
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { inLanguage, userLocale } from './sentence.mjs';

export const HOST = '127.0.0.1';
const DEFAULT_PORT = 1880;
const MAX_PORT = 65_535;

/** An environment variable with an unusable value. The message is one line with the fix. */
export class SettingError extends Error {}

/**
 * Reads the port from `PORT`. A blank variable counts as unset.
 * @param {string | undefined} value
 * @returns {number}
 * @throws SettingError if it is not an integer from 1 to 65535
 */
export function readPort(value) {
  const text = value?.trim() || String(DEFAULT_PORT);
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= MAX_PORT) return port;
  throw new SettingError(
    `PORT "${text}": expected an integer from 1 to ${MAX_PORT}. Use for example PORT=${DEFAULT_PORT + 1} npm start`,
  );
}

/**
 * @param {number} port
 * @throws SettingError if no program can listen on the port now
 */
export async function checkPort(port) {
  const code = await listenError(port);
  if (code === undefined) return;
  const problem =
    code === 'EADDRINUSE' ? 'another program uses this port' : `this port is not available (${code})`;
  throw new SettingError(
    `PORT ${port}: ${problem}. Use another port: PORT=${await freePort(port)} npm start`,
  );
}

/**
 * Returns the next port that is free and needs no special permission.
 * @param {number} taken
 */
async function freePort(taken) {
  const first = Math.max(taken + 1, DEFAULT_PORT + 1);
  for (let port = first; port <= MAX_PORT; port += 1)
    if ((await listenError(port)) === undefined) return port;
  return DEFAULT_PORT + 1;
}

/**
 * @param {number} port
 * @returns {Promise<string | undefined>} the code of the error that listening causes
 */
async function listenError(port) {
  const server = createServer().listen(port, HOST);
  try {
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return codeOf(error);
  } finally {
    server.close();
  }
}

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && 'code' in error ? String(error.code) : String(error));

/**
 * Creates the data folder, and a file in it as a trial.
 * @param {string} data path of the folder
 * @throws SettingError if the folder cannot be created or is read-only
 */
export function checkData(data) {
  try {
    makeFolder(data);
    rmSync(mkdtempSync(path.join(data, 'trial-')), { recursive: true });
  } catch (error) {
    throw new SettingError(
      `HERALD_DATA "${data}": the data folder cannot be written (${codeOf(error)}). ` +
        'Use a folder that you can write: HERALD_DATA=FOLDER npm start',
    );
  }
}

/** @param {string} data */
const runFile = (data) => path.join(data, 'node-red', 'running.json');

/**
 * Records the Node-RED that uses a data folder. The record of a killed Node-RED stays, and `checkUnused` ignores it.
 * @param {string} data
 * @param {number | undefined} pid process of Node-RED
 * @param {number} port
 * @returns {() => void} removes the record
 */
export function recordRun(data, pid, port) {
  writeFileSync(runFile(data), JSON.stringify({ pid, port }));
  return () => rmSync(runFile(data), { force: true });
}

/**
 * @param {string} data
 * @throws SettingError if a Node-RED that `npm start` started uses the data folder
 */
export async function checkUnused(data) {
  const run = readRun(data);
  if (run === undefined || !isAlive(run.pid) || (await listenError(run.port)) !== 'EADDRINUSE') return;
  throw new SettingError(
    `HERALD_DATA "${data}": Herald already runs with this data folder at http://${HOST}:${run.port}/. Open that address, ` +
      `or use another folder and port: HERALD_DATA=FOLDER PORT=${await freePort(run.port)} npm start`,
  );
}

/**
 * @param {string} data
 * @returns {{pid: number, port: number} | undefined}
 */
function readRun(data) {
  try {
    return JSON.parse(readFileSync(runFile(data), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** The access rights of the folders: flows contain texts and addresses. */
const PRIVATE = 0o700;

/**
 * Creates a folder and its missing parents. Node's `recursive` loops forever in a file system that accepts no folders, as
 * /proc does.
 * @param {string} folder
 */
function makeFolder(folder) {
  try {
    mkdirSync(folder, { mode: PRIVATE });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    makeFolder(path.dirname(folder));
    mkdirSync(folder, { mode: PRIVATE });
  }
}

/**
 * Links a checkout as an installed package. At the first start only: writes the example flow in the language of the user,
 * and creates the secret that encrypts the credentials.
 * @param {string} userDir user directory of Node-RED
 * @param {string} root the checkout
 */
export function prepareUserDir(userDir, root) {
  const scope = path.join(userDir, 'node_modules', '@herald-speech');
  mkdirSync(scope, { recursive: true, mode: PRIVATE });
  const link = path.join(scope, 'node-red');
  rmSync(link, { recursive: true, force: true });
  symlinkSync(root, link, 'junction');
  const flow = path.join(userDir, 'flows.json');
  const example = path.join(root, 'examples', 'first-words.json');
  if (!existsSync(flow)) writeFileSync(flow, inLanguage(readFileSync(example, 'utf8'), userLocale()));
  prepareSecret(userDir);
}

/**
 * Creates the secret of the credentials. A new user directory also gets an empty credentials file, because Node-RED warns
 * about a missing one. In an old directory, Node-RED replaces its own secret.
 * @param {string} userDir
 */
function prepareSecret(userDir) {
  const file = path.join(userDir, 'credential-secret');
  if (existsSync(file)) return;
  const secret = randomBytes(32).toString('hex');
  writeFileSync(file, secret, { mode: 0o600 });
  const credentials = path.join(userDir, 'flows_cred.json');
  const isNew = ![credentials, path.join(userDir, '.config.runtime.json')].some((name) => existsSync(name));
  if (isNew) writeFileSync(credentials, JSON.stringify(encrypt('{}', secret)), { mode: 0o600 });
}

/**
 * Encrypts credentials as Node-RED does (`encryptCredentials` in `@node-red/runtime/lib/nodes/credentials.js`).
 * @param {string} json
 * @param {string} secret
 */
function encrypt(json, secret) {
  const vector = randomBytes(16);
  const key = createHash('sha256').update(secret).digest();
  const cipher = createCipheriv('aes-256-ctr', key, vector);
  return { $: vector.toString('hex') + cipher.update(json, 'utf8', 'base64') + cipher.final('base64') };
}
