import readline from 'node:readline/promises';
import { NaturalVoiceError } from '../../voices/installed/errors.js';
import type { InstallProgress } from '../../voices/natural/install/install-control.js';
import { formatMegabytes } from './format.js';

const BAR = 24;
/** Milliseconds between two updates of the progress. */
const UPDATE = 100;
/** The words of the phases. The model card is read before the question, so its phase takes no time. */
export const DOWNLOAD = { download: 'download', check: 'check', measure: 'speed' };
type Words = Readonly<typeof DOWNLOAD>;
/** The words of an import. */
export const COPY: Words = { ...DOWNLOAD, download: 'copy' };

/** The stream of a terminal, or of a file. */
export interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
}

/** Messages and progress for a user. They go to the standard error, because the standard output has the result. */
export class Terminal {
  readonly #output: OutputStream;
  #isLineOpen = false;
  #updatedAt = -Infinity;
  #last = '';

  constructor(output: OutputStream) {
    this.#output = output;
  }

  /** Whether a user can answer questions. */
  get canAsk(): boolean {
    return process.stdin.isTTY && this.#output.isTTY === true;
  }

  say(text: string): void {
    this.clear();
    this.#output.write(`${text}\n`);
  }

  /** Asks a question that "y" or "yes" accepts. @throws NaturalVoiceError `cancelled` after Ctrl+C or an abort */
  async ask(question: string, signal: AbortSignal): Promise<boolean> {
    const reader = readline.createInterface({ input: process.stdin, output: process.stderr });
    try {
      return /^(?:y|yes)$/iu.test((await reader.question(`${question} [y/N] `, { signal })).trim());
    } catch (cause) {
      this.#output.write('\n');
      throw new NaturalVoiceError('cancelled', 'cancelled before the download', { cause });
    } finally {
      reader.close();
    }
  }

  /** Shows the progress of a voice: on a terminal in one line that changes, otherwise one line for each phase. */
  progress(name: string, { phase, bytes, total }: InstallProgress, words: Words = DOWNLOAD): void {
    if (phase === 'card') return;
    const isDone = bytes >= total;
    const amount = phase === 'download' ? ` of ${formatMegabytes(total)}` : '';
    if (this.#output.isTTY !== true) return this.#phase(`${name}: ${words[phase]}${amount}`);
    const now = performance.now();
    if (!isDone && now - this.#updatedAt < UPDATE) return;
    this.#updatedAt = now;
    const share = total === 0 ? 0 : Math.min(bytes / total, 1);
    const bar = '#'.repeat(Math.round(share * BAR)).padEnd(BAR, '-');
    const line = `${name}  ${words[phase].padEnd(8)} [${bar}] ${String(Math.floor(share * 100)).padStart(3)} %${amount}`;
    this.#output.write(`\r${line.slice(0, (this.#output.columns ?? 80) - 1)}\u001B[K`);
    this.#isLineOpen = true;
  }

  /** Removes the line of the progress. */
  clear(): void {
    if (this.#isLineOpen) this.#output.write('\r\u001B[K');
    this.#isLineOpen = false;
  }

  #phase(line: string): void {
    if (line !== this.#last) this.#output.write(`${line}\n`);
    this.#last = line;
  }
}
