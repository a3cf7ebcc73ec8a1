import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  type NeuralPart,
  type NeuralReply,
  type NeuralRequest,
  neuralReply,
  type NeuralSettings,
  type NeuralSpoken,
} from '../../service/voices/engines/neural/process/messages.js';
import { hasProperties } from '../../service/kit/objects.js';
import { type StubVoice, writeStubVoice } from '../support/natural/stub-voice.js';
import { spawned } from '../support/spawned.js';

export const PROGRAM = path.join(
  path.dirname(require.resolve('@herald-speech/neural/package.json')),
  'dist/program.js',
);

export const SETTINGS: NeuralSettings = {
  maxModels: 2,
  keepMs: 60_000,
  memoryBytes: 1e9,
  threads: 1,
  spareBytes: 0,
};

/** Start, three phonemes with pads, and end. */
export const IDS = [1, 0, 20, 0, 61, 0, 120, 0, 2];
export const TONES = IDS.filter((id) => id !== 0);

/** A spoken sentence, with the length of each of its parts in samples. */
export type Spoken = NeuralSpoken & { lengths: number[] };

type Reply = Exclude<NeuralReply, { kind: 'part' }>;

/** A neural process with its messages. */
export class NeuralProcess {
  readonly child: ChildProcess;
  /** Everything that the process printed. */
  printed = '';
  /** Resolves with the signal or exit code. */
  readonly ended: Promise<unknown>;
  #lastId = 0;

  constructor(settings: Partial<NeuralSettings> = {}, program = PROGRAM) {
    this.child = spawned(
      fork(program, [JSON.stringify({ ...SETTINGS, ...settings })], {
        serialization: 'advanced',
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // V8 compiles the runtime once instead of twice, which halves the time of a start.
        execArgv: ['--liftoff-only'],
      }),
    );
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (piece) => (this.printed += String(piece)));
    this.ended = once(this.child, 'exit').then(([code, signal]: unknown[]) => signal ?? code);
  }

  /** Resolves with the reply to a request. Rejects if the process ends first. */
  async ask(model: string, request: Partial<NeuralRequest> = {}): Promise<Reply> {
    const [reply] = await this.#answerTo(model, request);
    return reply;
  }

  /** Resolves with the speech of a request. */
  async speak(model: string, request: Partial<NeuralRequest> = {}): Promise<Spoken> {
    const [reply, parts] = await this.#answerTo(model, request);
    if (reply.kind !== 'spoken') throw new Error(reply.kind === 'failed' ? reply.message : reply.kind);
    const samples = Float32Array.from(parts.flatMap((part) => [...part.samples]));
    assert.ok(parts.every(({ length }) => length === samples.length));
    const lengths = parts.map((part) => part.samples.length);
    return { ...reply, samples, durations: parts[0]?.durations ?? null, lengths };
  }

  /** Cancels a request after its first part. Resolves with its samples, those of the whole speech, and the message of its end. */
  async cancelledSpeech(model: string, request: Partial<NeuralRequest>) {
    const id = this.#lastId + 1;
    const isFirst = (message: unknown): message is unknown =>
      hasProperties(message) && message['kind'] === 'part' && message['id'] === id;
    const first = this.#next(isFirst);
    const answered = this.#answerTo(model, request);
    await first;
    this.child.send({ kind: 'cancel', id });
    const [reply, parts] = await answered;
    const samples = parts.reduce((sum, part) => sum + part.samples.length, 0);
    const message = reply.kind === 'failed' ? reply.message : reply.kind;
    return { samples, length: parts[0]?.length ?? 0, message };
  }

  async #answerTo(model: string, request: Partial<NeuralRequest>): Promise<[Reply, NeuralPart[]]> {
    const id = ++this.#lastId;
    const parts: NeuralPart[] = [];
    let answer: Reply | undefined;
    const isReply = (message: unknown): message is unknown => {
      if (typeof message !== 'object' || message === null || !('id' in message) || message.id !== id)
        return false;
      const reply = neuralReply.parse(message);
      if (reply.kind === 'part') parts.push(reply);
      else answer = reply;
      return answer !== undefined;
    };
    const answered = this.#next(isReply);
    const defaults = {
      kind: 'speak',
      urgency: 'start',
      ids: IDS,
      scales: [0.667, 1, 0.8],
      speaker: null,
      sampleRate: 22_050,
    };
    this.child.send({ ...defaults, ...request, id, model });
    await answered;
    return [answer ?? assert.fail('no reply'), parts];
  }

  /** Resolves with the message of a request that fails. */
  async fail(model: string, request: Partial<NeuralRequest> = {}): Promise<string> {
    const reply = await this.ask(model, request);
    return reply.kind === 'failed' ? reply.message : 'it spoke';
  }

  /** Resolves when the process reports that it has no model in memory. */
  async idle(): Promise<void> {
    await this.#next(isIdle);
  }

  /** Resolves with the next message that passes. Rejects if the process ends first. */
  #next<Message>(passes: (message: unknown) => message is Message): Promise<Message> {
    return new Promise((resolve, reject) => {
      const settle = () => this.child.off('message', onMessage).off('exit', onExit);
      const onExit = () => {
        settle();
        reject(new Error('the process ended'));
      };
      const onMessage = (message: unknown) => {
        if (!passes(message)) return;
        settle();
        resolve(message);
      };
      this.child.on('message', onMessage).on('exit', onExit);
    });
  }

  async end(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

const isIdle = (message: unknown): message is { kind: 'idle' } =>
  typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'idle';

/** Writes stub voices to a temporary folder, each to a subfolder. */
export class StubFolder {
  #folder = '';

  async open(): Promise<void> {
    this.#folder = await mkdtemp(path.join(os.tmpdir(), 'herald-neural-'));
  }

  /** Returns the path of the model. */
  write(voice: Partial<StubVoice> = {}): Promise<string> {
    const { name = 'de_DE-stub-medium' } = voice;
    return writeStubVoice(path.join(this.#folder, name), { ...voice, name });
  }

  place(name: string): string {
    return path.join(this.#folder, name);
  }

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}
