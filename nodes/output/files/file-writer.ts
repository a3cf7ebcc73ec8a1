import { type FileHandle, open, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeLimit } from './time-limit.js';
import { type OutputFile, pathToWrite, withErrors } from './files.js';
import { removeTemporary, temporaryBeside } from './temporary-files.js';

/** Milliseconds that `discard` waits for a file system that does not answer. The removal goes on in the background. */
const REMOVAL_MS = 500;
/** Bytes after which written data is sent to the disk. A slow disk needs longer than the time limit for a long text at once. */
const SYNC_BYTES = 32_000_000;

const NO_HEADER = new Uint8Array();

interface WriterOptions {
  /** Returns the path of the temporary file for a target. */
  nameOf?(target: string): string;
  /** False if the file may be incomplete after a power failure. This saves a wait for the disk. Default true. */
  durable?: boolean;
  /** Access rights of the file. Default: the rights of the umask, as for each file that a user asks for. */
  mode?: number;
}

/**
 * Writes a file in parts to a temporary name in the same folder. `finish` gives it its name, so that readers never see a
 * partial file. A symbolic link stays, and its target is written. The time limit applies to each operation.
 *
 * All methods throw SpeechError `bad-request` if the path is not writable, `timed-out` if the file system does not answer, or
 * the signal's reason. After an error, call `discard`.
 */
export class FileWriter {
  /** Bytes written so far. */
  bytes = 0;
  private syncedBytes = 0;
  private handle: FileHandle | undefined;
  private temporary: string | undefined;
  private target = '';
  /** The last operation. It can outlive its time limit. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly output: OutputFile,
    private readonly signal: AbortSignal,
    private readonly options: WriterOptions = {},
  ) {}

  /** Creates the temporary file, and returns its path. */
  open(): Promise<string> {
    return this.run(async () => {
      this.target = await pathToWrite(this.output);
      const temporary = (this.options.nameOf ?? temporaryBeside)(this.target);
      this.handle = await open(temporary, 'wx', this.options.mode);
      this.temporary = temporary;
      return temporary;
    });
  }

  async append(data: Uint8Array): Promise<void> {
    await this.run(() => this.write(data, this.bytes));
    this.bytes += data.length;
    if (this.bytes - this.syncedBytes < SYNC_BYTES) return;
    await this.run(() => this.sync());
    this.syncedBytes = this.bytes;
  }

  /**
   * Replaces the first bytes by the final header, and gives the file its name.
   * @param turn called before the file gets its name
   * @param signal stops the naming. Default: the signal of the writer
   */
  async finish(
    header: Uint8Array = NO_HEADER,
    turn?: () => Promise<void>,
    signal: AbortSignal = this.signal,
  ): Promise<void> {
    await this.run(async () => {
      await this.write(header, 0);
      await this.sync();
      await this.close();
    });
    await turn?.();
    await this.run(async (limit) => {
      limit.throwIfAborted();
      if (this.temporary !== undefined) await rename(this.temporary, this.target);
      await this.remove();
    }, signal);
  }

  /** Removes the temporary file, if it is still there. Never rejects. */
  async discard(): Promise<void> {
    const timer = new AbortController();
    const removal = this.last.then(() => this.remove()).catch(() => undefined);
    const patience = sleep(REMOVAL_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([removal, patience]);
    timer.abort();
  }

  private async remove(): Promise<void> {
    await this.close();
    if (this.temporary !== undefined) await removeTemporary(this.temporary);
    this.temporary = undefined;
  }

  private async close(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
  }

  private async sync(): Promise<void> {
    if (this.options.durable !== false) await this.handle?.datasync();
  }

  private async write(data: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < data.length;) {
      const written = await this.handle?.write(data, at, data.length - at, position + at);
      if (written === undefined) throw new Error('the file is not open');
      at += written.bytesWritten;
    }
  }

  private run<Result>(
    work: (limit: AbortSignal) => Promise<Result>,
    signal: AbortSignal = this.signal,
  ): Promise<Result> {
    const started = (limit: AbortSignal) => {
      const working = work(limit);
      this.last = working.catch(() => undefined);
      return working;
    };
    const { file } = this.output;
    return withErrors(file, () => withTimeLimit(file, signal, started));
  }
}
