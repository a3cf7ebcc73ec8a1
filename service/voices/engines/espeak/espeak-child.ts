import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { OneByOne } from '@herald-speech/client/abort';
import { SpeechTimeoutError } from '../engine.js';
import {
  type ChildReply,
  type ChildRequest,
  type PhonemesRequest,
  type EspeakUtterance,
  toChildReply,
  type UtteranceRequest,
} from './messages.js';

const EXTENSION = path.extname(__filename);
const PROGRAM = path.join(__dirname, `espeak-process${EXTENSION}`);
/** Limits of V8's heap in megabytes. eSpeak needs little, and V8 would keep freed memory. */
const HEAP = ['--max-semi-space-size=1', '--max-old-space-size=64'];

export const espeakDefaults = {
  /** Milliseconds for a sentence, including the start of the process: less than the process allows itself. */
  timeLimit: 15_000,
  /** Milliseconds without a request after which the process ends. */
  idleTimeout: 60_000,
};

type Answer = Exclude<ChildReply, { kind: 'failed' }>;

/**
 * Runs eSpeak's process. It starts with the first request, ends after `idleTimeout` and starts again on demand. It also
 * ends with the thread or process that started it, even after `kill -9`.
 */
export class EspeakChild {
  readonly #options: typeof espeakDefaults;
  #process: ChildProcess | undefined;
  readonly #requests = new OneByOne();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: Partial<typeof espeakDefaults> = {}) {
    this.#options = { ...espeakDefaults, ...options };
  }

  /** Process id, undefined if the process is not running. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * Speaks one sentence, after all earlier requests.
   * @throws SpeechTimeoutError after the time limit; Error if eSpeak fails or its process ends
   */
  async utter(request: UtteranceRequest): Promise<EspeakUtterance> {
    const reply = await this.#ask({ kind: 'utter', ...request });
    if (reply.kind !== 'spoken')
      throw new Error(`expected speech from eSpeak's process, got "${reply.kind}"`);
    return reply;
  }

  /**
   * Converts a Japanese text of up to `MAX_TEXT` UTF-16 code units to kana, after all earlier requests.
   * @returns the kana, with spaces between the words
   * @param signal as in `phonemes`
   * @throws Error as `utter`, or if the Japanese dictionary is not installed
   */
  async read(text: string, signal?: AbortSignal): Promise<string> {
    const reply = await this.#ask({ kind: 'read', text }, signal);
    if (reply.kind !== 'read')
      throw new Error(`expected a reading from eSpeak's process, got "${reply.kind}"`);
    return reply.kana;
  }

  /**
   * Returns the phonemes of each text, in the form of the reply `phonemes`, after all earlier requests.
   * @param signal removes a request that waits, and ends the process of one in work, so that the next caller does not wait for it
   * @throws Error as `utter`
   */
  async phonemes(request: PhonemesRequest, signal?: AbortSignal): Promise<string[]> {
    const reply = await this.#ask({ kind: 'phonemes', ...request }, signal);
    if (reply.kind !== 'phonemes')
      throw new Error(`expected phonemes from eSpeak's process, got "${reply.kind}"`);
    return reply.texts;
  }

  /** Ends the process. Resolves after its end. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    const child = this.#process;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.ref(); // keeps the event loop alive until the process has ended
    this.#end(child);
    await ended;
  }

  #ask(request: ChildRequest, signal?: AbortSignal): Promise<Answer> {
    return this.#requests.run(() => this.#exchange(request, signal));
  }

  async #exchange(request: ChildRequest, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    clearTimeout(this.#idleTimer);
    const child = (this.#process ??= this.#start());
    const stop = () => this.#end(child);
    signal?.addEventListener('abort', stop, { once: true });
    const reply = await exchange(child, request, this.#options.timeLimit)
      .catch((error: unknown) => {
        this.#end(child);
        throw error;
      })
      .finally(() => signal?.removeEventListener('abort', stop));
    this.#idleTimer = setTimeout(() => this.#end(child), this.#options.idleTimeout).unref();
    if (reply.kind === 'failed') throw new Error(reply.message);
    return reply;
  }

  /** Also replaces a process that did not answer, because it may still be busy. */
  #end(child: ChildProcess): void {
    if (this.#process === child) this.#process = undefined;
    child.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const child = fork(PROGRAM, [], {
      // In development, the child inherits the loader of TypeScript files.
      execArgv: [...HEAP, ...(EXTENSION === '.ts' ? process.execArgv : [])],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('exit', () => this.#end(child)).on('error', () => this.#end(child));
    // An idle process must not keep its parent alive. During a request, the timer of the time limit does.
    child.unref();
    child.channel?.unref();
    return child;
  }
}

let shared: EspeakChild | undefined;

/** Returns the process of this worker thread, which all its engines share. It starts again if an engine closes it. */
export function sharedEspeak(): EspeakChild {
  return (shared ??= new EspeakChild());
}

/** Sends a message and returns the reply to it. */
async function exchange(child: ChildProcess, message: ChildRequest, timeLimit: number): Promise<ChildReply> {
  const reply = await new Promise<unknown>((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      outcome();
    };
    const fail = (message: string, cause?: unknown) => settle(() => reject(new Error(message, { cause })));
    const onMessage = (reply: unknown) => settle(() => resolve(reply));
    const onError = (cause: unknown) => fail("eSpeak's process did not receive the sentence", cause);
    const onExit = (code: number | null, signal: string | null) =>
      fail(`eSpeak's process ended with ${signal ?? `exit code ${code}`}`);
    const late = `eSpeak exceeded the time limit of ${timeLimit / 1000} s: try again, or send less text`;
    const timer = setTimeout(() => settle(() => reject(new SpeechTimeoutError(late))), timeLimit);
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(message, (error) => error && onError(error));
  });
  return toChildReply(reply);
}
