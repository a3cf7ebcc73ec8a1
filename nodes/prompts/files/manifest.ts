import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withTimeLimit } from '../../output/files/time-limit.js';
import { FileWriter } from '../../output/files/file-writer.js';
import { fileError, statsOf, readBounded, withErrors } from '../../output/files/files.js';
import { say } from '../../runtime/messages.js';
import { LineLog } from './line-log.js';
import { decodeLine, encodeLine, Entries, HEADER, type Line } from './manifest-lines.js';
import type { PromptFile } from './prompt-file.js';

/** The name of the manifest in the folder of the prompts. */
export const MANIFEST = '.herald-prompts.jsonl';
/** Bytes of the largest manifest: 100,000 prompts with long texts need about 100 MB. */
const MAX_BYTES = 300_000_000;
/** Bytes by which the file may grow while it is read. */
const GROWTH_BYTES = 1_000_000;
/** Lines that are parsed or written in one step. Other work can run in between. */
const STEP = 1000;

const never = new AbortController().signal;

/**
 * The list of the files that runs have made in a folder: a file with one JSON object per line (docs/decisions/0095).
 * Lines are only appended, so a killed process damages at most the last line. Damaged lines are ignored. Opening writes nothing.
 */
export class Manifest {
  private obsolete = 0;
  private isChanged = false;

  private constructor(
    private readonly file: string,
    private readonly log: LineLog,
    private readonly entries: Entries,
    /** The number of lines that were ignored, such as the last line of a killed process. */
    readonly damagedLines: number,
    lines: number,
  ) {
    this.obsolete = lines - entries.size;
  }

  /**
   * Reads the manifest of a folder. A missing file or folder counts as empty.
   * @throws SpeechError `bad-request` if the file is not readable, too large or of a later version; `timed-out`; or the reason
   *   of the signal
   */
  static async open(folder: string, signal: AbortSignal): Promise<Manifest> {
    const file = path.join(folder, MANIFEST);
    const text = await readText(file, signal);
    const entries = new Entries();
    const { damaged, lines } = await replay(file, text, entries, signal);
    const start = text === '' ? HEADER : text.endsWith('\n') ? '' : '\n';
    return new Manifest(file, new LineLog(file, start), entries, damaged, lines);
  }

  get(filename: string): PromptFile | undefined {
    return this.entries.files.get(filename);
  }

  /** Returns all files, in the order in which they were first made. */
  all(): PromptFile[] {
    return [...this.entries.files.values()];
  }

  /** The folders that runs have made below the folder of the prompts. */
  get folders(): ReadonlySet<string> {
    return this.entries.folders;
  }

  /**
   * Adds a file, or replaces its entry. Resolves when the line is on the disk.
   * @throws SpeechError `bad-request` if the manifest is not writable, or `timed-out`. The entry then stays as it was.
   */
  add(file: PromptFile): Promise<void> {
    return this.append([file]);
  }

  /** Forgets files. @throws SpeechError as `add` */
  remove(filenames: readonly string[]): Promise<void> {
    return this.append(filenames.filter((name) => this.get(name)).map((removed) => ({ removed })));
  }

  /** Notes that a run has made a folder. @throws SpeechError as `add` */
  async addFolder(folder: string): Promise<void> {
    if (!this.folders.has(folder)) await this.append([{ folder }]);
  }

  /** @throws SpeechError as `add` */
  removeFolder(folderRemoved: string): Promise<void> {
    return this.append([{ folderRemoved }]);
  }

  /**
   * Closes the file. Removes obsolete lines if this object has appended any line. Never rejects.
   * @param isOwner false if another run may append lines. Then no line is removed
   */
  async close(isOwner = true): Promise<void> {
    await this.log.close();
    // Without space on the disk, the longer file stays. It has the same entries.
    if (isOwner && this.isChanged && this.obsolete > 0) await this.compact().catch(() => undefined);
    this.isChanged = false;
  }

  private async append(lines: readonly Line[]): Promise<void> {
    if (lines.length === 0) return;
    const former = this.entries.size;
    await this.log.append(lines.map(encodeLine).join(''));
    for (const line of lines) this.entries.apply(line);
    this.obsolete += lines.length - (this.entries.size - former);
    this.isChanged = true;
  }

  private async compact(): Promise<void> {
    const writer = new FileWriter({ file: this.file }, never);
    try {
      await writer.open();
      for (const text of this.steps()) await writer.append(Buffer.from(text));
      await writer.finish(new Uint8Array());
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  private *steps(): Generator<string, void, undefined> {
    let lines = [HEADER];
    for (const line of this.entries.lines()) {
      if (lines.push(encodeLine(line)) < STEP) continue;
      yield lines.join('');
      lines = [];
    }
    yield lines.join('');
  }
}

/** Returns the text of a file, or '' if it does not exist. */
async function readText(file: string, signal: AbortSignal): Promise<string> {
  const found = await withErrors(file, () => withTimeLimit(file, signal, () => statsOf(file)));
  if (found === undefined) return '';
  // A link could lead out of the folder.
  if (!found.isFile()) throw fileError(file, say('file-special'));
  if (found.size > MAX_BYTES) throw fileError(file, say('file-size', { limit: MAX_BYTES }));
  // Another run can append lines meanwhile.
  const bytes = await readBounded(file, Number(found.size) + GROWTH_BYTES, signal);
  return new TextDecoder().decode(bytes);
}

/** @throws SpeechError `bad-request` for a later version */
async function replay(file: string, text: string, entries: Entries, signal: AbortSignal) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  let damaged = 0;
  let headers = 0;
  for (const [index, line] of lines.entries()) {
    const found = decodeLine(line);
    if (found === 'later') throw fileError(file, say('prompts-later-version'));
    if (found === undefined) damaged += 1;
    else if (found === 'header') headers += 1;
    else entries.apply(found);
    if (index % STEP === 0) await nextTurn();
    signal.throwIfAborted();
  }
  return { damaged, lines: lines.length - headers };
}
