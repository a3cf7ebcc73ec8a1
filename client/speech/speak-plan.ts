import { reservePieces } from './reserve.js';
import type { SpeechService } from './service.js';
import { type ChunkOptions, eachChunk, type Send, sendOnly } from './each-chunk.js';
import { finishedPieces, type FinishedChunks } from './finished.js';
import type { SpeechPlan } from './plan.js';
import { type PieceOptions, speakPiece, type Spoken } from './speak-piece.js';

export interface SpeakPlanOptions extends PieceOptions {
  /** Index of the first piece to request. */
  first?: number | undefined;
  finished?: FinishedChunks | undefined;
}

/** The pieces of one plan, with its budget and its finished pieces. */
interface OpenPlan {
  options: ChunkOptions & { concurrency: number };
  send: Send<Spoken>;
  /** Returns the rest of the budget. */
  end(): void;
}

/**
 * Requests the chunks of a plan and yields their replies in order.
 * @param maxFinishedBytes bytes of audio that `finished` may keep
 * @throws SpeechError of the first failed chunk; `over-budget` before the first paid request
 */
export async function* speakPlan(
  service: SpeechService,
  plan: SpeechPlan,
  planOptions: SpeakPlanOptions,
  maxFinishedBytes?: number,
): AsyncGenerator<Spoken, void, undefined> {
  const { options, send, end } = await openPlan(service, plan, planOptions, maxFinishedBytes);
  try {
    if (plan.requests.length === 1 && options.first === 0) yield await sendOnly(plan, options, send);
    else yield* eachChunk(plan, options, send);
  } finally {
    end();
  }
}

/** Requests the only chunk of a plan. Takes less processor time than `speakPlan`. @throws SpeechError as `speakPlan` */
export async function speakOnly(
  service: SpeechService,
  plan: SpeechPlan,
  planOptions: SpeakPlanOptions,
  maxFinishedBytes?: number,
): Promise<Spoken> {
  const isPlain = service.budget === undefined && planOptions.finished === undefined;
  if (isPlain) return sendOnly(plan, planOptions, (chunk, options) => speakPiece(service, chunk, options));
  const { options, send, end } = await openPlan(service, plan, planOptions, maxFinishedBytes);
  try {
    return await sendOnly(plan, options, send);
  } finally {
    end();
  }
}

/** @throws SpeechError `over-budget` */
async function openPlan(
  service: SpeechService,
  { requests }: SpeechPlan,
  options: SpeakPlanOptions,
  maxFinishedBytes: number | undefined,
): Promise<OpenPlan> {
  const { finished, first = 0 } = options;
  const memory = finishedPieces(finished, maxFinishedBytes);
  const missing = () =>
    [...requests.entries()].filter(
      ([index, request]) => index >= first && memory.get(index, request) === undefined,
    );
  const budgeted = await reservePieces(service, missing, options);
  return {
    options: { ...options, concurrency: service.settings.concurrency, first },
    async send(chunk, chunkOptions, index) {
      const former = memory.get(index, chunk);
      if (former !== undefined) return former;
      const spoken = await budgeted.piece(index, () => speakPiece(service, chunk, chunkOptions));
      memory.set(index, chunk, spoken);
      return spoken;
    },
    end: () => budgeted.end(),
  };
}
