import {
  type AcquireOptions,
  type Bucket,
  type Limiter,
  type LimiterOptions,
  lowerRate,
  Queue,
  RATES,
  SlidingLog,
} from '@herald-speech/client/sharing';
import { Asker } from './asker.js';
import { FleetPlaces } from './fleet-places.js';
import type { Member } from './member.js';
import { pauseScript, stepScript } from './scripts.js';

/** A call that waits, and has not heard for how long. */
interface Uninformed {
  places: FleetPlaces;
  onWait: (seconds: number) => void;
}

/** Milliseconds by which a repeated pause may end later than the first one. */
const REPEATED_MS = 300;

/** The share of a limit that each member has without Redis: at least one place. A member without a divisor knows no others. */
export const shareOf = (limit: number, divisor: number): number =>
  Math.max(1, Math.floor(limit / Math.max(1, divisor)));

/** The limiter of one client: the window of the fleet while this member has joined, its share of the limits while it is apart. */
export class FleetLimiter implements Limiter {
  private readonly queue: Queue;
  private readonly places: Record<Bucket, FleetPlaces>;
  private readonly askers: Record<Bucket, Asker>;
  private readonly uninformed = new Set<Uninformed>();
  private readonly pausedUntil: Record<Bucket, number> = { general: 0, clone: 0 };
  private readonly stopObserving: () => void;
  private steppedAt = 0;

  /** @param onClose called when the limiter is closed */
  constructor(
    private readonly member: Member,
    private readonly options: LimiterOptions,
    private readonly onClose: () => void,
  ) {
    const { clonesPerMinute, maxWaiting } = options;
    this.queue = new Queue(maxWaiting);
    const general = new SlidingLog(this.rate, false, undefined, member.windowMs);
    const clone = new SlidingLog(clonesPerMinute, false, general, member.windowMs);
    const isUnlimited = !Number.isFinite(this.rate);
    this.places = {
      general: new FleetPlaces('general', member, general, isUnlimited),
      clone: new FleetPlaces('clone', member, clone, isUnlimited && !Number.isFinite(clonesPerMinute)),
    };
    this.askers = { general: this.askerOf('general'), clone: this.askerOf('clone') };
    this.stopObserving = member.observe({
      mode: () => this.modeChanged(),
      figures: () => this.applyShares(),
      turn: () => this.wake(),
      isBusy: () => this.isBusy(),
      pause: (bucket, milliseconds) => this.pauseShare(bucket, performance.now() + milliseconds),
    });
    this.applyShares();
  }

  /** Requests a minute of the whole account. */
  get rate(): number {
    const { requestsPerMinute } = this.options;
    return requestsPerMinute === 'auto' ? (this.member.rate ?? RATES[0]) : requestsPerMinute;
  }

  tryAcquire(bucket: Bucket): boolean {
    return this.queue.take(this.places[bucket]);
  }

  async acquire(bucket: Bucket, options: AcquireOptions): Promise<void> {
    const places = this.places[bucket];
    const call: Uninformed = { places, onWait: options.onWait ?? (() => {}) };
    this.uninformed.add(call);
    const onWait = (seconds: number) => {
      // While Redis has not replied, the wait is not known.
      if (seconds > 0 || !places.asksRedis) this.inform(call, seconds);
    };
    try {
      const waiting = this.queue.wait(places, { ...options, onWait });
      this.askers[bucket].start();
      await waiting;
    } finally {
      this.uninformed.delete(call);
    }
  }

  pause(bucket: Bucket, until: number): void {
    this.member.send(pauseScript, bucket, Math.max(0, Math.ceil(until - performance.now())));
    this.pauseShare(bucket, until);
  }

  ended(bucket: Bucket, sentAt: number): void {
    if (this.places[bucket].ended(sentAt)) this.queue.pump();
  }

  stepDown(_bucket: Bucket, sentAt: number): void {
    if (this.options.requestsPerMinute !== 'auto') return;
    if (this.member.mode === 'joined') {
      this.member.send(stepScript, Math.max(0, Math.floor(performance.now() - sentAt)));
      return;
    }
    // Several 429s of one burst lower the rate once.
    if (sentAt < this.steppedAt) return;
    this.steppedAt = performance.now();
    this.member.stepTo(lowerRate(this.rate));
  }

  /** The members learn the rate by the pauses that they share. */
  resize(): void {}

  close(): void {
    this.stopObserving();
    for (const asker of Object.values(this.askers)) asker.close();
    this.queue.close();
    this.onClose();
  }

  /**
   * Whether waiting calls need the share of this member. Clones that wait for the window of clones, or for the end of its pause,
   * cannot use the general share: the member then lends it.
   */
  private isBusy(): boolean {
    const { general, clone } = this.askers;
    if (general.isBusy || !clone.isBusy) return general.isBusy;
    const now = performance.now();
    return this.places.clone.share.nextAt() <= now || this.places.general.share.nextAt() > now;
  }

  private askerOf(bucket: Bucket): Asker {
    const { requestsPerMinute, clonesPerMinute } = this.options;
    const limits = [requestsPerMinute, clonesPerMinute].map((limit) => (limit === Infinity ? -1 : limit));
    const places = this.places[bucket];
    return new Asker(this.member, this.queue, places, limits, () => this.informAll(places));
  }

  /** Applies the share of the limits to the own windows. */
  private applyShares(): void {
    const { divisor } = this.member.claim;
    this.places.general.share.resize(shareOf(this.rate, divisor));
    this.places.clone.share.resize(shareOf(this.options.clonesPerMinute, divisor));
  }

  private modeChanged(): void {
    this.applyShares();
    for (const places of Object.values(this.places)) places.reset();
    this.queue.pump();
    if (this.member.mode === 'joined') this.repeatPauses();
    else for (const places of Object.values(this.places)) this.informAll(places);
    this.wake();
  }

  /** A Redis that lost its data does not know the pauses. */
  private repeatPauses(): void {
    for (const bucket of ['general', 'clone'] as const) {
      const left = this.pausedUntil[bucket] - performance.now();
      if (left > 0) this.member.send(pauseScript, bucket, Math.ceil(left));
    }
  }

  private pauseShare(bucket: Bucket, until: number): void {
    // The message of Redis repeats the own pause, and must not make its probe due again.
    if (until <= this.pausedUntil[bucket] + REPEATED_MS) return;
    this.pausedUntil[bucket] = until;
    this.places[bucket].share.pause(until);
    this.queue.pump();
  }

  private wake(): void {
    for (const asker of Object.values(this.askers)) {
      asker.wake();
      asker.start();
    }
  }

  private informAll(places: FleetPlaces): void {
    const seconds = Math.max(0, places.nextAt() - performance.now()) / 1000;
    for (const call of this.uninformed) if (call.places === places) this.inform(call, seconds);
  }

  private inform(call: Uninformed, seconds: number): void {
    if (this.uninformed.delete(call)) call.onWait(seconds);
  }
}
