/** Starts Herald and the reference programs with the same voice. Each speaks a text and measures itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { cpuSeconds, withPeak } from './processes.mjs';
import { freePort, listening, speak } from './wyoming.mjs';

const ROOT = path.join(import.meta.dirname, '..', '..');
const CLI = path.join(ROOT, 'service', 'dist', 'cli', 'cli.js');
/** `npm run test:real -- voices` installs them. */
export const PYTHON = path.join(ROOT, '.cache', 'real', 'voices', 'bin', 'python');
/** A folder with `onnxruntime-node`, apart from the installation. */
export const NATIVE = path.join(ROOT, '.cache', 'real', 'native');

/**
 * @typedef {import('./wyoming.mjs').Speech & { cpu: number, peak: number }} Measured
 *   `cpu` in seconds, `peak` is the memory in megabytes.
 * @typedef {object} Program
 * @property {number} readyMs milliseconds from its start until it accepts a text
 * @property {(text: string) => Promise<Measured>} speak
 * @property {() => Promise<void>} close
 */

/** @typedef {'WebAssembly' | 'native'} Runtime */

/** @param {Runtime} runtime @returns {NodeJS.ProcessEnv} */
const environment = (runtime) => ({
  ...process.env,
  NODE_PATH: runtime === 'native' ? path.join(NATIVE, 'node_modules') : '',
});

/**
 * @param {Runtime} runtime
 * @param {string} data
 * @param {string} voice
 * @returns {Promise<Program>}
 */
export async function startHerald(runtime, data, voice) {
  const port = await freePort();
  const flags = ['--port', '0', '--data', data, '--wyoming', String(port), '--voice', voice, '--quiet'];
  // A busy computer may need more than the default of 30 s for a part of a long text.
  const limits = ['--simple-voice-after', '0', '--speech-timeout', '600000'];
  return startServer([process.execPath, CLI, ...flags, ...limits], port, voice, {
    env: environment(runtime),
  });
}

/**
 * @param {string} folder with the files of the voice
 * @param {string} voice
 * @returns {Promise<Program>}
 */
export async function startWyomingPiper(folder, voice) {
  const port = await freePort();
  const flags = ['--voice', voice, '--uri', `tcp://127.0.0.1:${port}`, '--data-dir', folder];
  return startServer([PYTHON, '-m', 'wyoming_piper', ...flags], port, voice);
}

/**
 * @param {readonly string[]} command
 * @param {number} port
 * @param {string} voice
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<Program>}
 */
async function startServer([program = '', ...args], port, voice, options) {
  const start = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  const failed = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`${program} ended with ${code}`)),
  );
  failed.catch(() => undefined);
  await Promise.race([listening(port), failed]);
  const pid = child.pid ?? 0;
  return {
    readyMs: performance.now() - start,
    speak: async (text) => {
      const cpu = cpuSeconds(pid);
      const { result, peak } = await withPeak(pid, () => speak(port, voice, text));
      return { ...result, cpu: cpuSeconds(pid) - cpu, peak };
    },
    close: () => ended(child),
  };
}

/**
 * Starts piper-tts without a server.
 * @param {string} model
 * @returns {Promise<Program>}
 */
export async function startPiper(model) {
  const start = performance.now();
  const child = spawn(PYTHON, [path.join(import.meta.dirname, 'piper_tts.py'), model], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  return {
    readyMs: performance.now() - start,
    speak: async (text) => {
      child.stdin.write(`${JSON.stringify(text)}\n`);
      const [line] = await once(lines, 'line');
      const { audio, ...figures } = JSON.parse(line);
      const bytes = new Uint8Array(Buffer.from(audio, 'hex'));
      return { ...figures, samples: new Int16Array(bytes.buffer) };
    },
    close: () => ended(child),
  };
}

/** @param {import('node:child_process').ChildProcess} child */
async function ended(child) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/**
 * Imports the voices of a folder with the command line.
 * @param {Runtime} runtime
 * @param {string} source
 * @param {string} data
 * @returns {Promise<{ seconds: number, silentSeconds: number }>} `silentSeconds` is the longest time without output
 */
export async function importVoices(runtime, source, data) {
  const start = performance.now();
  const child = spawn(process.execPath, [CLI, 'voices', 'import', source, '--data', data], {
    env: environment(runtime),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const times = [start];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', () => times.push(performance.now()));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`voices import ended with ${code}`);
  times.push(performance.now());
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return { seconds: ((times.at(-1) ?? 0) - start) / 1000, silentSeconds: Math.max(...gaps) / 1000 };
}
