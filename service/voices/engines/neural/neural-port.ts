import type { MessagePort } from 'node:worker_threads';
import { hasKind } from '../../../kit/objects.js';
import { SpeechTimeoutError, VoiceError } from '../engine.js';
import type { NeuralPart, NeuralSpoken } from './messages.js';
import type { OnPart, Sentence, SentenceSpeaker } from './neural-child.js';
import { untilAborted } from './until-aborted.js';

/*
 * All workers of the speech process share one neural process. Its main thread owns the process and serves each worker
 * through a port. A port closes with its worker, also if the worker crashes.
 */

type ToOwner =
  | { kind: 'speak'; id: number; sentence: Sentence }
  | { kind: 'drop'; id: number }
  | { kind: 'load'; model: string };
type ToWorker =
  | { kind: 'part'; id: number; part: NeuralPart }
  | { kind: 'spoken'; id: number; spoken: NeuralSpoken }
  | { kind: 'failed' | 'late'; id: number; message: string };

/** Speaks the sentences of a worker. When the port closes, the worker's sentences no longer wait. */
export function servePort(port: MessagePort, speaker: Pick<SentenceSpeaker, 'speak' | 'load'>): void {
  const running = new Map<number, AbortController>();
  const answer = async (id: number, sentence: Sentence) => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const onPart = (part: NeuralPart) => post(port, { kind: 'part', id, part });
      const spoken = await speaker.speak(sentence, controller.signal, onPart);
      post(port, { kind: 'spoken', id, spoken });
    } catch (error) {
      const kind = error instanceof SpeechTimeoutError ? 'late' : 'failed';
      post(port, { kind, id, message: error instanceof Error ? error.message : String(error) });
    }
    running.delete(id);
  };
  port.on('message', (message: unknown) => {
    if (!isToOwner(message)) throw new TypeError('unexpected message to the owner of the neural process');
    if (message.kind === 'load') return speaker.load(message.model);
    if (message.kind === 'speak') void answer(message.id, message.sentence);
    else running.get(message.id)?.abort();
  });
  port.once('close', () => {
    for (const controller of running.values()) controller.abort();
  });
}

/** The neural process, as a worker sees it. */
export class NeuralPort implements SentenceSpeaker {
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

  async speak(
    sentence: Sentence,
    signal: AbortSignal,
    onPart: OnPart = () => undefined,
  ): Promise<NeuralSpoken> {
    signal.throwIfAborted();
    const id = this.#nextId++;
    const drop = () => post(this.#port, { kind: 'drop', id });
    signal.addEventListener('abort', drop, { once: true });
    try {
      const replied = new Promise<Exclude<ToWorker, { kind: 'part' }>>((resolve) => {
        this.#waiting.set(id, (reply) => (reply.kind === 'part' ? onPart(reply.part) : resolve(reply)));
      });
      post(this.#port, { kind: 'speak', id, sentence });
      const reply = await untilAborted(replied, signal);
      if (reply.kind === 'spoken') return reply.spoken;
      throw new (reply.kind === 'late' ? SpeechTimeoutError : VoiceError)(reply.message);
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener('abort', drop);
    }
  }

  load(model: string): void {
    post(this.#port, { kind: 'load', model });
  }

  close(): Promise<void> {
    this.#port.close();
    return Promise.resolve();
  }
}

function post(port: MessagePort, message: ToOwner | ToWorker): void {
  port.postMessage(message, []);
}

function isToOwner(value: unknown): value is ToOwner {
  return hasKind(value, 'speak', 'drop', 'load');
}

function isToWorker(value: unknown): value is ToWorker {
  return hasKind(value, 'part', 'spoken', 'failed', 'late');
}
