import type { MessagePort } from 'node:worker_threads';
import { answerCalls, Calls } from '@herald-speech/client/calls';
import { SpeechTimeoutError, VoiceError } from '../../engine.js';
import type { EspeakChild } from '../../espeak/espeak-child.js';
import type { PhonemesRequest } from '../../espeak/messages.js';
import type { NeuralPart, NeuralSpoken } from './messages.js';
import type { OnPart, Sentence, SentenceSpeaker } from './neural-child.js';
import { untilAborted } from './until-aborted.js';

/*
 * All workers of the speech process share one neural process, and one process of eSpeak that reads texts for it. Its main thread owns both
 * and serves each worker through a port. A port closes with its worker, also if the worker crashes.
 */

type Request =
  | { kind: 'speak'; sentence: Sentence }
  | { kind: 'phonemes'; texts: PhonemesRequest }
  | { kind: 'kana'; text: string }
  | { kind: 'load'; model: string };
type Reply =
  | { kind: 'part'; part: NeuralPart }
  | { kind: 'spoken'; spoken: NeuralSpoken }
  | { kind: 'phonemes'; texts: string[] }
  | { kind: 'kana'; kana: string }
  | { kind: 'failed'; isLate: boolean; message: string };
type LastReply = Exclude<Reply, { kind: 'part' }>;

/** The processes that the owner of a port has. */
export interface NeuralProcesses {
  speaker: Pick<SentenceSpeaker, 'speak' | 'load'>;
  espeak: Pick<EspeakChild, 'phonemes' | 'read'>;
}

/** Serves a worker. When the port closes, the worker's sentences no longer wait. */
export function servePort(port: MessagePort, processes: () => NeuralProcesses): void {
  answerCalls<Request>(port, {
    kinds: ['speak', 'phonemes', 'kana', 'load'],
    answer: async (request, signal, emit) => {
      const { speaker, espeak } = processes();
      const { kind } = request;
      if (kind === 'phonemes') return { kind, texts: await espeak.phonemes(request.texts, signal) };
      if (kind === 'kana') return { kind, kana: await espeak.read(request.text, signal) };
      const onPart = (part: NeuralPart) => emit({ part });
      if (kind === 'speak')
        return { kind: 'spoken', spoken: await speaker.speak(request.sentence, signal, onPart) };
      speaker.load(request.model);
      return {};
    },
    failure: (error) => ({
      isLate: error instanceof SpeechTimeoutError,
      message: error instanceof Error ? error.message : String(error),
    }),
  });
}

/** The neural process and the process of eSpeak, as a worker sees them. */
export class NeuralPort implements SentenceSpeaker, Pick<EspeakChild, 'phonemes' | 'read'> {
  readonly #port: MessagePort;
  readonly #calls: Calls<Reply>;

  constructor(port: MessagePort) {
    this.#port = port;
    this.#calls = new Calls(port, {
      kinds: ['part', 'spoken', 'phonemes', 'kana', 'failed'],
      ended: (how) => new VoiceError(`the speech process ended with ${how}`),
    });
  }

  async speak(sentence: Sentence, signal: AbortSignal, onPart: OnPart = ignore): Promise<NeuralSpoken> {
    const { spoken } = await this.#ask({ kind: 'speak', sentence }, 'spoken', signal, onPart);
    return spoken;
  }

  async phonemes(texts: PhonemesRequest, signal?: AbortSignal): Promise<string[]> {
    const reply = await this.#ask({ kind: 'phonemes', texts }, 'phonemes', signal);
    return reply.texts;
  }

  async read(text: string, signal?: AbortSignal): Promise<string> {
    const { kana } = await this.#ask({ kind: 'kana', text }, 'kana', signal);
    return kana;
  }

  load(model: string): void {
    this.#calls.tell({ kind: 'load', model } satisfies Request);
  }

  close(): Promise<void> {
    this.#port.close();
    return Promise.resolve();
  }

  /** An abort rejects at once, and tells the owner. */
  async #ask<Kind extends LastReply['kind']>(
    request: Request,
    kind: Kind,
    signal = new AbortController().signal,
    onPart: OnPart = ignore,
  ): Promise<Extract<LastReply, { kind: Kind }>> {
    const asked = this.#calls.ask(request, { signal, onPart: ({ part }) => onPart(part) });
    const reply = await untilAborted(asked, signal);
    if (isOfKind(reply, kind)) return reply;
    if (reply.kind === 'failed' && reply.isLate) throw new SpeechTimeoutError(reply.message);
    throw new VoiceError(reply.kind === 'failed' ? reply.message : `unexpected reply "${reply.kind}"`);
  }
}

const ignore = (): void => undefined;

const isOfKind = <Kind>(reply: LastReply, kind: Kind): reply is Extract<LastReply, { kind: Kind }> =>
  reply.kind === kind;
