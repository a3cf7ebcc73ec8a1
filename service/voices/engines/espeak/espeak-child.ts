import path from 'node:path';
import { OneByOne } from '@herald-speech/client/abort';
import { Program, startProgram } from '@herald-speech/client/program';
import { SpeechTimeoutError } from '../engine.js';
import {
  type ChildReply,
  type ChildRequest,
  type PhonemesRequest,
  type EspeakUtterance,
  toChildReply,
  type UtteranceRequest,
} from './messages.js';

const PROGRAM = path.join(__dirname, `espeak-process${path.extname(__filename)}`);
/** Limits of V8's heap in megabytes. eSpeak needs little, and V8 would keep freed memory. */
const HEAP = ['--max-semi-space-size=1', '--max-old-space-size=64'];

export const espeakDefaults = {
  /** Milliseconds for a sentence, including the start of the process: less than the process allows itself. */
  timeLimit: 15_000,
  /** Milliseconds without a request after which the process ends. */
  idleTimeout: 60_000,
};

type Answer<Kind> = Extract<ChildReply, { kind: Kind }>;

/**
 * Runs eSpeak's process. It starts with the first request, ends after `idleTimeout` and starts again on demand. It also
 * ends with the thread or process that started it, even after `kill -9`.
 */
export class EspeakChild {
  readonly #options: typeof espeakDefaults;
  #program: Program<ChildReply> | undefined;
  readonly #requests = new OneByOne();
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: Partial<typeof espeakDefaults> = {}) {
    this.#options = { ...espeakDefaults, ...options };
  }

  /** Process id, undefined if the process is not running. */
  get pid(): number | undefined {
    return this.#program?.pid;
  }

  /**
   * Speaks one sentence, after all earlier requests.
   * @throws SpeechTimeoutError after the time limit; Error if eSpeak fails or its process ends
   */
  async utter(request: UtteranceRequest): Promise<EspeakUtterance> {
    const { kind, samples, sampleRate, marks } = await this.#ask({ kind: 'utter', ...request }, 'spoken');
    return { kind, samples, sampleRate, marks };
  }

  /**
   * Converts a Japanese text of up to `MAX_TEXT` UTF-16 code units to kana, after all earlier requests.
   * @returns the kana, with spaces between the words
   * @param signal as in `phonemes`
   * @throws Error as `utter`, or if the Japanese dictionary is not installed
   */
  async read(text: string, signal?: AbortSignal): Promise<string> {
    const { kana } = await this.#ask({ kind: 'read', text }, 'read', signal);
    return kana;
  }

  /**
   * Returns the phonemes of each text, in the form of the reply `phonemes`, after all earlier requests.
   * @param signal removes a request that waits, and ends the process of one in work, so that the next caller does not wait for it
   * @throws Error as `utter`
   */
  async phonemes(request: PhonemesRequest, signal?: AbortSignal): Promise<string[]> {
    const { texts } = await this.#ask({ kind: 'phonemes', ...request }, 'phonemes', signal);
    return texts;
  }

  /** Ends the process. Resolves after its end. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#program?.end();
  }

  async #ask<Kind extends ChildReply['kind']>(
    request: ChildRequest,
    kind: Kind,
    signal?: AbortSignal,
  ): Promise<Answer<Kind>> {
    const reply = await this.#requests.run(() => this.#exchange(request, signal));
    if (isOfKind(reply, kind)) return reply;
    throw new Error(
      reply.kind === 'failed'
        ? reply.message
        : `expected "${kind}" from eSpeak's process, got "${reply.kind}"`,
    );
  }

  /** Ends a process that did not answer, because it may still be busy. */
  async #exchange(request: ChildRequest, signal?: AbortSignal): Promise<ChildReply> {
    signal?.throwIfAborted();
    clearTimeout(this.#idleTimer);
    const { timeLimit, idleTimeout } = this.#options;
    if (this.#program?.isOpen !== true) this.#program = start(timeLimit);
    const program = this.#program;
    const end = () => void program.end();
    signal?.addEventListener('abort', end, { once: true });
    try {
      return await program.ask(request, { timeLimit });
    } catch (error) {
      end();
      throw error;
    } finally {
      signal?.removeEventListener('abort', end);
      this.#idleTimer = setTimeout(end, idleTimeout).unref();
    }
  }
}

const isOfKind = <Kind>(reply: ChildReply, kind: Kind): reply is Answer<Kind> => reply.kind === kind;

function start(timeLimit: number): Program<ChildReply> {
  const late = `eSpeak exceeded the time limit of ${timeLimit / 1000} s: try again, or send less text`;
  return new Program<ChildReply>(startProgram(PROGRAM, { execArgv: HEAP }), {
    kinds: ['spoken', 'read', 'phonemes', 'failed'],
    check: toChildReply,
    ended: (how, cause) => new Error(`eSpeak's process ended with ${how}`, { cause }),
    late: () => new SpeechTimeoutError(late),
  });
}

let shared: EspeakChild | undefined;

/** Returns the process of this worker thread, which all its engines share. It starts again if an engine closes it. */
export function sharedEspeak(): EspeakChild {
  return (shared ??= new EspeakChild());
}
