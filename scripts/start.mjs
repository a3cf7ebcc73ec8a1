// `npm start`: Node-RED with the nodes of this checkout, the local service and an example flow.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepare, root } from './prepare.mjs';

const port = process.env.PORT || '1880';
const data = path.resolve(process.env.HERALD_DATA || path.join(root, '.herald'));
const userDir = path.join(data, 'node-red');
const address = `http://127.0.0.1:${port}/`;
const READY_WITHIN_MS = 60_000;

prepare();
layOutUserDir();
const red = path.join(root, 'node_modules', 'node-red', 'red.js');
const settings = path.join(root, 'scripts', 'demo-settings.cjs');
const nodeRed = spawn(process.execPath, [red, '--settings', settings, '--userDir', userDir, '--port', port], {
  stdio: 'inherit',
  env: { ...process.env, HERALD_DATA: data },
});
const ended = new Promise((resolve) => nodeRed.once('exit', (code, signal) => resolve(code ?? signal)));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => nodeRed.kill(signal));
if (process.env.npm_lifecycle_event === 'start') endWithNpm();

if (await Promise.race([speaks(), ended.then(() => false)])) {
  console.log(
    `\nHerald speaks. Open the editor, and press the button of the inject node:\n\n    ${address}\n`,
  );
}
const how = await ended;
process.exit(typeof how === 'number' ? how : 0);

/** npm that is killed does not pass it on to what it runs: that has another parent then. */
function endWithNpm() {
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    nodeRed.kill('SIGTERM');
  }, 1000).unref();
}

/** The nodes are this checkout itself; the flow is the user's own after the first start. */
function layOutUserDir() {
  const scope = path.join(userDir, 'node_modules', '@herald-speech');
  mkdirSync(scope, { recursive: true });
  const link = path.join(scope, 'node-red');
  rmSync(link, { recursive: true, force: true });
  symlinkSync(root, link, 'junction');
  const flow = path.join(userDir, 'flows.json');
  if (!existsSync(flow)) copyFileSync(path.join(root, 'examples', 'first-words.json'), flow);
}

/** Whether a flow can speak: the example does, or its user has taken it out and Node-RED answers so. */
async function speaks() {
  const late = AbortSignal.timeout(READY_WITHIN_MS);
  while (!late.aborted && nodeRed.exitCode === null) {
    const reply = await fetch(`${address}say?text=Ready`, { signal: late }).catch(() => undefined);
    await reply?.arrayBuffer().catch(() => undefined);
    if (reply?.ok || (reply?.status === 404 && (await flowsRun()))) return true;
    await sleep(250);
  }
  console.error('Node-RED runs, but the example flow did not speak within a minute: see the log above.');
  return false;
}

async function flowsRun() {
  const reply = await fetch(`${address}flows/state`).catch(() => undefined);
  const { state } = (await reply?.json().catch(() => ({}))) ?? {};
  return state === 'start' || reply?.status === 404;
}
