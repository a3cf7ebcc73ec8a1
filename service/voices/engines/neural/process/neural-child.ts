import { existsSync } from 'node:fs';
import type { Terms } from '@herald-speech/client/calls';
import { Program, startProgram } from '@herald-speech/client/program';
import { SpeechTimeoutError, VoiceError } from '../../engine.js';
import { hasKind } from '../../../../kit/objects.js';
import {
  type LoadRequest,
  type NeuralPart,
  type NeuralReply,
  neuralReply,
  type NeuralRequest,
  type NeuralSettings,
  type NeuralSpoken,
  type Urgency,
} from './messages.js';
import { checkSpareMemory, neuralDefaults, type NeuralOptions } from './neural-options.js';
import { neuralProgram } from '../../../../kit/packages.js';
import { joinedParts } from './audio-parts.js';
import { untilAborted } from './until-aborted.js';

/** One sentence for the neural process. */
export type Sentence = Omit<NeuralRequest, 'kind' | 'id'>;

export type OnPart = (part: NeuralPart) => void;

/** Generates the audio of sentences, one after another. */
export interface SentenceSpeaker {
  /**
   * Speaks a sentence after all earlier ones that are as urgent. An abort rejects at once, removes a sentence that waits, and ends the
   * work on a sentence after its next part.
   * @param onPart gets each part of the audio as soon as it is computed. The result has all parts.
   * @throws the reason of the signal; VoiceError if the model fails or the process ends; SpeechTimeoutError after the time limit
   */
  speak(sentence: Sentence, signal: AbortSignal, onPart?: OnPart): Promise<NeuralSpoken>;
  /** Starts to load a model while its text is read. A failure shows when a sentence follows. */
  load(model: string): void;
  close(): Promise<void>;
}

/** Maximum number of texts that start before a text in work goes on. */
const MAX_STARTS = 4;

interface Waiting {
  sentence: Sentence;
  signal: AbortSignal;
  onPart: OnPart;
  resolve(spoken: Promise<NeuralSpoken>): void;
}

/**
 * Runs the neural process. It starts with the first text, ends when its last model was unused for `keepMs`, and starts
 * again on demand. It also ends with the process that started it.
 */
export class NeuralChild implements SentenceSpeaker {
  readonly #options: NeuralOptions;
  readonly #queue: Waiting[] = [];
  #program: Program<SentenceReply> | undefined;
  /** Files of the models that the process has used. */
  readonly #models = new Set<string>();
  /** Number of texts that have started in a row. */
  #starts = 0;
  #isBusy = false;
  #isClosed = false;
  /** Whether the process started with the native runtime in its folder. */
  #isNative = false;

  constructor(options: Partial<NeuralOptions> = {}) {
    this.#options = { ...neuralDefaults, ...options };
  }

  /** Process id, undefined if the process is not running. */
  get pid(): number | undefined {
    return this.#program?.pid;
  }

  speak(sentence: Sentence, signal: AbortSignal, onPart: OnPart = () => undefined): Promise<NeuralSpoken> {
    signal.throwIfAborted();
    this.#leaveAborted();
    if (sentence.urgency === 'warm-up') this.#checkWarmUp(sentence);
    if (this.#queue.length >= this.#options.maxQueued) {
      throw new VoiceError(
        `the neural process is busy: ${this.#queue.length} sentences wait. Try again later`,
      );
    }
    const spoken = new Promise<NeuralSpoken>((resolve) => {
      this.#queue.push({ sentence, signal, onPart, resolve });
    });
    void this.#work();
    return untilAborted(spoken, signal);
  }

