// Implements `npm start`: runs Node-RED with the nodes of this checkout, the local service and an example flow.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkData,
  checkPort,
  checkUnused,
  HOST,
  prepareUserDir,
  readPort,
  recordRun,
  SettingError,
} from './demo/place.mjs';
import { nameOfButton, userLocale } from './demo/sentence.mjs';
import { prepare, root } from './prepare.mjs';

const READY_WITHIN_MS = 60_000;

const { port, data } = await readSettings().catch(refuse);
const userDir = path.join(data, 'node-red');
const address = `http://${HOST}:${port}/`;

prepare();
prepareUserDir(userDir, root);
const red = path.join(root, 'node_modules', 'node-red', 'red.js');
const settings = path.join(root, 'scripts', 'demo', 'settings.cjs');
const nodeRed = spawn(
  process.execPath,
  [red, '--settings', settings, '--userDir', userDir, '--port', `${port}`],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      // The language of Node-RED's log and of its errors. Windows sets no such variable.
      LANG: process.env['LANG'] || userLocale(),
      HERALD_DATA: data,
      HERALD_CACHE: process.env['HERALD_CACHE'] || path.join(data, 'cache'),
    },
  },
);
const forgetRun = recordRun(data, nodeRed.pid, port);
const ended = new Promise((resolve) => nodeRed.once('exit', (code, signal) => resolve(code ?? signal)));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => nodeRed.kill(signal));
if (process.env['npm_lifecycle_event'] === 'start') endWithNpm();

if (await Promise.race([isReady(), ended.then(() => false)])) await announce();
const result = await ended;
forgetRun();
process.exit(typeof result === 'number' ? result : 0);

/** Reads and checks the environment variables, before anything is installed or printed. */
async function readSettings() {
  const port = readPort(process.env['PORT']);
  const data = path.resolve(process.env['HERALD_DATA'] || path.join(root, '.herald'));
  await checkUnused(data);
  await checkPort(port);
  checkData(data);
  return { port, data };
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function refuse(error) {
  if (!(error instanceof SettingError)) throw error;
  console.error(error.message);
  process.exit(1);
}

/** Stops Node-RED when npm is killed: npm does not forward SIGKILL, but this process then gets another parent. */
function endWithNpm() {
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    nodeRed.kill('SIGTERM');
  }, 1000).unref();
}

/** Prints the address of the editor, and a link to the console. Later links come from the account's dialog. */
async function announce() {
  const lines = [
    `Herald is ready. Open the editor and press the button of the "${nameOfButton(userLocale())}" node:`,
    `    ${address}`,
    'Or request audio:',
    `    curl -o hello.wav '${address}say?text=Hello'`,
    'Only this computer reaches these addresses. To play on speakers, press "Let speakers in my network play this" in a ' +
      '"text to speech" node with the output URL.',
  ];
  if (await isRobotic()) {
    lines.push(
      'The voices that Herald contains sound robotic. For a natural one, open the "text to speech" node or the sidebar tab "Speech", and ' +
        'press "Install": the button names the voice, its size and its licence. It then runs on this computer.',
    );
  }
  const link = await consoleLink();
  if (link !== undefined) {
    lines.push(
      'The console of the local service. The link works once, within ten minutes. For a new link, press "Open console" ' +
        'under "Connect other programs" in the account of the editor:',
      `    ${link}`,
    );
  }
  console.log(`\n${lines.join('\n\n')}\n`);
}

/** Whether the local service has no natural voice. */
async function isRobotic() {
  const { voices } = await askLocalService('natural-voices');
  return Array.isArray(voices) && voices.every(({ installed }) => installed === null);
}

/** @returns {Promise<string | undefined>} a one-time link, or undefined if Node-RED returns no link */
async function consoleLink() {
  const { url } = await askLocalService('console');
  return typeof url === 'string' ? url : undefined;
}

/** Resolves with true when the flows run and the local service has spoken. The sidebar lists only the speech of flows, not this. */
async function isReady() {
  const timeout = AbortSignal.timeout(READY_WITHIN_MS);
  while (!timeout.aborted && nodeRed.exitCode === null) {
    if ((await areFlowsRunning()) && (await hasSpoken(timeout))) return true;
    await sleep(250);
  }
  console.error(
    `Herald is not ready: the local service returned no audio within ${READY_WITHIN_MS / 1000} seconds. ` +
      'See the log of Node-RED above.',
  );
  return false;
}

async function areFlowsRunning() {
  const reply = await fetch(`${address}flows/state`).catch(() => undefined);
  /** @type {{state?: string} | undefined} */
  const body = await reply?.json().catch(() => undefined);
  return body?.state === 'start';
}

/** @param {AbortSignal} signal */
async function hasSpoken(signal) {
  const { audio } = await askLocalService('speak', { request: { text: 'Ready', language: 'en' } }, signal);
  return audio !== undefined;
}

/**
 * Calls an endpoint of the editor, for the local service.
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<Record<string, unknown>>} the fields of the reply; none if Node-RED does not answer
 */
async function askLocalService(name, more = {}, signal) {
  const reply = await fetch(`${address}herald/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ typed: { service: 'local' }, ...more }),
    ...(signal !== undefined && { signal }),
  }).catch(() => undefined);
  return (await reply?.json().catch(() => undefined)) ?? {};
}
