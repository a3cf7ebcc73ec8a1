import type { SpeechService } from './service.js';
import { asSpeechError, failures, type SpeechError } from '../base/errors.js';
import { predictDuration } from '../interface/operations.js';
import { mapInOrder } from './in-order.js';
import { isCached, type PieceOptions, type Spoken } from './speak-piece.js';
import type { SpeechRequest } from '../interface/operations.js';

/** The pieces of one text, counted against the budget of their account. */
export interface BudgetedPieces {
  /** Sends a piece and replaces its predicted seconds by the charged ones. @throws the error of `send` */
  piece<Reply extends Spoken>(index: number, send: () => Promise<Reply>): Promise<Reply>;
  /** Releases the seconds of all pieces that were not sent. */
  end(): void;
}

const withoutBudget: BudgetedPieces = { piece: (_index, send) => send(), end: () => undefined };

/**
 * Reserves the predicted seconds of all pieces that the cache lacks. Sends nothing if the account has no budget.
 * @param pieces returns the requests of the pieces with their index in the text; called if the account has a budget
 * @throws SpeechError `over-budget`, or the failure of a prediction
 */
export async function reservePieces(
  service: SpeechService,
  pieces: () => [number, SpeechRequest][],
  options: PieceOptions,
): Promise<BudgetedPieces> {
  const { budget } = service;
  if (budget === undefined) return withoutBudget;
  const reserved = await predictedSeconds(service, pieces(), options);
  const { correct } = await budget.reserve(sumOf(reserved));
  const take = (index: number) => {
    const seconds = reserved.get(index) ?? 0;
    reserved.delete(index);
    return seconds;
  };
  return {
    async piece(index, send) {
      const seconds = take(index);
      try {
        const reply = await send();
        correct(chargedSeconds(reply) - seconds);
        return reply;
      } catch (thrown) {
        if (!isMaybeCharged(asSpeechError(thrown))) correct(-seconds);
        throw thrown;
      }
    },
    end() {
      correct(-sumOf(reserved));
      reserved.clear();
    },
  };
}

async function predictedSeconds(
  service: SpeechService,
  pieces: readonly [number, SpeechRequest][],
  { signal: parent, priority, cache }: PieceOptions,
): Promise<Map<number, number>> {
  const { concurrency } = service.settings;
  const predict = async ([index, request]: [number, SpeechRequest], _place: number, signal: AbortSignal) => {
    if (await isCached(service, request, { cache, signal })) return [index, 0] as const;
    const { value } = await service.account.send(predictDuration, request, { priority, signal });
    return [index, value.duration] as const;
  };
  return new Map(await mapInOrder(pieces, { concurrency, signal: parent }, predict));
}

const sumOf = (seconds: ReadonlyMap<number, number>): number =>
  [...seconds.values()].reduce((sum, each) => sum + each, 0);

/** Returns the charged seconds of a piece. If the service states none, the length of the audio counts. */
const chargedSeconds = ({ cached, value }: Spoken): number =>
  cached ? 0 : (value.charged ?? value.duration);

/** Returns whether the service may have charged a failed request. Its prediction then stays in the budget. */
function isMaybeCharged({ attempts, code, route }: SpeechError): boolean {
  if (attempts === 0) return false;
  return failures[code].retry === 'if-idempotent' || route === 'stopped' || code === 'bad-reply';
}
