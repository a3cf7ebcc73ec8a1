import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import type { AccountLedger } from '../../../../service/accounts/ledger.js';
import { StoreError, type StoreErrorKind } from '../../../../service/kit/store-error.js';
import { loadTypescript } from '../../../support/run-typescript.js';
import { withLedger } from '../../../support/service/service.js';
import { spawned } from '../../../support/spawned.js';

const CHILD = path.join(__dirname, 'child.ts');

/** Creates a data folder for each test of a suite. After the test, kills the child processes and removes the folder. */
export function useDataFolder() {
  const state = { folder: '', children: new Array<ChildProcess>() };
  beforeEach(async () => {
    state.folder = await mkdtemp(path.join(os.tmpdir(), 'herald-store-'));
  });
  afterEach(async () => {
    await Promise.all(state.children.map(kill));
    state.children = [];
    await chmod(state.folder, 0o700);
    await rm(state.folder, { recursive: true });
  });

  /** Starts child.ts, which becomes `user` if that is given. If `before` is given, a shell runs that command first. */
  const start = (mode: string, { before = '', user }: { before?: string; user?: number } = {}) => {
    const args = [
      ...loadTypescript,
      CHILD,
      mode,
      state.folder,
      ...(user === undefined ? [] : [String(user)]),
    ];
    const child = before
      ? spawned(spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', process.execPath, ...args]))
      : spawned(spawn(process.execPath, args));
    state.children.push(child);
    return { child, lines: linesOf(child) };
  };
  return { ...accessors(state), start };
}

function accessors(state: { folder: string }) {
  return {
    folder: () => state.folder,
    file: (name = 'herald.sqlite') => path.join(state.folder, name),
    /** Opens the ledger of the folder for `work`, and closes it. */
    withLedger: <Result>(work: (ledger: AccountLedger) => Result) => withLedger(state.folder, work),
  };
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** The reported lines of a child. `next` waits for the first line, `all` for the end of the process. */
function linesOf(child: ChildProcess) {
  assert.ok(child.stdout && child.stderr);
  const lines: Record<string, unknown>[] = [];
  let errors = '';
  child.stderr.on('data', (piece) => (errors += String(piece)));
  const reader = readline.createInterface(child.stdout);
  reader.on('line', (line) => lines.push(Object(JSON.parse(line))));
  const closed = once(child, 'close');
  const all = async () => {
    await closed;
    return lines;
  };
  const next = async () => {
    if (lines.length === 0) await Promise.race([once(reader, 'line'), closed]);
    return lines[0] ?? assert.fail(`the child reported nothing, standard error: ${errors}`);
  };
  return { next, all };
}

/** Returns a validator that asserts a StoreError of a kind with a message that matches `words`. */
export function isStoreError(kind: StoreErrorKind, words: RegExp) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof StoreError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, words);
    return true;
  };
}
