import { SPEAKABLE } from '@herald-speech/client/interface';
import { WorkerError, type WorkerFailure } from '../kit/worker-error.js';
import { shiftPhonemes } from '../voices/engines/pieces.js';
import type { SpeakJob, SynthesizedAudio } from '../voices/workers/jobs.js';
import type { SpeechSynthesis } from '../voices/workers/speech.js';
import type { SpeechWork } from './speech-work.js';

/** Starts a job. The first one of a speech may have started before. */
export type StartJob = (job: Omit<SpeakJob, 'kind'>) => Promise<AsyncIterable<SynthesizedAudio>>;

interface VoicesOptions {
  speech: SpeechSynthesis;
  signal: AbortSignal;
  /** The simple voice that goes on if the natural voice fails. Undefined for another voice. */
  simple: SpeechWork | undefined;
  /** Whether the caller gets nothing before the end. A chunk that fails is then spoken again from its start. */
  isWhole: boolean;
  onStandIn(failed: SpeechWork, simple: SpeechWork, error: WorkerError): void;
}

/** Failures of the voice. Other failures concern the request or the load of the service. */
const REPLACEABLE: readonly WorkerFailure[] = ['voice', 'failed', 'crashed', 'timed-out', 'hung'];

/** The audio of a chunk that its reader has. */
interface Delivered {
  seconds: number;
  /** The text that is not spoken; undefined if the engine does not tell it. */
  rest: string | undefined;
}

/** The voices of one speech: the wanted one until it fails, then the simple voice of its language (docs/decisions/0186). */
export class VoicesInTurn {
  readonly #options: VoicesOptions;
  #by: SpeechWork;
  #failure: WorkerError | undefined;
  #hasRepeated = false;
  #sampleRate: number | undefined;

  constructor(by: SpeechWork, options: VoicesOptions) {
    this.#by = by;
    this.#sampleRate = by.job.sampleRate;
    this.#options = options;
  }

  /** The work of the voice that speaks now. */
  get by(): SpeechWork {
    return this.#by;
  }

  /** Why the simple voice speaks; undefined if the wanted voice speaks. */
  get reason(): string | undefined {
    const { code, message } = this.#failure ?? {};
    return code === 'failed' ? 'internal error: see the log of the service' : message;
  }

  /**
   * Speaks a chunk, with both voices if the first one fails. All pieces have one sample rate.
   * @throws WorkerError of the wanted voice if no voice can speak the chunk
   */
  async *speak(text: string, start: StartJob): AsyncGenerator<SynthesizedAudio> {
    let delivered: Delivered = { seconds: 0, rest: text };
    for (let begin = start; ;) {
      const { seconds: from, rest = text } = delivered;
      if (!SPEAKABLE.test(rest)) return;
      try {
        const stream = await begin(this.#jobFor(rest, from));
        for await (const piece of this.#options.isWhole ? await collected(stream) : stream) {
          this.#sampleRate ??= piece.sampleRate;
          delivered = { seconds: delivered.seconds + piece.seconds, rest: piece.rest };
          yield from === 0 ? piece : { ...piece, phonemes: shiftPhonemes(piece.phonemes, from) };
        }
        return;
      } catch (error) {
        begin = this.#after(error, delivered.seconds > 0);
      }
    }
  }

  #jobFor(text: string, from: number): Omit<SpeakJob, 'kind'> {
    const { job } = this.#by;
    const { delivery } = job.request;
    const duration = Math.max(0, delivery.duration - from);
    const request = { ...job.request, text, delivery: { ...delivery, duration } };
    return { ...job, request, ...(this.#sampleRate !== undefined && { sampleRate: this.#sampleRate }) };
  }

  /** Returns the start of the next attempt after a failure. @throws the error if there is none */
  #after(error: unknown, hasAudio: boolean): StartJob {
    const { speech, signal, simple, onStandIn } = this.#options;
    const isOfVoice = error instanceof WorkerError && REPLACEABLE.includes(error.code);
    if (!isOfVoice || simple === undefined) throw error;
    if (this.#by === simple) throw this.#failure ?? error;
    const start: StartJob = (job) => speech.speakWithRoom(job, signal);
    // The next speech process may be able to speak the text.
    if (error.code === 'crashed' && !hasAudio && !this.#hasRepeated) {
      this.#hasRepeated = true;
      return start;
    }
    onStandIn(this.#by, simple, error);
    this.#by = simple;
    this.#failure = error;
    return start;
  }
}

async function collected(pieces: AsyncIterable<SynthesizedAudio>): Promise<SynthesizedAudio[]> {
  const all: SynthesizedAudio[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}
