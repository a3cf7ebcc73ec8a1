import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { isErrno } from '@herald-speech/client/files';
import { asNaturalVoiceError, NaturalVoiceError } from '../../installed/errors.js';
import { digestsOf } from './digests.js';
import { PartFile, wrongDigest } from './part-file.js';
import type { FileRecord } from '../../installed/record.js';
import { namesInPath } from '../../installed/voice-name.js';
import type { FileDownloadOptions, ReadOptions, VoiceSource } from './voice-source.js';
import { HEAD_BYTES, refuseWrongContent } from './wrong-content.js';

/** A file with a voice's file in it: the whole of it, or the bytes from `start` to `end`, both included. */
export interface FilePart {
  file: string;
  size: number;
  range: { start?: number; end?: number };
}

/** A folder with the files of the voice repository, for computers without a network. */
export class FolderSource implements VoiceSource {
  /**
   * @param address the folder
   * @param parts the files by their names, if `address` is a file with several files in it
   */
  constructor(
    readonly address: string,
    private readonly parts?: ReadonlyMap<string, FilePart>,
  ) {}

  async read(file: string, { maxBytes, signal }: ReadOptions): Promise<Buffer> {
    return this.#use(file, signal, async (part, place) => {
      if (part.size > maxBytes)
        throw new NaturalVoiceError('invalid', `${place}: ${part.size} bytes, expected ${maxBytes} at most`);
      const content = await bytesOf(part, signal);
      refuseWrongContent(place, content.subarray(0, HEAD_BYTES));
      return content;
    });
  }

  /** Returns size and digests of a file. @throws NaturalVoiceError */
  async digests(file: string, signal: AbortSignal): Promise<FileRecord> {
    return this.#use(file, signal, (part) => digestsOf(part.file, signal, part.range));
  }

  async download(file: string, to: string, options: FileDownloadOptions): Promise<FileRecord> {
    const { bytes, md5, signal, onProgress } = options;
    return this.#use(file, signal, async (source, place) => {
      const { size, range } = source;
      const start = range.start ?? 0;
      const head = {
        ...source,
        range: { start, end: Math.min(range.end ?? Infinity, start + HEAD_BYTES - 1) },
      };
      refuseWrongContent(place, await bytesOf(head, signal));
      if (size !== bytes) throw wrongDigest(place, { bytes: size, md5: '' }, options);
      const part = new PartFile(to, { bytes, md5 });
      await copy(source, part, signal, onProgress);
      return part.finish(signal);
    });
  }

  async #part(file: string, place: string): Promise<FilePart> {
    if (this.parts === undefined) return { file: place, size: (await stat(place)).size, range: {} };
    const part = this.parts.get(file);
    if (part === undefined) throw Object.assign(new Error('not in the archive'), { code: 'ENOENT' });
    return part;
  }

  async #use<Result>(
    file: string,
    signal: AbortSignal,
    work: (part: FilePart, place: string) => Promise<Result>,
  ): Promise<Result> {
    const place = path.join(this.address, ...namesInPath(file));
    try {
      return await work(await this.#part(file, place), place);
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTDIR') || signal.aborted) throw sourceError(error, place, signal);
      const fix = 'Copy the missing file, or choose another folder';
      throw new NaturalVoiceError('not-found', `${place}: no such file. ${fix}`, { cause: error });
    }
  }
}

/** Returns the bytes of a file, or of a part of it. */
async function bytesOf({ file, range }: FilePart, signal: AbortSignal): Promise<Buffer> {
  const pieces: unknown[] = await createReadStream(file, { signal, ...range }).toArray();
  return Buffer.concat(pieces.filter((piece) => Buffer.isBuffer(piece)));
}

/** Converts an error of a source that is a folder. */
export function sourceError(error: unknown, place: string, signal?: AbortSignal): NaturalVoiceError {
  if (!isErrno(error, 'EACCES', 'EPERM') || signal?.aborted === true)
    return asNaturalVoiceError(error, place, signal);
  const fix = 'Permit reading to the user that runs the service';
  return new NaturalVoiceError('unreadable', `${place}: access denied. ${fix}`, { cause: error });
}

async function copy(
  { file, range }: FilePart,
  part: PartFile,
  signal: AbortSignal,
  onProgress: FileDownloadOptions['onProgress'],
): Promise<void> {
  const handle = await part.open(0, undefined);
  let bytes = 0;
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 20, signal, ...range })) {
      await handle.appendFile(piece);
      bytes += Buffer.byteLength(piece);
      onProgress?.(bytes);
    }
  } finally {
    await handle.close();
  }
}
