import { type FileHandle, open } from 'node:fs/promises';
import { withTimeLimit } from '../../output/files/time-limit.js';
import { withErrors } from '../../output/files/files.js';

/** A started line must end, also while a run is stopped. The time limit of `withTimeLimit` still applies. */
const never = new AbortController().signal;

/**
 * A file to which lines are appended. A line is on the disk when its promise resolves, also after a power failure. Lines that
 * arrive during a write share the next write, so many parallel lines need few waits for the disk.
 */
export class LineLog {
  private handle: FileHandle | undefined;
  private waiting: string[] = [];
  private next: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();
  private isClosed = false;

  /**
   * @param start text to write before the first line, such as a header
   */
  constructor(
    private readonly file: string,
    private start: string,
  ) {}

  /**
   * Appends a line, which ends with a line feed. The file is created if it is missing.
   * @throws SpeechError `bad-request` if the file is not writable, or `timed-out`
   */
  append(line: string): Promise<void> {
    this.waiting.push(line);
    this.next ??= this.last.then(() => this.write());
    this.last = this.next.catch(() => undefined);
    return this.next;
  }

  /** Closes the file after the last line. Never rejects. */
  async close(): Promise<void> {
    await this.last;
    this.isClosed = true;
    await this.handle?.close().catch(() => undefined);
    this.handle = undefined;
  }

  private async write(): Promise<void> {
    const text = this.start + this.waiting.splice(0).join('');
    this.next = undefined;
    // If the write fails in the middle of a line, the next line must not continue it.
    this.start = '\n';
    await withErrors(this.file, () => withTimeLimit(this.file, never, () => this.writeDown(text)));
    this.start = '';
  }

  private async writeDown(text: string): Promise<void> {
    if (this.isClosed) throw new Error('the file is closed');
    this.handle ??= await open(this.file, 'a');
    await this.handle.appendFile(text);
    await this.handle.datasync();
  }
}
