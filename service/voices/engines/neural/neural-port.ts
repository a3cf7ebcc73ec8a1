import type { MessagePort } from 'node:worker_threads';
import { hasKind } from '../../../kit/objects.js';
import { SpeechTimeoutError, VoiceError } from '../engine.js';
import type { EspeakChild } from '../espeak/espeak-child.js';
import type { PhonemesRequest } from '../espeak/messages.js';
import type { NeuralPart, NeuralSpoken } from './messages.js';
import type { OnPart, Sentence, SentenceSpeaker } from './neural-child.js';
import { untilAborted } from './until-aborted.js';

/*
 * All workers of the speech process share one neural process, and one process of eSpeak that reads texts for it. Its main thread owns both
 * and serves each worker through a port. A port closes with its worker, also if the worker crashes.
 */

type Request =
  | { kind: 'speak'; id: number; sentence: Sentence }
  | { kind: 'phonemes'; id: number; texts: PhonemesRequest }
  | { kind: 'kana'; id: number; text: string };
type ToOwner = Request | { kind: 'drop'; id: number } | { kind: 'load'; model: string };
type Reply =
  | { kind: 'spoken'; id: number; spoken: NeuralSpoken }
  | { kind: 'phonemes'; id: number; texts: string[] }
  | { kind: 'kana'; id: number; kana: string }
  | { kind: 'failed' | 'late'; id: number; message: string };
type ToWorker = Reply | { kind: 'part'; id: number; part: NeuralPart };

/** The processes that the owner of a port has. */
export interface NeuralProcesses {
  speaker: Pick<SentenceSpeaker, 'speak' | 'load'>;
  espeak: Pick<EspeakChild, 'phonemes' | 'read'>;
}

/** Serves a worker. When the port closes, the worker's sentences no longer wait. */
export function servePort(port: MessagePort, processes: () => NeuralProcesses): void {
  const running = new Map<number, AbortController>();
  const replyTo = async (request: Request, signal: AbortSignal): Promise<Reply> => {
    const { id } = request;
    const { speaker, espeak } = processes();
    if (request.kind === 'phonemes')
      return { kind: 'phonemes', id, texts: await espeak.phonemes(request.texts, signal) };
    if (request.kind === 'kana') return { kind: 'kana', id, kana: await espeak.read(request.text, signal) };
    const onPart = (part: NeuralPart) => post(port, { kind: 'part', id, part });
    return { kind: 'spoken', id, spoken: await speaker.speak(request.sentence, signal, onPart) };
  };
  const answer = async (request: Request) => {
    const controller = new AbortController();
    running.set(request.id, controller);
    try {
      post(port, await replyTo(request, controller.signal));
    } catch (error) {
      const kind = error instanceof SpeechTimeoutError ? 'late' : 'failed';
      post(port, { kind, id: request.id, message: error instanceof Error ? error.message : String(error) });
    }
    running.delete(request.id);
  };
  port.on('message', (message: unknown) => {
    if (!isToOwner(message)) throw new TypeError('unexpected message to the owner of the neural process');
    if (message.kind === 'load') processes().speaker.load(message.model);
    else if (message.kind === 'drop') running.get(message.id)?.abort();
    else void answer(message);
  });
  port.once('close', () => {
    for (const controller of running.values()) controller.abort();
  });
}

/** The neural process and the process of eSpeak, as a worker sees them. */
export class NeuralPort implements SentenceSpeaker, Pick<EspeakChild, 'phonemes' | 'read'> {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, (reply: ToWorker) => void>();
  #nextId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: unknown) => {
      if (!isToWorker(message))
        throw new TypeError('unexpected message from the owner of the neural process');
      this.#waiting.get(message.id)?.(message);
    });
    // The port of the jobs keeps the worker alive.
    port.unref();
  }

  async speak(sentence: Sentence, signal: AbortSignal, onPart: OnPart = ignore): Promise<NeuralSpoken> {
    const reply = await this.#ask({ kind: 'speak', id: this.#nextId++, sentence }, signal, onPart);
    if (reply.kind === 'spoken') return reply.spoken;
    throw errorOf(reply);
  }

  async phonemes(texts: PhonemesRequest, signal?: AbortSignal): Promise<string[]> {
    const reply = await this.#ask({ kind: 'phonemes', id: this.#nextId++, texts }, signal);
    if (reply.kind === 'phonemes') return reply.texts;
    throw errorOf(reply);
  }

  async read(text: string, signal?: AbortSignal): Promise<string> {
    const reply = await this.#ask({ kind: 'kana', id: this.#nextId++, text }, signal);
    if (reply.kind === 'kana') return reply.kana;
    throw errorOf(reply);
  }

  load(model: string): void {
    post(this.#port, { kind: 'load', model });
  }

  close(): Promise<void> {
    this.#port.close();
    return Promise.resolve();
  }

  /** An abort rejects at once, and tells the owner. */
  async #ask(
    request: Request,
    signal = new AbortController().signal,
    onPart: OnPart = ignore,
  ): Promise<Reply> {
    signal.throwIfAborted();
    const { id } = request;
    const drop = () => post(this.#port, { kind: 'drop', id });
    signal.addEventListener('abort', drop, { once: true });
    try {
      const replied = new Promise<Reply>((resolve) => {
        this.#waiting.set(id, (reply) => (reply.kind === 'part' ? onPart(reply.part) : resolve(reply)));
      });
      post(this.#port, request);
      return await untilAborted(replied, signal);
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener('abort', drop);
    }
  }
}

const ignore = (): void => undefined;

function errorOf(reply: Reply): Error {
  if (reply.kind === 'late') return new SpeechTimeoutError(reply.message);
  return new VoiceError(reply.kind === 'failed' ? reply.message : `unexpected reply "${reply.kind}"`);
}

function post(port: MessagePort, message: ToOwner | ToWorker): void {
  port.postMessage(message, []);
}

function isToOwner(value: unknown): value is ToOwner {
  return hasKind(value, 'speak', 'phonemes', 'kana', 'drop', 'load');
}

function isToWorker(value: unknown): value is ToWorker {
  return hasKind(value, 'part', 'spoken', 'phonemes', 'kana', 'failed', 'late');
}
