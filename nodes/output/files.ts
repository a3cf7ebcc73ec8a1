import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SpeechError, type Text } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';
import { say } from '../runtime/messages.js';

/** Resolves a path. A relative path starts at `fileWorkingDirectory` of the settings, as in Node-RED's file nodes. */
export function resolvePath({ settings }: NodeAPI, name: string): string {
  const folder: unknown = Reflect.get(settings, 'fileWorkingDirectory');
  return path.resolve(typeof folder === 'string' ? folder : '', name);
}

/**
 * Reads a file of at most `maxBytes` bytes.
 * @throws SpeechError `bad-request` if the path is missing, is not a regular file, or is too large
 */
export async function readBounded(file: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  try {
    // Opening a pipe would block until another process writes to it, and a signal cannot abort that.
    if (!(await stat(file)).isFile()) throw fileError(file, say('file-kind'));
    const pieces: Buffer[] = [];
    // Reads at most one byte more than allowed, because the file can grow meanwhile.
    const stream: AsyncIterable<Buffer> = createReadStream(file, { end: maxBytes, signal });
    for await (const piece of stream) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    if (bytes.length > maxBytes) throw fileError(file, say('file-size', { limit: maxBytes }));
    return bytes;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw cause instanceof SpeechError ? cause : systemError(file, cause);
  }
}

/**
 * Writes a file atomically: to a temporary name first, which is then renamed. Readers never see a partial file.
 * @throws SpeechError `bad-request` if the path is not writable
 */
export async function writeAtomically(file: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const temporary = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, bytes, { signal, flag: 'wx' });
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    if (signal.aborted) throw signal.reason;
    throw systemError(file, cause);
  }
}

function systemError(file: string, cause: unknown): SpeechError {
  return fileError(file, cause instanceof Error ? cause.message : String(cause), cause);
}

function fileError(file: string, problem: Text | string, cause?: unknown): SpeechError {
  return new SpeechError('bad-request', say('file', { file: JSON.stringify(file), problem }), { cause });
}
