import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isErrno } from '../../store/store-error.js';
import { asNaturalVoiceError, NaturalVoiceError } from '../errors.js';
import { PartFile, wrongDigest } from './part-file.js';
import type { FileRecord } from '../record.js';
import { namesInPath } from '../voice-name.js';
import type { DownloadOptions, ReadOptions, VoiceSource } from '../voice-source.js';
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

  async download(file: string, to: string, options: DownloadOptions): Promise<FileRecord> {
    const { bytes, md5, signal, onProgress } = options;
    return this.#use(file, signal, async (place) => {
      const { size } = await stat(place);
      if (size < HEAD_BYTES) refuseWrongContent(place, await readFile(place));
      if (size !== bytes) throw wrongDigest(place, { bytes: size, md5: '' }, options);
      const part = new PartFile(to, { bytes, md5 });
      let copied = 0;
      const reader = createReadStream(place, { highWaterMark: 1 << 20 });
      reader.on('data', (piece) => onProgress?.((copied += piece.length)));
      const writer = (await part.open(0, undefined)).createWriteStream();
      await pipeline(reader, writer, { signal }).catch(async (error: unknown) => {
        await part.remove();
        throw error;
      });
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
      if (!isErrno(error, 'ENOENT', 'ENOTDIR') || signal.aborted)
        throw asNaturalVoiceError(error, place, signal);
      const fix = 'The folder must have the same files as the voice repository';
      throw new NaturalVoiceError('not-found', `${place}: no such file. ${fix}`, { cause: error });
    }
  }
}
