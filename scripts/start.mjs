// Implements `npm start`: runs Node-RED with the nodes of this checkout, the local service and an example flow.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepare, root } from './prepare.mjs';

const port = process.env['PORT'] || '1880';
const data = path.resolve(process.env['HERALD_DATA'] || path.join(root, '.herald'));
const userDir = path.join(data, 'node-red');
const address = `http://127.0.0.1:${port}/`;
const READY_WITHIN_MS = 60_000;

prepare();
prepareUserDir();
const red = path.join(root, 'node_modules', 'node-red', 'red.js');
const settings = path.join(root, 'scripts', 'demo-settings.cjs');
const nodeRed = spawn(process.execPath, [red, '--settings', settings, '--userDir', userDir, '--port', port], {
  stdio: 'inherit',
  env: { ...process.env, HERALD_DATA: data },
});
const ended = new Promise((resolve) => nodeRed.once('exit', (code, signal) => resolve(code ?? signal)));
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.on(signal, () => nodeRed.kill(signal));
if (process.env['npm_lifecycle_event'] === 'start') endWithNpm();

if (await Promise.race([isReady(), ended.then(() => false)])) {
  console.log(
    `\nHerald is ready. Open the editor and press the button of the "say hello" node:\n\n    ${address}\n`,
  );
}
const result = await ended;
process.exit(typeof result === 'number' ? result : 0);

/** Stops Node-RED when npm is killed: npm does not forward SIGKILL, but this process then gets another parent. */
function endWithNpm() {
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    nodeRed.kill('SIGTERM');
  }, 1000).unref();
}

/** Links this checkout as an installed package. Copies the example flow at the first start only. */
function prepareUserDir() {
  const scope = path.join(userDir, 'node_modules', '@herald-speech');
  mkdirSync(scope, { recursive: true });
  const link = path.join(scope, 'node-red');
  rmSync(link, { recursive: true, force: true });
  symlinkSync(root, link, 'junction');
  const flow = path.join(userDir, 'flows.json');
  if (!existsSync(flow)) copyFileSync(path.join(root, 'examples', 'first-words.json'), flow);
}

/** Resolves with true when the example flow has spoken, or when flows run without it (the user deleted it). */
async function isReady() {
  const timeout = AbortSignal.timeout(READY_WITHIN_MS);
  while (!timeout.aborted && nodeRed.exitCode === null) {
    const reply = await fetch(`${address}say?text=Ready`, { signal: timeout }).catch(() => undefined);
    await reply?.arrayBuffer().catch(() => undefined);
    if (reply?.ok || (reply?.status === 404 && (await areFlowsRunning()))) return true;
    await sleep(250);
  }
  console.error(
    `Herald is not ready: ${address}say?text=Ready returned no audio within ${READY_WITHIN_MS / 1000} seconds. ` +
      'See the log of Node-RED above.',
  );
  return false;
}

async function areFlowsRunning() {
  const reply = await fetch(`${address}flows/state`).catch(() => undefined);
  /** @type {{state?: string} | undefined} */
  const body = await reply?.json().catch(() => undefined);
  return body?.state === 'start' || reply?.status === 404;
}
