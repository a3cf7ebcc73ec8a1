import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { Calls, type Message, type Terms } from './calls.js';

/** A child process or a worker thread that answers calls. */
export class Program<Reply extends Message> extends Calls<Reply> {
  readonly #peer: ChildProcess | Worker;
  readonly #terms: Terms<Reply>;
  /** Resolves after the end of the program. */
  readonly exited: Promise<void>;
  #ending: Promise<void> | undefined;

  constructor(peer: ChildProcess | Worker, terms: Terms<Reply>) {
    super(peer, terms);
    this.#peer = peer;
    this.#terms = terms;
    this.exited = new Promise<void>((resolve) => {
      peer.once('exit', () => resolve());
      // A process that could not start does not exit.
      if ('pid' in peer && peer.pid === undefined) peer.once('error', () => resolve());
    });
    peer.unref();
  }

  /** Process id, undefined for a thread and for a process that takes no more calls. */
  get pid(): number | undefined {
    return 'pid' in this.#peer && this.isOpen ? this.#peer.pid : undefined;
  }

  /**
   * Ends the program at once. Resolves after its end.
   * @param farewell a request after which the program may end by itself, within some milliseconds
   */
  end(farewell?: object, milliseconds = 0): Promise<void> {
    this.refuse(this.#terms.ended('a stop'));
    this.#ending ??= this.#kill(farewell, milliseconds);
    return this.#ending;
  }

  async #kill(farewell: object | undefined, milliseconds: number): Promise<void> {
    this.#peer.ref(); // keeps this program alive until the end
    if (farewell !== undefined) {
      this.tell(farewell);
      await Promise.race([this.exited, delay(milliseconds, undefined, { ref: false })]);
    }
    if ('terminate' in this.#peer) await this.#peer.terminate();
    else this.#peer.kill('SIGKILL');
    await this.exited;
  }
}

/** Options of `fork`, and one of `spawn` that its types lack. */
interface ProgramOptions extends ForkOptions {
  args?: readonly string[];
  windowsHide?: boolean;
}

/**
 * Starts a file of Node.js in a child process that receives calls and prints nothing. It should end when its channel closes.
 * @throws Error if the system has no memory or no file for another process
 */
export function startProgram(
  file: string,
  { args = [], execArgv = [], ...options }: ProgramOptions = {},
): ChildProcess {
  return fork(file, [...args], {
    // In development, the child inherits the loader of TypeScript files.
    execArgv: [...execArgv, ...(path.extname(file) === '.ts' ? process.execArgv : [])],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    ...options,
  });
}
