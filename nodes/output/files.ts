import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SpeechError, type Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { say } from '../runtime/messages.js';
import { bounded } from './bounded.js';

/** Resolves a path. A relative path starts at `fileWorkingDirectory` of the settings, as in Node-RED's file nodes. */
export function resolvePath({ settings }: NodeAPI, name: string): string {
  const folder: unknown = Reflect.get(settings, 'fileWorkingDirectory');
  return path.resolve(typeof folder === 'string' ? folder : '', name);
}

/**
 * Reads a file of at most `maxBytes` bytes.
 * @throws SpeechError `bad-request` if the path is missing, is not a regular file, or is too large; `timed-out` if the file
 *   system does not answer
 */
export function readBounded(file: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  return withErrors(file, () => bounded(file, signal, (limit) => read(file, maxBytes, limit)));
}

async function read(file: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  // Without O_NONBLOCK, opening a pipe would block until another process writes to it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw fileError(file, say('file-kind'));
    // Reads at most one byte more than allowed, because the file can grow meanwhile.
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      length += bytesRead;
      if (length > maxBytes) throw fileError(file, say('file-size', { limit: maxBytes }));
      if (bytesRead === 0) return bytes.subarray(0, length);
    }
  } finally {
    await handle.close();
  }
}

export interface WriteOptions {
  signal: AbortSignal;
  /** True to create missing folders of the path. */
  createFolder?: boolean;
}

/**
 * Checks that a file can be written: the folder exists or can be created, and accepts a new file. An existing target must be
 * a regular file that is writable. Leaves nothing but created folders.
 * @throws SpeechError `bad-request`, or `timed-out` if the file system does not answer
 */
export function checkWritable(file: string, { signal, createFolder = false }: WriteOptions): Promise<void> {
  const check = async (limit: AbortSignal) => {
    await prepareFolder(path.dirname(file), createFolder);
    const probe = temporaryBeside(await targetOf(file));
    try {
      await writeFile(probe, '', { signal: limit, flag: 'wx' });
    } finally {
      await rm(probe, { force: true });
    }
  };
  return withErrors(file, () => bounded(file, signal, check));
}

/**
 * Writes a file atomically: to a temporary name first, which is then renamed. Readers never see a partial file. A symbolic
 * link stays, and its target is written.
 * @throws SpeechError `bad-request` if the path is not writable or no regular file, or `timed-out` if the file system does
 *   not answer
 */
export function writeAtomically(file: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const write = async (limit: AbortSignal) => {
    const target = await targetOf(file);
    const temporary = temporaryBeside(target);
    try {
      await writeFile(temporary, bytes, { signal: limit, flag: 'wx' });
      limit.throwIfAborted();
      await rename(temporary, target);
    } catch (cause) {
      await rm(temporary, { force: true });
      throw cause;
    }
  };
  return withErrors(file, () => bounded(file, signal, write));
}

/** Returns a new name in the folder of a file. It does not contain the file's name, which may have the maximum length. */
const temporaryBeside = (file: string): string => path.join(path.dirname(file), `.${randomUUID()}.part`);

async function prepareFolder(folder: string, create: boolean): Promise<void> {
  if (create) await mkdir(folder, { recursive: true });
  else if ((await kindOf(folder)) === undefined) {
    throw new SpeechError('bad-request', say('folder-missing', { folder: JSON.stringify(folder) }));
  }
}

/**
 * Returns the path to write: the file, or the target of a symbolic link.
 * @throws SpeechError `bad-request` for a folder, pipe, device, socket or broken link
 */
async function targetOf(file: string): Promise<string> {
  const found = await kindOf(file);
  if (found === undefined) return file;
  const target = found.isSymbolicLink() ? await realpath(file) : file;
  const kind = await lstat(target);
  if (!kind.isFile()) throw fileError(file, say(kind.isDirectory() ? 'file-folder' : 'file-special'));
  await access(target, constants.W_OK);
  return target;
}

/** Returns the properties of a path without following a link, or undefined if nothing has this path. */
async function kindOf(file: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(file);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Runs work on a file. A system error, also of an invalid name, becomes `bad-request` with the file's name. */
async function withErrors<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && !(cause instanceof SpeechError))
      throw fileError(file, cause.message, cause);
    throw cause;
  }
}

function fileError(file: string, problem: Text | string, cause?: unknown): SpeechError {
  return new SpeechError('bad-request', say('file', { file: abridgedPath(file), problem }), { cause });
}

/** A path in an error message. Very long paths are shortened. */
const abridgedPath = (file: string): string =>
  JSON.stringify(file.length > 300 ? `${file.slice(0, 300)}…` : file);
