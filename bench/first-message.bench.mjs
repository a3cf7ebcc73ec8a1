/**
 * Measures the first message of a flow with a voice of the local service after a deploy, when the speech process has started with the
 * flow, against a message that starts the speech process: the first message after the idle timeout.
 * Usage: `node bench/first-message.bench.mjs [ROUNDS]`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { withNodeRed } from './node-red.mjs';
import { log, median, report } from './support.mjs';

const ROUNDS = Number(process.argv[2] ?? 5);
/** Milliseconds without speech until the speech process ends. */
const IDLE_TIMEOUT = 6000;
/** Milliseconds from a deploy to the first message: a user looks at the flow, and presses the button. */
const PAUSE = 3000;

Object.assign(process.env, { HERALD_IDLE_TIMEOUT: String(IDLE_TIMEOUT), HERALD_CACHE: 'off' });

const VOICES = [
  { id: 'English', voice_id: 'rms', payload: 'The kettle is on.' },
  { id: 'German', voice_id: 'de-anna', payload: 'Das Wasser kocht.' },
];
/** @type {Map<string, Record<'first' | 'cold' | 'warm', number[]>>} Milliseconds by voice. */
const times = new Map(VOICES.map(({ id }) => [id, { first: [], cold: [], warm: [] }]));

const nodes = VOICES.map(({ id, voice_id }) => ({ id, type: 'herald-text-to-speech', voice_id }));
await withNodeRed(nodes, [], async ({ pass, deploy }) => {
  /** @param {(typeof VOICES)[number]} voice @param {'first' | 'cold' | 'warm'} state */
  const speak = async ({ id, payload }, state) => {
    const start = performance.now();
    await pass(id, [{ payload }]);
    times.get(id)?.[state].push(performance.now() - start);
  };
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await deploy();
    await until(() => isSpeechRunning());
    await delay(PAUSE);
    for (const voice of VOICES) await speak(voice, 'first');
    for (const voice of VOICES) {
      await until(() => !isSpeechRunning());
      await speak(voice, 'cold');
      await speak(voice, 'warm');
    }
  }
});

for (const [id, { first, cold, warm }] of times) {
  const [after, start, next] = [first, cold, warm].map((all) => median(all).toFixed(0));
  log(`${id}: ${after} ms after a deploy, ${start} ms with the start of the process, then ${next} ms`);
  const ratio = median(first) / median(cold);
  const baseline = 'a message that starts the speech process';
  report({ name: `first ${id} message after a deploy`, ratio, baseline, bound: 0.5 });
}

/** @param {() => boolean} isSo */
async function until(isSo) {
  for (let waited = 0; !isSo(); waited += 50) {
    if (waited > 60_000) throw new Error('the speech process did not start or end in time');
    await delay(50);
  }
}

/**
 * Returns whether a process below this one runs the program of the speech process. Linux only.
 * @returns {boolean}
 */
function isSpeechRunning(pid = process.pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return children.some((child) => commandOf(child).includes('speech-program') || isSpeechRunning(child));
}

/** @param {number} pid */
function commandOf(pid) {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
