import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SpeechError } from '@herald-speech/client';
import type { NodeAPI } from 'node-red';

/** A file's place: a relative one is below the folder that the settings name, as for Node-RED's own file nodes. */
export function placeOf({ settings }: NodeAPI, name: string): string {
  const folder: unknown = Reflect.get(settings, 'fileWorkingDirectory');
  return path.resolve(typeof folder === 'string' ? folder : '', name);
}

/**
 * A whole file of at most `maxBytes`.
 * @throws SpeechError `bad-request` when it is not there, not a file, or too large
 */
export async function readBounded(file: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  try {
    // To open a pipe would wait for its writer, and no signal ends that.
    if (!(await stat(file)).isFile()) throw new Error('not a file');
    const pieces: Buffer[] = [];
    // Read one byte further than allowed, and no more: a file may grow while it is read.
    const stream: AsyncIterable<Buffer> = createReadStream(file, { end: maxBytes, signal });
    for await (const piece of stream) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    if (bytes.length > maxBytes) throw new Error(`expected at most ${maxBytes} bytes`);
    return bytes;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw fileError(file, cause);
  }
}

/**
 * Writes a file so that nobody ever sees half of it: under another name first, then renamed.
 * @throws SpeechError `bad-request` when the place can't be written to
 */
export async function writeWhole(file: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const temporary = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, bytes, { signal, flag: 'wx' });
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    if (signal.aborted) throw signal.reason;
    throw fileError(file, cause);
  }
}

function fileError(file: string, cause: unknown): SpeechError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SpeechError('bad-request', `file ${JSON.stringify(file)}: ${why}`, { cause });
}
