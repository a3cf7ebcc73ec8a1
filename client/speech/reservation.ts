import type { CachedSpoken } from '../cache/entry.js';
import type { Budget, Reservation } from '../budget/budget.js';
import { failures, type SpeechError } from '../base/errors.js';
import { predictDuration, type SpeechRequest } from '../interface/operations.js';
import { mapInOrder } from './in-order.js';
import type { PieceOptions, SpeechService } from './service.js';

/** A piece with its index in the text. */
type IndexedRequest = readonly [index: number, request: SpeechRequest];

/**
 * Reserves the predicted seconds of all pieces that the cache lacks.
 * @throws SpeechError `over-budget`, or the failure of a prediction
 */
export async function reserve(
  service: SpeechService,
  budget: Budget,
  pieces: readonly IndexedRequest[],
  options: PieceOptions,
): Promise<ReservedPieces> {
  const seconds = await predictedSeconds(service, pieces, options);
  return new ReservedPieces(seconds, await budget.reserve(sumOf(seconds)));
}

/** The reserved seconds of one text, by the index of its pieces. */
export class ReservedPieces {
  constructor(
    private readonly seconds: Map<number, number>,
    private readonly reservation: Reservation,
  ) {}

  /** Replaces the predicted seconds of a piece by the charged ones. */
  spoken(index: number, { cached, value }: CachedSpoken): void {
    // If the service states no charge, the length of the audio counts.
    const charged = cached ? 0 : (value.charged ?? value.duration);
    this.reservation.correct(charged - this.take(index));
  }

  /** Releases the seconds of a failed piece, unless the service may have charged it. */
  failed(index: number, error: SpeechError): void {
    const seconds = this.take(index);
    if (!isMaybeCharged(error)) this.reservation.correct(-seconds);
  }

  /** Releases the seconds of all pieces that were not sent. */
  end(): void {
    this.reservation.correct(-sumOf(this.seconds));
    this.seconds.clear();
  }

  /** Returns the seconds of a piece once. `end` then no longer releases them. */
  private take(index: number): number {
    const seconds = this.seconds.get(index) ?? 0;
    this.seconds.delete(index);
    return seconds;
  }
}

async function predictedSeconds(
  service: SpeechService,
  pieces: readonly IndexedRequest[],
  { signal: parent, priority, cache = true }: PieceOptions,
): Promise<Map<number, number>> {
  const { concurrency } = service.settings;
  const predict = async ([index, request]: IndexedRequest, _place: number, signal: AbortSignal) => {
    if (cache && (await service.cache?.isCached(request, signal)) === true) return [index, 0] as const;
    const { value } = await service.account.send(predictDuration, request, { priority, signal });
    return [index, value.duration] as const;
  };
  return new Map(await mapInOrder(pieces, { concurrency, signal: parent }, predict));
}

const sumOf = (seconds: ReadonlyMap<number, number>): number =>
  [...seconds.values()].reduce((sum, each) => sum + each, 0);

/** Returns whether the service may have charged a failed request. Its prediction then stays in the budget. */
function isMaybeCharged({ attempts, code, route }: SpeechError): boolean {
  if (attempts === 0) return false;
  return failures[code].retry === 'if-idempotent' || route === 'stopped' || code === 'bad-reply';
}
