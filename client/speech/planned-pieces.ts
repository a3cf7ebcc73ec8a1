import type { CachedSpoken } from '../cache/entry.js';
import { asSpeechError, type SpeechError } from '../base/errors.js';
import { messageOf, text } from '../base/messages.js';
import { TextProgress } from '../calls/progress.js';
import { abridged } from '../interface/describe-issues.js';
import { createSpeech, type SpeechRequest } from '../interface/operations.js';
import { type FinishedChunks, finishedPieces, type FinishedPieces } from './finished-chunks.js';
import { ResultsInOrder } from './in-order.js';
import type { SpeechPlan } from './plan.js';
import { reserve, type ReservedPieces } from './reservation.js';
import type { PieceOptions, SpeechService } from './service.js';

interface PlannedOptions extends PieceOptions {
  /** Index of the first piece to request. */
  first?: number | undefined;
  finished?: FinishedChunks | undefined;
}

/**
 * Starts the pieces of a plan: reserves their seconds in the budget.
 * @param maxFinishedBytes bytes of audio that `finished` may keep
 * @throws SpeechError `over-budget` before the first paid request
 */
export async function startPieces(
  service: SpeechService,
  plan: SpeechPlan,
  options: PlannedOptions,
  maxFinishedBytes?: number,
): Promise<PlannedPieces> {
  const { first = 0, finished } = options;
  const memory = finishedPieces(finished, maxFinishedBytes);
  const isMissing = (index: number, request: SpeechRequest) =>
    index >= first && memory.get(index, request) === undefined;
  const missing = () => [...plan.requests.entries()].filter((piece) => isMissing(...piece));
  const reserved = await reserve(service, missing, options);
  return new PlannedPieces(service, plan, options, memory, reserved);
}

/** The pieces of a plan from `first` on. Each is requested, in the caller's memory, or in the cache. */
export class PlannedPieces {
  private readonly order: ResultsInOrder<SpeechRequest, CachedSpoken> | undefined;
  private readonly first: number;
  private readonly progress: TextProgress;
  /** Index of the piece that `next` returns. */
  private index: number;

  constructor(
    private readonly service: SpeechService,
    private readonly plan: SpeechPlan,
    private readonly options: PlannedOptions,
    private readonly memory: FinishedPieces,
    private readonly reserved: ReservedPieces | undefined,
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

  /** @param place counted from `first` */
  private async speak(request: SpeechRequest, place: number, signal: AbortSignal | undefined) {
    const index = this.first + place;
    const former = this.memory.get(index, request);
    try {
      const spoken = former ?? (await this.request(request, signal));
      if (former === undefined) {
        this.reserved?.spoken(index, spoken);
        this.memory.set(index, request, spoken);
      }
      this.progress.completed();
      return spoken;
    } catch (thrown) {
      const error = asSpeechError(thrown);
      this.reserved?.failed(index, error);
      throw ofPiece(error, this.plan, index);
    }
  }

  /** Requests the audio of one piece. All speech of the client passes through this function. @throws SpeechError */
  private async request(request: SpeechRequest, signal: AbortSignal | undefined): Promise<CachedSpoken> {
    const { account, cache } = this.service;
    const { priority, attempts } = this.options;
    const waiter = { signal, onProgress: this.progress.ofRequest };
    if (cache !== undefined && this.options.cache !== false)
      return cache.speak(request, waiter, (shared) =>
        account.send(createSpeech, request, { priority, attempts, ...shared }),
      );
    const reply = await account.send(createSpeech, request, { priority, attempts, ...waiter });
    return { ...reply, cached: false };
  }
}

/** Returns an error of one piece, with its voice and its place in the text. */
export function ofPiece(error: SpeechError, { requests, cuts }: SpeechPlan, index: number): SpeechError {
  const named = ofVoice(error, requests[index]?.voice_id ?? '');
  const cut = cuts[index];
  const count = cuts.length;
  if (cut === undefined || count < 2 || named.chunk !== undefined) return named;
  const message = text('chunk', { index: index + 1, count, failure: messageOf(named) });
  return named.with({ message, chunk: { index, count, start: cut.start, end: cut.end } });
}

/** The command in the error of the local service for a natural voice that can be installed. */
const INSTALL = /herald-service voices install ([\w-]{1,100})"/;

/** Names the voice in place of the service's error text. A 404 without such a text has another cause, such as a wrong URL. */
function ofVoice(error: SpeechError, voice_id: string): SpeechError {
  if (error.code !== 'not-found' || error.service === undefined) return error;
  const [, name] = INSTALL.exec(error.service) ?? [];
  const facts = { field: 'voice_id', voice: abridged(voice_id) };
  const message =
    name === undefined ? text('voice-unknown', facts) : text('voice-not-installed', { ...facts, name });
  return error.with({ message });
}
