import type { Bucket } from '@herald-speech/client/sharing';
import type { Argument } from '../redis/redis.js';

/** A place that this member has taken, at a time in `performance.now()` milliseconds. */
export interface TakenPlace {
  bucket: Bucket;
  number: number;
  at: number;
}

/** The places that a member has taken in the last window. */
export class TakenPlaces {
  private places: TakenPlace[] = [];
  private numbers = 0;

  /** @param windowMs milliseconds for which a place counts */
  constructor(private readonly windowMs: number) {}

  /** Returns the first of some new numbers of places. */
  reserve(count: number): number {
    this.numbers += count;
    return this.numbers - count;
  }

  add(place: TakenPlace): TakenPlace {
    // Places that were moved to a later time may be before older ones.
    if (place.at >= (this.places[0]?.at ?? place.at) + this.windowMs) this.forgetOld(place.at);
    this.places.push(place);
    return place;
  }

  all(): readonly TakenPlace[] {
    this.forgetOld(performance.now());
    return this.places;
  }

  private forgetOld(now: number): void {
    this.places = this.places.filter(({ at }) => at + this.windowMs > now);
  }
}

/** Returns the arguments of `restoreScript` for some places. */
export function placesReport(places: readonly TakenPlace[]): Argument[] {
  const now = performance.now();
  return places.flatMap(({ bucket, number, at }) => [bucket, number, Math.max(0, Math.floor(now - at))]);
}
