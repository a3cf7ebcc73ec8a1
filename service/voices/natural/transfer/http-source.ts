import path from 'node:path';
import { unescape } from 'node:querystring';
import { setTimeout as delay } from 'node:timers/promises';
import { asNaturalVoiceError, NaturalVoiceError } from '../../installed/errors.js';
import { exchange, type GetReply } from './http-exchange.js';
import { Download } from './download.js';
import type { NetworkLimits } from './network.js';
import { PartFile } from './part-file.js';
import type { FileRecord } from '../../installed/record.js';
import { shown, TransferError } from './transfer-error.js';
import { namesInPath } from '../../installed/voice-name.js';
import type { FileDownloadOptions, ReadOptions, VoiceSource } from './voice-source.js';
import { HEAD_BYTES, refuseWrongContent } from './wrong-content.js';

interface RetryLimits {
  /** Tries in a row without progress. */
  tries: number;
  /** Tries in all. */
  allTries: number;
  /** Milliseconds before the second try. The wait doubles with each try without progress. */
  backoff: number;
}

export interface SourceLimits extends NetworkLimits, RetryLimits {
  /** Milliseconds of a file of any size. */
  total: number;
  /** Slowest download, in bytes for each second. The time for these bytes adds to `total`. */
  slowest: number;
}

export const sourceLimits: SourceLimits = {
  connect: 10_000,
  idle: 30_000,
  tries: 5,
  allTries: 100,
  backoff: 500,
  total: 600_000,
  slowest: 10_000,
};

/** The voice repository or a mirror of it, over HTTP. */
export class HttpSource implements VoiceSource {
  readonly #limits: SourceLimits;
  readonly address: string;
  readonly #base: URL;
  readonly #headers: Record<string, string>;

  /** @param base address of the mirror; a user name and a password become the header Authorization */
  constructor(base: URL, limits: SourceLimits = sourceLimits) {
    this.#limits = limits;
    this.#base = new URL(base);
    const { username, password } = base;
    [this.#base.username, this.#base.password] = ['', ''];
    this.address = shown(this.#base).replace(/\/$/, '');
    const login = `${unescape(username)}:${unescape(password)}`;
    const authorization = `Basic ${Buffer.from(login).toString('base64')}`;
    this.#headers = {
      'user-agent': 'herald-service',
      'accept-encoding': 'identity',
      ...(login !== ':' && { authorization }),
    };
  }

  async read(file: string, { maxBytes, signal }: ReadOptions): Promise<Buffer> {
    const url = this.#urlOf(file);
    return this.#bounded(file, maxBytes, signal, (limit) => {
      const request = { url, headers: this.#headers, accepts: [200], signal: limit };
      const attempt = () => exchange(request, this.#limits, (reply) => readAll(url, reply, maxBytes));
      return repeat(attempt, this.#limits, limit);
    });
  }

  async download(file: string, to: string, options: FileDownloadOptions): Promise<FileRecord> {
    const url = this.#urlOf(file);
    const part = new PartFile(to, options);
    return this.#bounded(file, options.bytes, options.signal, async (signal) => {
      const download = new Download(url, part, { ...options, signal });
      const attempt = () => download.run(this.#headers, this.#limits);
      const fetchAll = () => repeat(attempt, this.#limits, signal, () => download.maxBytes);
      await fetchAll();
      try {
        return await part.finish(signal);
      } catch (error) {
        // Only bytes of several replies can be of different versions.
        if (!(error instanceof NaturalVoiceError && download.isResumed)) throw error;
        await fetchAll();
        return part.finish(signal);
      }
    });
  }

  #urlOf(file: string): URL {
    const url = new URL(this.#base);
    const names = namesInPath(file).map(encodeURIComponent);
    url.pathname = [url.pathname.replace(/\/$/, ''), ...names].join('/');
    return url;
  }

  async #bounded<Result>(
    file: string,
    bytes: number,
    signal: AbortSignal,
    work: (limit: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const milliseconds = Math.ceil(this.#limits.total + (1000 * bytes) / this.#limits.slowest);
    const deadline = AbortSignal.timeout(milliseconds);
    try {
      return await work(AbortSignal.any([signal, deadline]));
    } catch (error) {
      if (!deadline.aborted || signal.aborted)
        throw asNaturalVoiceError(error, path.posix.basename(file), signal);
      const fix = 'Install the voice again to continue, or choose another mirror';
      const message = `${file}: the download took more than ${Math.round(milliseconds / 60_000)} minutes. ${fix}`;
      throw new NaturalVoiceError('network', message, { cause: error });
    }
  }
}

async function readAll(url: URL, { headers, body }: GetReply, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(Buffer.from(piece));
    bytes += pieces.at(-1)?.length ?? 0;
    if (bytes > maxBytes)
      throw new TransferError(`${shown(url)}: more than ${maxBytes} bytes. Try another mirror`);
  }
  const content = Buffer.concat(pieces);
  refuseWrongContent(shown(url), content.subarray(0, HEAD_BYTES), String(headers['content-type']));
  return content;
}

/**
 * Repeats `work` after temporary failures.
 * @param progress returns a number that grows with each new byte
 * @throws the last failure; an AbortError
 */
async function repeat<Result>(
  work: () => Promise<Result>,
  { tries, allTries, backoff }: RetryLimits,
  signal: AbortSignal,
  progress: () => number = () => 0,
): Promise<Result> {
  let inVain = 0;
  for (let count = 1; ; count += 1) {
    const before = progress();
    try {
      return await work();
    } catch (error) {
      inVain = progress() > before ? 0 : inVain + 1;
      const isTemporary = error instanceof TransferError && error.isTemporary;
      if (!isTemporary || inVain >= tries || count >= allTries) throw error;
      await delay(Math.max(error.wait, backoff * 2 ** Math.max(0, inVain - 1)), undefined, { signal });
    }
  }
}
