import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import {
  type ChildReply,
  childReply,
  type ChildRequest,
  type Utterance,
  type UtteranceRequest,
} from './messages.js';

const EXTENSION = path.extname(__filename);
const PROGRAM = path.join(__dirname, `espeak-process${EXTENSION}`);
/** Megabytes of the JavaScript heap: eSpeak needs few, and V8 would keep what it had once. */
const HEAP = ['--max-semi-space-size=1', '--max-old-space-size=64'];
/** Milliseconds for a sentence, loading included: more than the process gives itself. */
const TIME_LIMIT = 15_000;

type Answer = Exclude<ChildReply, { kind: 'failed' }>;

/**
 * eSpeak's process: started when it is needed, again when it has died, and ended by the end of the thread or process
 * that started it, however that comes.
 */
export class EspeakChild {
  #process: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param timeLimit Milliseconds for a sentence. */
  constructor(private readonly timeLimit = TIME_LIMIT) {}

  /** Number of the running process, if there is one. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * Speaks one sentence, after those that were asked for before.
   * @throws Error where eSpeak can't, dies, or takes longer than the limit
   */
  async utter(request: UtteranceRequest): Promise<Utterance> {
    const reply = await this.#ask({ kind: 'utter', ...request });
    if (reply.kind !== 'spoken') throw new Error(`eSpeak's process did not speak: ${reply.kind}`);
    return reply;
  }

  /**
   * Reads a Japanese text of at most `MAX_TEXT` UTF-16 units, in turn with the sentences.
   * @returns the text in kana, with spaces between the words
   * @throws Error as `utter` does, or where the Japanese dictionary is not installed
   */
  async read(text: string): Promise<string> {
    const reply = await this.#ask({ kind: 'read', text });
    if (reply.kind !== 'read') throw new Error(`eSpeak's process did not read: ${reply.kind}`);
    return reply.kana;
  }

  /** Ends the process, and resolves when it is gone. */
  async close(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    const gone = once(child, 'exit');
    child.ref(); // its end is waited for
    this.#end(child);
    await gone;
  }

  #ask(request: ChildRequest): Promise<Answer> {
    const reply = this.#last.then(() => this.#exchange(request));
    this.#last = reply.catch(() => undefined);
    return reply;
  }

  async #exchange(request: ChildRequest): Promise<Answer> {
    const child = (this.#process ??= this.#start());
    const reply = await ask(child, request, this.timeLimit)
      .then((reply) => childReply.parse(reply))
      .catch((error: unknown) => {
        this.#end(child);
        throw error;
      });
    if (reply.kind === 'failed') throw new Error(reply.message);
    return reply;
  }

  /** What once failed to answer may still be busy: the next sentence gets a new process. */
  #end(child: ChildProcess): void {
    if (this.#process === child) this.#process = undefined;
    child.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const child = fork(PROGRAM, [], {
      execArgv: [...HEAP, ...(EXTENSION === '.ts' ? ['--require', 'tsx/cjs'] : [])],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('exit', () => this.#end(child)).on('error', () => this.#end(child));
    // An idle process must not keep this one alive; the time limit does while something is asked.
    child.unref();
    child.channel?.unref();
    return child;
  }
}

/** One message and its answer. */
function ask(child: ChildProcess, message: ChildRequest, timeLimit: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      outcome();
    };
    const onMessage = (reply: unknown) => settle(() => resolve(reply));
    const onError = (cause: unknown) =>
      settle(() => reject(new Error('eSpeak did not get the sentence', { cause })));
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`eSpeak died (${signal ?? code})`)));
    const timer = setTimeout(
      () => settle(() => reject(new Error(`eSpeak was not done within ${timeLimit / 1000} s`))),
      timeLimit,
    );
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(message, (error) => error && onError(error));
  });
}
