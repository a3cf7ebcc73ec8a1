import { channel } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import Module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { z } from '@herald-speech/client';

const PACKAGE = '@herald-speech/local-service/package.json';

type Resolve = (request: string, ...rest: unknown[]) => string;

/** Runs `work` without an installed package of the local service. */
export function withoutServicePackage<Result>(work: () => Promise<Result>): Promise<Result> {
  return resolvingTo(() => {
    throw new Error(`Cannot find module '${PACKAGE}'`);
  }, work);
}

/** Runs `work` with a replaced package of the local service. Its command runs `script`. */
export async function withServicePackage<Result>(
  script: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'herald-package-'));
  const manifest = path.join(folder, 'package.json');
  await writeFile(manifest, JSON.stringify({ bin: { 'herald-service': 'cli.js' } }));
  await writeFile(path.join(folder, 'cli.js'), script);
  try {
    return await resolvingTo(() => manifest, work);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs `work` with a replaced resolution of the package. `require` and `require.resolve` both call this function of Node. */
async function resolvingTo<Result>(place: () => string, work: () => Promise<Result>): Promise<Result> {
  const original: unknown = Reflect.get(Module, '_resolveFilename');
  if (!isResolve(original)) throw new Error('This version of Node resolves modules in another way.');
  const replaced: Resolve = (request, ...rest) =>
    request === PACKAGE ? place() : original.call(Module, request, ...rest);
  Reflect.set(Module, '_resolveFilename', replaced);
  try {
    return await work();
  } finally {
    Reflect.set(Module, '_resolveFilename', original);
  }
}

const isResolve = (value: unknown): value is Resolve => typeof value === 'function';

const started = z.object({ process: z.custom<ChildProcess>((value) => typeof value === 'object') });

/** Runs `work` with a list that receives each new child process of this process. */
export async function watchingProcesses<Result>(
  work: (processes: readonly ChildProcess[]) => Promise<Result>,
): Promise<Result> {
  const processes: ChildProcess[] = [];
  const note = (message: unknown) => processes.push(started.parse(message).process);
  channel('child_process').subscribe(note);
  try {
    return await work(processes);
  } finally {
    channel('child_process').unsubscribe(note);
  }
}

/** Returns true if a process has ended. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;
