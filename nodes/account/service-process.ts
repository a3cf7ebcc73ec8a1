import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { lazy, SpeechError, z } from '@herald-speech/client';

const PACKAGE = '@herald-speech/local-service';
/** From the start to the line that says where it serves. */
const START_TIMEOUT_MS = 30_000;
/** From the request to stop to the end by force. */
const STOP_TIMEOUT_MS = 5_000;

const connectionLine = lazy(() => z.object({ url: z.url(), key: z.string().min(1) }));

/** Where a service can be spoken to, and with what key. */
export type Connection = z.output<ReturnType<typeof connectionLine>>;

/** One run of the service. */
export interface Run {
  /** Rejects with `no-connection` when the process ends, or says nothing in time. */
  connection: Promise<Connection>;
  /** How the process ended, in words. */
  ended: Promise<string>;
}

export interface LaunchOptions {
  /** Where to listen; 0 takes any free port. */
  port?: string;
  /** Milliseconds until the service must say where it serves. */
  startTimeout?: number;
}

/**
 * Starts the service in a process of its own. It ends with the signal, and with this process, however that ends: its
 * standard input closes then.
 * @throws SpeechError `not-configured` when it is not installed
 */
export async function launch(
  data: string,
  stop: AbortSignal,
  log: (line: string) => void,
  { port = '0', startTimeout = START_TIMEOUT_MS }: LaunchOptions = {},
): Promise<Run> {
  const args = [commandPath(), '--port', port, '--data', data, '--json', '--watch-stdin'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => undefined); // closes with the process: `ended` tells
  const complaint = lastLine(child);
  const ended = endOf(child, complaint);
  const unlink = endWith(child, stop);
  void ended.then(unlink);
  const connection = connectionOf(child, ended, startTimeout);
  connection.then(
    ({ url }) => log(`the local service serves at ${url}`),
    () => child.kill(),
  );
  return { connection, ended };
}

type ServiceChild = ChildProcessByStdio<Writable, Readable, Readable>;

const manifest = lazy(() => z.object({ bin: z.object({ 'herald-service': z.string() }) }));

/** The service's command, where the package is installed. */
function commandPath(): string {
  try {
    const file = require.resolve(`${PACKAGE}/package.json`);
    const { bin } = manifest().parse(JSON.parse(readFileSync(file, 'utf8')));
    return path.join(path.dirname(file), bin['herald-service']);
  } catch (cause) {
    throw new SpeechError(
      'not-configured',
      `the local service is not installed: add the package ${PACKAGE}, or choose a hosted service in the account`,
      { cause },
    );
  }
}

/** The last thing that the service complained of, for the log; its standard error must be read, or it would block. */
function lastLine(child: ServiceChild): () => string {
  let last = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    last = line.slice(0, 300);
  });
  return () => last;
}

async function endOf(child: ServiceChild, complaint: () => string): Promise<string> {
  try {
    await once(child, 'close');
    const { exitCode, signalCode } = child;
    const how = signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`;
    return exitCode === 0 ? how : [how, complaint()].filter(Boolean).join(': ');
  } catch (error) {
    return error instanceof Error ? error.message : 'it could not be started';
  }
}

/** Ends the process when the signal fires: first by asking, then by force. */
function endWith(child: ServiceChild, stop: AbortSignal): () => void {
  let force: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  };
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  return () => {
    stop.removeEventListener('abort', end);
    clearTimeout(force);
  };
}

/** The one line of standard output that says where the service serves. */
async function connectionOf(
  child: ServiceChild,
  ended: Promise<string>,
  startTimeout: number,
): Promise<Connection> {
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
    throw new SpeechError('no-connection', `the local service did not start: ${why}`, { cause });
  } finally {
    lines.close();
  }
}
