import { constants } from 'node:fs';
import { access, lstat, mkdir, open, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SpeechError, type Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { say } from '../../runtime/messages.js';
import { withTimeLimit } from './time-limit.js';
import { removeAbandoned, removeTemporary, temporaryBeside } from './temporary-files.js';

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
  return withErrors(file, () => withTimeLimit(file, signal, (limit) => read(file, maxBytes, limit)));
}

async function read(file: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  // Without O_NONBLOCK, opening a pipe would block until another process writes to it.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const kind = await handle.stat();
    if (!kind.isFile()) throw fileError(file, kindProblem(kind));
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

const kindProblem = (kind: { isDirectory(): boolean }): Text =>
  say(kind.isDirectory() ? 'file-folder' : 'file-special');

/** A file to write. */
export interface OutputFile {
  /** Absolute path. */
  file: string;
  /** Absolute path of the folder that the file must not leave, also through symbolic links. Default: no limit. */
  root?: string | undefined;
}

/**
 * Checks that a file can be written: the folder exists or can be created, and accepts a new file. An existing target must be
 * a regular file that is writable. Leaves nothing but created folders.
 * @throws SpeechError `bad-request`, or `timed-out` if the file system does not answer
 */
export function checkWritable(output: OutputFile, signal: AbortSignal, createFolder = false): Promise<void> {
  const check = async (limit: AbortSignal) => {
    await prepareFolder(output, createFolder);
    const probe = temporaryBeside(await pathToWrite(output));
    try {
      await writeFile(probe, '', { signal: limit, flag: 'wx' });
    } finally {
      await removeTemporary(probe);
    }
    await removeAbandoned(path.dirname(probe));
  };
  return withErrors(output.file, () => withTimeLimit(output.file, signal, check));
}

async function prepareFolder({ file, root }: OutputFile, create: boolean): Promise<void> {
  const folder = path.dirname(file);
  if (create && root !== undefined) await makeFolder(root);
  // A symbolic link must not lead the new folders out of the root.
  if (root !== undefined) await checkInside(file, await existingPart(folder), root);
  if (create) await makeFolder(folder);
  else if ((await statsOf(folder)) === undefined) throw folderMissing(folder);
}

/**
 * Creates a folder and the folders above it. The option `recursive` of `mkdir` never ends in a folder that reports ENOENT for
 * new names, such as `/proc`.
 */
export async function makeFolder(folder: string): Promise<void> {
  if ((await statsOf(folder)) !== undefined) return;
  if (folder !== path.dirname(folder)) await makeFolder(path.dirname(folder));
  await mkdir(folder).catch((cause: unknown) => {
    // Another process may have created it meanwhile.
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause;
  });
}

const folderMissing = (folder: string): SpeechError =>
  new SpeechError('bad-request', say('folder-missing', { folder: JSON.stringify(folder) }));

/** Returns the longest part of a path that exists. */
export async function existingPart(folder: string): Promise<string> {
  const parent = path.dirname(folder);
  return parent === folder || (await statsOf(folder)) !== undefined ? folder : existingPart(parent);
}

/** @throws SpeechError `bad-request` if the folder of the file is not in the root */
export async function checkInside(file: string, folder: string, root: string): Promise<void> {
  if ((await statsOf(root)) === undefined) throw folderMissing(root);
  if (!isInFolder(await realpath(root), await realpath(folder))) throw outside(file, root);
}

/** Returns whether a path is a folder or lies in it. Both paths are absolute. */
export function isInFolder(folder: string, inner: string): boolean {
  const way = path.relative(folder, inner);
  return way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

export const outside = (file: string, root: string): SpeechError =>
  new SpeechError('bad-request', say('file-outside', { file: abridgedPath(file), root: abridgedPath(root) }));

/**
 * Returns the path to write: the file, or the target of a symbolic link. With a root, the path has no symbolic links.
 * @throws SpeechError `bad-request` for a folder, pipe, device, socket or broken link, or outside the root
 */
export async function pathToWrite({ file, root }: OutputFile): Promise<string> {
  const found = await statsOf(file);
  const target = found?.isSymbolicLink() === true ? await realpath(file) : file;
  if (found !== undefined) {
    const kind = await lstat(target);
    if (!kind.isFile()) throw fileError(file, kindProblem(kind));
    await access(target, constants.W_OK);
  }
  if (root === undefined) return target;
  await checkInside(file, path.dirname(target), root);
  return path.join(await realpath(path.dirname(target)), path.basename(target));
}

/** Returns the properties of a path without following a link, or undefined if nothing has this path. */
export async function statsOf(file: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(file);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Runs work on a file. A system error, also of an invalid name, becomes `bad-request` with the file's name. */
export async function withErrors<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && !(cause instanceof SpeechError))
      throw fileError(file, systemProblem(cause), cause);
    throw cause;
  }
}

/** Returns the problem and its fix for the common system errors, otherwise the message of the system. */
function systemProblem({ code, message }: Error & { code: unknown }): Text | string {
  if (code === 'ENOENT') return say('file-missing');
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return say('file-denied');
  if (code === 'ENOTDIR') return say('file-not-folder');
  // The disk, or the user's share of the disk, is full.
  if (code === 'ENOSPC' || code === 'EDQUOT') return say('file-full');
  return message;
}

/** Returns the error of a file: `bad-request` with the path and the problem. */
export function fileError(file: string, problem: Text | string, cause?: unknown): SpeechError {
  return new SpeechError('bad-request', say('file', { file: abridgedPath(file), problem }), { cause });
}

/** A path in an error message. Very long paths are shortened. */
const abridgedPath = (file: string): string =>
  JSON.stringify(file.length > 300 ? `${file.slice(0, 300)}…` : file);
