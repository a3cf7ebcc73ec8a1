import { type Bucket, type Places, type SlidingLog } from '@herald-speech/client/sharing';
import type { Member } from './member.js';
import { probedScript } from './scripts.js';
import type { TakenPlace } from './taken-places.js';

/** Milliseconds after its grant in which a request must be sent. The window has a margin of this length. */
export const FRESH_MS = 250;
/** Milliseconds after which a granted place is no longer used. */
const LOST_MS = 2000;

/** A place that Redis granted. */
interface Grant {
  number: number;
  /** Time of the question, in `performance.now()` milliseconds. */
  askedAt: number;
  isProbe: boolean;
}

/**
 * The places of one bucket: granted by Redis while this member has joined, of the share while it is apart. `share` also
 * records the granted places, so that a member that comes apart counts them.
 */
export class FleetPlaces implements Places {
  private grants: Grant[] = [];
  private next = 0;
  private probeAt: number | undefined;
  /** Places whose requests leave in this turn of the event loop, with the time from which they count. */
  private leaving: { place: TakenPlace; from: number }[] = [];

  /** @param isUnlimited whether the bucket has no limit: it then needs no Redis */
  constructor(
    readonly bucket: Bucket,
    private readonly member: Member,
    readonly share: SlidingLog,
    private readonly isUnlimited: boolean,
  ) {}

  /** Whether a call must ask Redis for a place. */
  get asksRedis(): boolean {
    return !this.isUnlimited && this.member.mode !== 'apart';
  }

  isFree(now: number): boolean {
    if (!this.asksRedis) return (this.isUnlimited || this.member.claim.from <= now) && this.share.isFree(now);
    this.drop(({ askedAt }) => now - askedAt > LOST_MS);
    return this.grants.length > 0;
  }

  nextAt(): number {
    if (this.asksRedis) return this.next;
    return Math.max(this.share.nextAt(), this.isUnlimited ? 0 : this.member.claim.from);
  }

  isTimed(): boolean {
    return !this.asksRedis && this.share.isTimed();
  }

  record(now: number): void {
    this.share.record(now);
    if (this.isUnlimited) return;
    const grant = this.asksRedis ? this.grants.shift() : undefined;
    const number = grant?.number ?? this.member.taken.reserve(1);
    if (grant?.isProbe) this.probeAt = now;
    const place = this.member.taken.add({ bucket: this.bucket, number, at: now });
    if (this.leaving.push({ place, from: grant?.askedAt ?? now }) === 1) setImmediate(() => this.left());
  }

  /** Counts requests from now on that left late, because the process was busy. */
  private left(): void {
    const now = performance.now();
    for (const { place, from } of this.leaving.splice(0)) {
      if (now - from <= FRESH_MS) continue;
      this.share.move(place.at, now);
      this.member.delay(place);
    }
  }

  /** Adds granted places, from the number `first` on. */
  grant(count: number, grant: { first: number; askedAt: number; isProbe: boolean }): void {
    const { first, ...others } = grant;
    for (let index = 0; index < count; index += 1) this.grants.push({ number: first + index, ...others });
  }

  /** Drops granted places that no call took in time. */
  dropUnused(): void {
    const now = performance.now();
    this.drop(({ isProbe, askedAt }) => isProbe || now - askedAt > LOST_MS);
  }

  /** Sets the time at which Redis expects the next place. */
  expect(at: number): void {
    this.next = at;
  }

  /** Ends the probe if the request was sent at or after it. Returns whether a place of the own share may be free now. */
  ended(sentAt: number): boolean {
    if (this.probeAt !== undefined && sentAt >= this.probeAt) {
      this.probeAt = undefined;
      this.member.send(probedScript, this.bucket, '');
    }
    return this.share.ended(sentAt);
  }

  /** Forgets granted places. Another call may then send the probe. */
  private drop(isLost: (grant: Grant) => boolean): void {
    const lost = this.grants.filter(isLost);
    if (lost.length === 0) return;
    this.grants = this.grants.filter((grant) => !isLost(grant));
    if (lost.some(({ isProbe }) => isProbe)) this.member.send(probedScript, this.bucket, 'due');
  }

  /** Forgets all that Redis granted. */
  reset(): void {
    this.grants = [];
    this.next = 0;
    this.probeAt = undefined;
  }
}
