import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { SpeechError } from '@herald-speech/client';

/**
 * A whole file of at most `maxBytes`.
 * @throws SpeechError `bad-request` when it is not there, not a file, or too large
 */
export async function readBounded(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size > maxBytes) throw new Error(`${size} bytes; expected at most ${maxBytes}`);
      return await file.readFile({ signal });
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw fileError(path, cause);
  }
}

/**
 * Writes a file so that nobody ever sees half of it: under another name first, then renamed.
 * @throws SpeechError `bad-request` when the place can't be written to
 */
export async function writeWhole(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, bytes, { signal, flag: 'wx' });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    if (signal.aborted) throw signal.reason;
    throw fileError(path, cause);
  }
}

function fileError(path: string, cause: unknown): SpeechError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SpeechError('bad-request', `file ${JSON.stringify(path)}: ${why}`, { cause });
}
