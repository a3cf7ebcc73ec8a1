import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isErrno } from '@herald-speech/client/files';
import { asNaturalVoiceError, NaturalVoiceError } from '../../installed/errors.js';
import { digestsOf } from './digests.js';
import { PartFile, wrongDigest } from './part-file.js';
import type { FileRecord } from '../../installed/record.js';
import { namesInPath } from '../../installed/voice-name.js';
import type { FileDownloadOptions, ReadOptions, VoiceSource } from './voice-source.js';
import { HEAD_BYTES, refuseWrongContent } from './wrong-content.js';

/** A folder with the files of the voice repository, for computers without a network. */
export class FolderSource implements VoiceSource {
  constructor(readonly address: string) {}

  async read(file: string, { maxBytes, signal }: ReadOptions): Promise<Buffer> {
    return this.#use(file, signal, async (place) => {
      const { size } = await stat(place);
      if (size > maxBytes)
        throw new NaturalVoiceError('invalid', `${place}: ${size} bytes, expected ${maxBytes} at most`);
      const content = await readFile(place, { signal });
      refuseWrongContent(place, content.subarray(0, HEAD_BYTES));
      return content;
    });
  }

  /** Returns size and digests of a file. @throws NaturalVoiceError */
  async digests(file: string, signal: AbortSignal): Promise<FileRecord> {
    return this.#use(file, signal, (place) => digestsOf(place, signal));
  }

  async download(file: string, to: string, options: FileDownloadOptions): Promise<FileRecord> {
    const { bytes, md5, signal, onProgress } = options;
    return this.#use(file, signal, async (place) => {
      const { size } = await stat(place);
      refuseWrongContent(place, await headOf(place));
      if (size !== bytes) throw wrongDigest(place, { bytes: size, md5: '' }, options);
      const part = new PartFile(to, { bytes, md5 });
      await copy(place, part, signal, onProgress);
      return part.finish(signal);
    });
  }

  async #use<Result>(
    file: string,
    signal: AbortSignal,
    work: (place: string) => Promise<Result>,
  ): Promise<Result> {
    const place = path.join(this.address, ...namesInPath(file));
    try {
      return await work(place);
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTDIR') || signal.aborted) throw sourceError(error, place, signal);
      const fix = 'Copy the missing file, or choose another folder';
      throw new NaturalVoiceError('not-found', `${place}: no such file. ${fix}`, { cause: error });
    }
  }
}

/** Converts an error of a source that is a folder. */
export function sourceError(error: unknown, place: string, signal?: AbortSignal): NaturalVoiceError {
  if (!isErrno(error, 'EACCES', 'EPERM') || signal?.aborted === true)
    return asNaturalVoiceError(error, place, signal);
  const fix = 'Permit reading to the user that runs the service';
  return new NaturalVoiceError('unreadable', `${place}: access denied. ${fix}`, { cause: error });
}

async function copy(
  from: string,
  part: PartFile,
  signal: AbortSignal,
  onProgress: FileDownloadOptions['onProgress'],
): Promise<void> {
  const handle = await part.open(0, undefined);
  let bytes = 0;
  try {
    for await (const piece of createReadStream(from, { highWaterMark: 1 << 20, signal })) {
      await handle.appendFile(piece);
      bytes += Buffer.byteLength(piece);
      onProgress?.(bytes);
    }
  } finally {
    await handle.close();
  }
}

/** Returns the first bytes of a file. */
async function headOf(file: string): Promise<Buffer> {
  const pieces: unknown[] = await createReadStream(file, { end: HEAD_BYTES - 1 }).toArray();
  return Buffer.concat(pieces.filter((piece) => Buffer.isBuffer(piece)));
}
