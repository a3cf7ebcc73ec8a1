import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../net/free-port.js';
import { fromProgram, spawned } from '../spawned.js';

/** Milliseconds until a reply of Redis is late, for tests that are not about late replies: a busy computer is in time. */
export const PATIENT_MS = 20_000;
/** The same for tests in which Redis hangs. */
export const HANG_MS = 1000;

const run = promisify(execFile);

/** A busy machine may take seconds to start a process. */
const START_MS = 30_000;

/** A Redis server of a test. It keeps its data only in memory. */
export interface RedisServer {
  /** `redis://127.0.0.1:PORT`; without credentials, also if the options set a password. */
  readonly url: string;
  readonly port: number;
  /** The process that runs now, because `start` makes a new one. */
  readonly pid: number;
  /** Runs redis-cli with these arguments and returns its output without the last line break. */
  cli(...args: readonly string[]): Promise<string>;
  /** Sends SIGSTOP: connections stay open and nothing is answered. */
  hang(): void;
  /** Ends the effect of `hang`. */
  resume(): void;
  /** Kills the process. All data are lost. */
  stop(): Promise<void>;
  /** Starts an empty server on the same port. */
  start(): Promise<void>;
}

export interface RedisOptions {
  /** Settings of redis.conf, such as `{ maxmemory: '2mb' }`. */
  config?: Readonly<Record<string, string>>;
  /** Arguments of redis-cli before the command, such as `['--user', 'herald', '--pass', 'secret']`. */
  cli?: readonly string[];
}

/** Starts Debian's redis-server on a free port, runs `work` and kills the server, also if it is stopped by SIGSTOP. */
export async function withRedis<Result>(
  work: (redis: RedisServer) => Promise<Result>,
  options: RedisOptions = {},
): Promise<Result> {
  const port = await freePort();
  let child = await startServer(port, options);
  const redis: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      assert(child.pid !== undefined);
      return child.pid;
    },
    cli: (...args) => cli(port, [...(options.cli ?? []), ...args]),
    hang: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: () => kill(child),
    start: async () => {
      child = await startServer(port, options);
    },
  };
  try {
    return await work(redis);
  } finally {
    await kill(child);
  }
}

async function startServer(port: number, { config = {} }: RedisOptions): Promise<ChildProcess> {
  const settings = { bind: '127.0.0.1', port: `${port}`, save: '', appendonly: 'no', ...config };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawned(spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] }));
  const killOnExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killOnExit);
  child.once('exit', () => process.removeListener('exit', killOnExit));
  try {
    await fromProgram(child, ready(child));
  } catch (error) {
    await kill(child);
    throw error;
  }
  return child;
}

/** Resolves when the log says that the server accepts connections. Rejects with the log if the server ends before. */
async function ready(child: ChildProcess): Promise<void> {
  let log = '';
  const accepting = new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      if (log.length < 10_000) log += chunk;
      if (log.includes('Ready to accept connections')) resolve();
    });
  });
  const ended = once(child, 'exit').then(() => assert.fail(`redis-server ended:\n${log}`));
  const timer = new AbortController();
  const late = sleep(START_MS, undefined, { signal: timer.signal }).then(
    () => assert.fail(`redis-server did not start:\n${log}`),
    () => {},
  );
  ended.catch(() => {});
  await Promise.race([accepting, ended, late]).finally(() => timer.abort());
}

/** SIGKILL also ends a process that SIGSTOP has stopped. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function cli(port: number, args: readonly string[]): Promise<string> {
  const { stdout } = await run('redis-cli', ['-p', `${port}`, '--no-auth-warning', ...args], {
    maxBuffer: 1 << 28,
  });
  return stdout.replace(/\n$/, '');
}
