import type { FileHandle } from 'node:fs/promises';
import { isErrno } from '@herald-speech/client/files';
import { exchange, type GetReply } from './http-exchange.js';
import type { NetworkLimits } from './network.js';
import type { PartFile } from './part-file.js';
import { startOf, strongEtag, WrongRange } from './range.js';
import { shown, TransferError } from './transfer-error.js';
import type { FileDownloadOptions } from './voice-source.js';
import { HEAD_BYTES, refuseWrongContent } from './wrong-content.js';

/** A download in one or more requests. Each request continues after the bytes on disk. */
export class Download {
  readonly #url: URL;
  readonly #part: PartFile;
  readonly #options: FileDownloadOptions;
  /** Maximum number of bytes that were on disk at a time. */
  maxBytes = 0;
  /** Whether the bytes on disk come from several replies. */
  isResumed = false;

  constructor(url: URL, part: PartFile, options: FileDownloadOptions) {
    this.#url = url;
    this.#part = part;
    this.#options = options;
  }

  /** Sends one request. Resolves if all bytes are on disk. @throws TransferError; an error of the file system */
  async run(headers: Readonly<Record<string, string>>, limits: NetworkLimits): Promise<void> {
    const { bytes, signal } = this.#options;
    const offset = await this.#part.size();
    this.#report(offset);
    if (offset > 0) this.isResumed = true;
    if (offset === bytes && offset > 0) return;
    const range = offset > 0 ? await this.#range(offset) : {};
    const accepts = offset > 0 ? [200, 206, 416] : [200];
    const request = { url: this.#url, headers: { ...headers, ...range }, accepts, signal };
    try {
      await exchange(request, limits, (reply) => this.#save(reply, offset));
    } catch (error) {
      // The database of the service may need the space of a full disk.
      if (error instanceof WrongRange || isErrno(error, 'ENOSPC', 'EDQUOT')) await this.#part.remove();
      throw error;
    }
  }

  async #range(offset: number): Promise<Record<string, string>> {
    const etag = await this.#part.etag();
    return { range: `bytes=${offset}-`, ...(etag !== undefined && { 'if-range': etag }) };
  }

  async #save(reply: GetReply, offset: number): Promise<void> {
    const url = this.#url;
    if (reply.statusCode === 416) throw new WrongRange(`${shown(url)}: the server has no byte ${offset}`);
    const pieces: AsyncIterator<unknown> = reply.body[Symbol.asyncIterator]();
    const head = reply.statusCode === 200 ? await firstBytes(pieces) : Buffer.alloc(0);
    refuseWrongContent(shown(url), head, String(reply.headers['content-type']));
    const start = startOf(url, reply, offset, this.#options.bytes);
    if (start === 0) this.isResumed = false;
    const handle = await this.#part.open(start, strongEtag(reply));
    try {
      const end = await this.#append(handle, start, head);
      await this.#appendAll(handle, end, pieces);
    } finally {
      await handle.close();
    }
  }

  async #appendAll(handle: FileHandle, start: number, pieces: AsyncIterator<unknown>): Promise<void> {
    let end = start;
    for await (const piece of { [Symbol.asyncIterator]: () => pieces }) {
      end = await this.#append(handle, end, bufferOf(piece));
    }
    if (end === this.#options.bytes) return;
    throw new TransferError(`${shown(this.#url)}: the reply ended early`, { isTemporary: true });
  }

  /** Appends a part of the file, and returns its end. */
  async #append(handle: FileHandle, start: number, data: Buffer): Promise<number> {
    const end = start + data.length;
    const { bytes } = this.#options;
    if (end > bytes) throw tooLong(this.#url, bytes);
    if (data.length > 0) await handle.appendFile(data);
    this.#report(end);
    return end;
  }

  #report(bytes: number): void {
    this.maxBytes = Math.max(this.maxBytes, bytes);
    this.#options.onProgress?.(bytes);
  }
}

const bufferOf = (piece: unknown): Buffer => (Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece)));

/** Returns enough bytes to recognize a web page, or the whole body if it is shorter. */
async function firstBytes(pieces: AsyncIterator<unknown>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    head = Buffer.concat([head, bufferOf(value)]);
  }
  return head;
}

function tooLong(url: URL, bytes: number): TransferError {
  const fix = 'Refresh the catalogue or choose another mirror';
  return new TransferError(
    `${shown(url)}: the file is longer than the ${bytes} bytes of the catalogue. ${fix}`,
    {
      kind: 'digest',
    },
  );
}
