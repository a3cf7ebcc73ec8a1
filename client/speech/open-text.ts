import type { CachedSpoken } from '../cache/entry.js';
import { asSpeechError, type SpeechError } from '../base/errors.js';
import { messageOf, text } from '../base/messages.js';
import type { CallOptions, SendOptions } from '../calls/call-options.js';
import { TextProgress } from '../calls/progress.js';
import { abridgedText } from '../interface/describe-issues.js';
import { createSpeech, type SpeechRequest } from '../interface/operations.js';
import { foreignLanguage } from '../text/foreign-language.js';
import { type FinishedChunks, finishedPieces, type FinishedPieces } from './finished-chunks.js';
import { ResultsInOrder } from './in-order.js';
import { voiceUnknown, withVoiceOfName } from './named-voice.js';
import { type PlanOptions, planSpeech, type SpeechPlan } from './plan.js';
import { reserve, type ReservedPieces } from './reservation.js';
import type { PieceOptions, SpeechService } from './service.js';

export interface StreamOptions extends PlanOptions, PieceOptions {
  /** Index of the first piece to deliver, to go on in the middle of a text. Default 0. */
  first?: number | undefined;
  /** Receives the finished chunks. A repeated call with the same map requests only the missing and the changed chunks. */
  finished?: FinishedChunks | undefined;
}

/** The limits of a text whose audio must fit into memory. */
interface TextLimits {
  /** UTF-16 code units. */
  maxTextLength?: number;
  /** Bytes of audio that `finished` may keep. */
  maxAudioBytes?: number;
}

/**
 * Plans a text, and reserves the seconds of its pieces in the budget.
 * @throws SpeechError of the plan; `over-budget` before the first paid request
 */
export async function openText(
  service: SpeechService,
  request: SpeechRequest,
  options: StreamOptions,
  { maxTextLength, maxAudioBytes }: TextLimits = {},
): Promise<OpenText> {
  const plan = await planSpeech(service, request, options, maxTextLength);
  const { first = 0, finished } = options;
  const memory = finishedPieces(finished, maxAudioBytes);
  const { budget } = service;
  if (budget === undefined) return new OpenText(service, plan, options, memory);
  const isMissing = (index: number, request: SpeechRequest) =>
    index >= first && memory.get(index, request) === undefined;
  const missing = [...plan.requests.entries()].filter((piece) => isMissing(...piece));
  const reserved = await reserve(service, budget, missing, options);
  return new OpenText(service, plan, options, memory, reserved);
}

/** A text that one service speaks, from the piece `first` on. Each piece is in the caller's memory, in the cache, or requested. */
export class OpenText {
  private readonly order: ResultsInOrder<SpeechRequest, CachedSpoken> | undefined;
  /** Index of the first piece. */
  readonly first: number;
  private readonly progress: TextProgress;
  /** Index of the piece that `next` returns. */
  private index: number;

  constructor(
    private readonly service: SpeechService,
    readonly plan: SpeechPlan,
    private readonly options: StreamOptions,
    private readonly memory: FinishedPieces,
    private readonly reserved?: ReservedPieces,
  ) {
    const { first = 0, signal, onProgress } = options;
    this.first = this.index = first;
    this.progress = new TextProgress(onProgress, plan.cuts.length, first);
    // A single piece needs no order.
    if (plan.requests.length === 1) return;
    const { concurrency } = service.settings;
    this.order = new ResultsInOrder(plan.requests.slice(first), { concurrency, signal }, (...piece) =>
      this.speak(...piece),
    );
  }

  /** Returns the next piece; undefined after the last one. @throws SpeechError that names the piece */
  async next(): Promise<CachedSpoken | undefined> {
    const request = this.plan.requests[this.index++];
    if (request === undefined) return undefined;
    return this.order?.next() ?? this.speak(request, 0, this.options.signal);
  }

  /** Ends all work, and returns the rest of the budget. */
  async end(): Promise<void> {
    await this.order?.end();
    this.reserved?.end();
  }

  /**
   * Speaks one piece. All speech of the client passes through this function.
   * @param place counted from `first`
   */
  private async speak(request: SpeechRequest, place: number, signal: AbortSignal | undefined) {
    const index = this.first + place;
    const { account } = this.service;
    const { priority, attempts, outlives } = this.options;
    const cache = this.options.cache === false ? undefined : this.service.cache;
    const send = (call: SendOptions) => account.send(createSpeech, request, { priority, attempts, ...call });
    const waiter = { signal, onProgress: this.progress.ofRequest };
    try {
      let spoken = this.memory.get(index, request);
      if (spoken === undefined) {
        spoken = (await cache?.speak(request, waiter, send, outlives)) ?? {
          // As the first key: see `unchanged` in plan.ts.
          cached: false,
          ...(await send(waiter)),
        };
        this.reserved?.spoken(index, spoken);
        this.memory.set(index, request, spoken);
      }
      this.progress.completed();
      return spoken;
    } catch (thrown) {
      const error = asSpeechError(thrown);
      this.reserved?.failed(index, error);
      throw ofPiece(await this.named(error, request, { signal, priority }), this.plan, index);
    }
  }

  /** All pieces have the same voice: the lookup makes their searches one. */
  private named(error: SpeechError, { voice_id }: SpeechRequest, options: CallOptions): Promise<SpeechError> {
    const { voices } = this.service;
    return withVoiceOfName(ofVoice(error, voice_id), voice_id, voices, options).catch(asSpeechError);
  }
}

/** Returns an error of one piece, with its voice and its place in the text. */
export function ofPiece(error: SpeechError, { requests, cuts }: SpeechPlan, index: number): SpeechError {
  const request = requests[index];
  const named = request === undefined ? error : ofLanguage(ofVoice(error, request.voice_id), request);
  const cut = cuts[index];
  const count = cuts.length;
  if (cut === undefined || count < 2 || named.chunk !== undefined) return named;
  const message = text('chunk', { index: index + 1, count, failure: messageOf(named) });
  return named.with({ message, chunk: { index, count, start: cut.start, end: cut.end } });
}

/** The command in the error of the local service for a natural voice that can be installed. */
const INSTALL = /herald-service voices install ([\w-]{1,100})"/;

/**
 * Names the voice in place of the service's error text. A 404 without such a text has another cause, such as a wrong URL. The
 * errors of other kinds of services already name the missing part.
 */
function ofVoice(error: SpeechError, voice_id: string): SpeechError {
  if (error.code !== 'not-found' || error.service === undefined || error.text?.key !== 'replied-text')
    return error;
  const [, name] = INSTALL.exec(error.service) ?? [];
  if (name === undefined) return error.with({ message: voiceUnknown(voice_id) });
  const facts = { field: 'voice_id', voice: abridgedText(voice_id), name };
  return error.with({ message: text('voice-not-installed', facts) });
}

/** The error text of the local service for a text in a script that the voice cannot read. */
const UNREADABLE = /^text: nothing to speak/;

/** Names the language of a text that the voice cannot read. */
function ofLanguage(error: SpeechError, { text: spoken, voice_id, language }: SpeechRequest): SpeechError {
  if (error.status !== 400 || !UNREADABLE.test(error.service ?? '')) return error;
  const foreign = foreignLanguage(spoken, language);
  if (foreign === undefined) return error;
  const values = { voice: abridgedText(voice_id), language: { languages: [foreign] } };
  return error.with({ message: text('voice-lacks-language', values) });
}
