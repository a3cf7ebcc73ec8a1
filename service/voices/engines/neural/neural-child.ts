import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { VoiceError } from '../engine.js';
import { hasKind } from '../../../kit/objects.js';
import {
  type LoadRequest,
  type NeuralCancellation,
  type NeuralPart,
  type NeuralRequest,
  type NeuralSettings,
  type NeuralSpoken,
  type Urgency,
} from './messages.js';
import { checkSpareMemory, neuralDefaults, type NeuralOptions } from './neural-options.js';
import { neuralProgram } from '../../../kit/packages.js';
import { joinedParts } from './audio-parts.js';
import { type SentenceReply, EndedError, askProcess } from './neural-exchange.js';
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
  #process: ChildProcess | undefined;
  /** Files of the models that the process has used. */
  readonly #models = new Set<string>();
  #nextId = 0;
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
    return this.#process?.pid;
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
    if (model === undefined && this.#process !== undefined) return;
    // A sentence in work goes on. The next one ends an outdated process.
    if (!this.#isBusy) this.#endOutdated();
    try {
      this.#process ??= this.#start();
      this.#process.send({ kind: 'load', model } satisfies LoadRequest, () => undefined);
    } catch {
      // A failure shows when a sentence follows.
    }
  }

  /** Ends the process and fails the sentences in work. Resolves after its end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#process;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.ref(); // keeps the event loop alive until the process has ended
    this.#end(child);
    await ended;
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
    const parts: NeuralPart[] = [];
    const add = (part: NeuralPart) => {
      parts.push(part);
      if (!signal.aborted) onPart(part);
    };
    const id = this.#nextId++;
    const message: NeuralCancellation = { kind: 'cancel', id };
    // A failure means that the process has ended.
    const cancel = () => this.#process?.send(message, () => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    const request = { kind: 'speak' as const, id, ...sentence };
    const reply = await this.#replyWithMemory(request, add, parts, signal).finally(() =>
      signal.removeEventListener('abort', cancel),
    );
    if (reply.kind === 'failed') throw new VoiceError(reply.message);
    return { ...reply, ...(sentence.urgency === 'warm-up' ? NO_AUDIO : joinedParts(parts)) };
  }

  /** Repeats a sentence in a new process if other models took the memory, or left gaps in it. Its parts must not be repeated. */
  async #replyWithMemory(request: NeuralRequest, ...[onPart, parts, signal]: Work): Promise<SentenceReply> {
    const reply = await this.#reply(request, onPart, parts, signal);
    if (reply.kind !== 'failed' || !reply.isOutOfMemory || this.#models.size === 1) return reply;
    if (parts.length > 0) return reply;
    signal.throwIfAborted();
    if (this.#process !== undefined) this.#end(this.#process);
    return this.#reply(request, onPart, parts, signal);
  }

  /** Sends a sentence to the process, and once more to a new process if the first one ended before it sent audio. */
  async #reply(request: NeuralRequest, ...[onPart, parts, signal, tries = 2]: Work): Promise<SentenceReply> {
    this.#endOutdated();
    const child = (this.#process ??= this.#start());
    this.#models.add(request.model);
    try {
      return await askProcess(child, request, this.#options.timeLimit, onPart);
    } catch (error) {
      // A process that does not answer may still be busy.
      this.#end(child);
      if (!(error instanceof EndedError) || tries === 1 || parts.length > 0 || this.#isClosed) throw error;
      signal.throwIfAborted();
      return this.#reply(request, onPart, parts, signal, tries - 1);
    }
  }

  #hasNative(): boolean {
    const { native } = this.#options;
    return native !== undefined && existsSync(native);
  }

  /** Ends a process whose runtime the user has installed or removed since its start. */
  #endOutdated(): void {
    if (this.#process !== undefined && this.#isNative !== this.#hasNative()) this.#end(this.#process);
  }

  #end(child: ChildProcess): void {
    if (this.#process === child) this.#process = undefined;
    child.kill('SIGKILL');
  }

  #start(): ChildProcess {
    this.#models.clear();
    this.#isNative = this.#hasNative();
    const { maxModels, keepMs, memoryBytes, threads, spareBytes, native } = this.#options;
    const settings: NeuralSettings = { maxModels, keepMs, memoryBytes, threads, spareBytes, native };
    const child = fork(neuralProgram(), [JSON.stringify(settings)], {
      execArgv: [],
      // With several arenas, glibc keeps memory that a sentence has freed in another thread.
      env: { ...process.env, MALLOC_ARENA_MAX: '1' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('exit', () => this.#end(child)).on('error', () => this.#end(child));
    child.on('message', (message) => {
      if (hasKind(message, 'idle') && !this.#isBusy) this.#end(child);
    });
    // An idle process must not keep its parent alive. During a request, the timer of the time limit does.
    child.unref();
    child.channel?.unref();
    return child;
  }
}

const NO_AUDIO = { samples: new Float32Array(), durations: null };

type Work = [onPart: OnPart, parts: readonly NeuralPart[], signal: AbortSignal, tries?: number];
