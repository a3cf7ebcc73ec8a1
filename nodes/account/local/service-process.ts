import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { lazy, SpeechError, z } from '@herald-speech/client';
import { say } from '../../runtime/messages.js';
import { servicePackage } from './service-package.js';

/** Maximum time from the start to the line with URL and key. */
const START_TIMEOUT_MS = 30_000;
/** Time from SIGTERM to SIGKILL. */
const STOP_TIMEOUT_MS = 5_000;

const connectionLine = lazy(() => z.object({ url: z.url(), key: z.string().min(1) }));

/** URL and key of a running service. */
export type RunningService = z.output<ReturnType<typeof connectionLine>>;

/** The level of a log line, as a function of Node-RED's log. */
export type ServiceLog = (line: string, level: 'info' | 'warn' | 'error') => void;

/** One process of the service. */
export interface Run {
  /** Rejects with `no-connection` if the process ends, or prints no valid line in time. */
  connection: Promise<RunningService>;
  /** Resolves with the exit code or signal as text, followed by the last line of standard error after a failure. */
  ended: Promise<string>;
  /** Returns false as soon as the process has ended. `ended` may resolve later, when all pipes are closed. */
  isRunning(): boolean;
}

interface LaunchOptions {
  /** Port to listen on. Default: 0, any free port. */
  port?: string | undefined;
  /** Further flags of the service. */
  flags?: readonly string[];
  /** Milliseconds until the service must print URL and key. Default: 30,000. */
  startTimeout?: number;
  /** Milliseconds from SIGTERM to SIGKILL. Default: 5,000. */
  stopTimeout?: number;
}

/**
 * Starts the service as a child process. The child ends when the signal fires. It also ends when this process ends,
 * even if killed, because its standard input closes.
 * @throws SpeechError `not-configured` if the package is not installed
 */
export async function launch(
  data: string,
  stop: AbortSignal,
  log: ServiceLog,
  {
    port = '0',
    flags = [],
    startTimeout = START_TIMEOUT_MS,
    stopTimeout = STOP_TIMEOUT_MS,
  }: LaunchOptions = {},
): Promise<Run> {
  const args = [
    servicePackage().command,
    '--port',
    port,
    '--data',
    data,
    '--json',
    '--watch-stdin',
    ...flags,
  ];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  // A closed pipe means that the process has ended. `ended` reports that.
  child.stdin.on('error', () => undefined);
  const lastError = lastErrorLine(child, log);
  const ended = endOf(child, lastError);
  const unlink = endWith(child, stop, stopTimeout);
  void ended.then(unlink);
  const connection = connectionOf(child, ended, startTimeout);
  connection.then(
    ({ url }) => log(`the local service serves at ${url}`, 'info'),
    () => child.kill(),
  );
  return { connection, ended, isRunning: () => child.exitCode === null && child.signalCode === null };
}

type ServiceChild = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Returns the last line of standard error, for the log. Unread output would block the process. Logs each natural voice that failed:
 * the requests of other programs have no other log.
 */
function lastErrorLine(child: ServiceChild, log: ServiceLog): () => string {
  let last = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    last = line.slice(0, MAX_LINE);
    const failed = failedVoiceIn(line);
    if (failed !== undefined) log(failed, 'warn');
  });
  return () => last;
}

/** UTF-16 code units of a line of the service in the log. */
const MAX_LINE = 300;
const failedVoiceLine = lazy(() => z.object({ error: z.string(), voiceFallback: z.string() }));

/** Returns the error in a log entry of the service about a natural voice that failed. */
function failedVoiceIn(line: string): string | undefined {
  if (!line.includes('"voiceFallback"')) return undefined;
  try {
    const { success, data } = failedVoiceLine().safeParse(JSON.parse(line));
    return success ? data.error.split('\n')[0]?.slice(0, MAX_LINE) : undefined;
  } catch {
    return undefined;
  }
}

async function endOf(child: ServiceChild, lastError: () => string): Promise<string> {
  try {
    await once(child, 'close');
    const { exitCode, signalCode } = child;
    const how = signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`;
    return exitCode === 0 ? how : [how, lastError()].filter(Boolean).join(': ');
  } catch (error) {
    return error instanceof Error ? error.message : 'it could not be started';
  }
}

/** Ends the process when the signal fires: with SIGTERM, then with SIGKILL. Returns a function that stops waiting. */
function endWith(child: ServiceChild, stop: AbortSignal, stopTimeout: number): () => void {
  let force: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    force = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
  };
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  return () => {
    stop.removeEventListener('abort', end);
    clearTimeout(force);
  };
}

/** Reads URL and key from the first line of standard output. */
async function connectionOf(
  child: ServiceChild,
  ended: Promise<string>,
  startTimeout: number,
): Promise<RunningService> {
  const lines = createInterface({ input: child.stdout });
  const timeout = AbortSignal.timeout(startTimeout);
  const line = once(lines, 'line', { signal: timeout }).then(([first]: unknown[]) => String(first));
  const early = ended.then((how): never => {
    throw new Error(how);
  });
  for (const loser of [line, early]) loser.catch(() => undefined);
  try {
    return connectionLine().parse(JSON.parse(await Promise.race([line, early])));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SpeechError('no-connection', say('not-started', { problem: why }), { cause });
  } finally {
    lines.close();
  }
}