  /** @param model undefined if it is not known yet: then only the process starts */
  load(model?: string): void {
    if (this.#isClosed) return;
    if (model === undefined && this.pid !== undefined) return;
    // A sentence in work goes on. The next one ends an outdated process.
    if (!this.#isBusy) this.#endOutdated();
    try {
      this.#running().tell({ kind: 'load', model } satisfies LoadRequest);
    } catch {
      // A failure shows when a sentence follows.
    }
  }

  /** Ends the process and fails the sentences in work. Resolves after its end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#program?.end();
  }

  /** Refuses a warm-up that is switched off or waits already: a long prediction must not fill the queue. */
  #checkWarmUp({ model }: Sentence): void {
    if (!this.#options.warmUp) throw new VoiceError('no model is loaded in advance');
    if (this.#queue.some(({ sentence }) => sentence.urgency === 'warm-up' && sentence.model === model))
      throw new VoiceError('the model is about to be loaded');
  }

  #leaveAborted(): void {
    const left = this.#queue.filter(({ signal }) => !signal.aborted);
    this.#queue.splice(0, this.#queue.length, ...left);
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const spoken = this.#exchange(next);
      next.resolve(spoken);
      await spoken.catch(() => undefined);
    }
    this.#isBusy = false;
  }

  /** Takes the most urgent sentence from the queue. A text goes on after a limited number of texts that start. */
  #next(): Waiting | undefined {
    const order: readonly Urgency[] = this.#starts < MAX_STARTS ? ['start', 'next'] : ['next', 'start'];
    const urgency = order.find((one) => this.#queue.some(({ sentence }) => sentence.urgency === one));
    this.#starts = urgency === 'start' ? this.#starts + 1 : 0;
    const place = this.#queue.findIndex(({ sentence }) => sentence.urgency === urgency);
    return this.#queue.splice(Math.max(0, place), 1)[0];
  }

  async #exchange({ sentence, signal, onPart }: Waiting): Promise<NeuralSpoken> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new Error('the neural process is closed');
    if (sentence.urgency === 'warm-up') checkSpareMemory(this.#options);
    this.#endOutdated();
    const parts: NeuralPart[] = [];
    const add = (part: NeuralPart) => {
      parts.push(part);
      onPart(part);
    };
    const reply = await this.#reply(sentence, add, parts, signal);
    if (reply.kind === 'failed') throw new VoiceError(reply.message);
    return { ...reply, ...(sentence.urgency === 'warm-up' ? NO_AUDIO : joinedParts(parts)) };
  }

  /**
   * Sends a sentence to the process, and once more to a new process if the first one ended, or if other models took its memory or left gaps
   * in it. Parts that were sent must not be repeated.
   */
  async #reply(sentence: Sentence, ...[onPart, parts, signal, tries = 2]: Work): Promise<LastReply> {
    const program = this.#running();
    this.#models.add(sentence.model);
    const { timeLimit } = this.#options;
    const isLast = () => tries === 1 || parts.length > 0 || this.#isClosed;
    try {
      const reply = await program.ask({ kind: 'speak', ...sentence }, { signal, timeLimit, onPart });
      const lacksMemory = reply.kind === 'failed' && reply.isOutOfMemory && this.#models.size > 1;
      if (!lacksMemory || isLast()) return reply;
      void program.end();
    } catch (error) {
      // A process that does not answer may still be busy.
      void program.end();
      if (!(error instanceof EndedError) || isLast()) throw error;
    }
    signal.throwIfAborted();
    return this.#reply(sentence, onPart, parts, signal, tries - 1);
  }

  #hasNative(): boolean {
    const { native } = this.#options;
    return native !== undefined && existsSync(native);
  }

  /** Ends a process whose runtime the user has installed or removed since its start. */
  #endOutdated(): void {
    if (this.#isNative !== this.#hasNative()) void this.#program?.end();
  }

  #running(): Program<SentenceReply> {
    if (this.#program?.isOpen !== true) this.#program = this.#start();
    return this.#program;
  }

  #start(): Program<SentenceReply> {
    this.#models.clear();
    this.#isNative = this.#hasNative();
    const { maxModels, keepMs, memoryBytes, threads, spareBytes, native, timeLimit } = this.#options;
    const settings: NeuralSettings = { maxModels, keepMs, memoryBytes, threads, spareBytes, native };
    const child = startProgram(neuralProgram(), {
      args: [JSON.stringify(settings)],
      // With several arenas, glibc keeps memory that a sentence has freed in another thread.
      env: { ...process.env, MALLOC_ARENA_MAX: '1' },
    });
    const program = new Program(child, sentenceTerms(timeLimit));
    child.on('message', (message) => {
      if (hasKind(message, 'idle') && !this.#isBusy) void program.end();
    });
    return program;
  }
}

/** The process ended before it answered, or before it had the sentence. */
class EndedError extends VoiceError {}

type SentenceReply = Exclude<NeuralReply, { kind: 'idle' }>;
type LastReply = Exclude<SentenceReply, { kind: 'part' }>;

function sentenceTerms(timeLimit: number): Terms<SentenceReply> {
  const late = `the natural voice exceeded the time limit of ${timeLimit / 1000} s for a sentence: try again, or send less text`;
  return {
    kinds: ['part', 'spoken', 'failed'],
    check: (reply) => {
      const { error: cause } = neuralReply.safeParse(reply);
      if (cause !== undefined) throw new VoiceError('the neural process sent an invalid reply', { cause });
    },
    ended: (how, cause) =>
      new EndedError(`the neural process ended with ${how} while it spoke a sentence`, { cause }),
    late: () => new SpeechTimeoutError(late),
  };
}

const NO_AUDIO = { samples: new Float32Array(), durations: null };

type Work = [onPart: OnPart, parts: readonly NeuralPart[], signal: AbortSignal, tries?: number];
