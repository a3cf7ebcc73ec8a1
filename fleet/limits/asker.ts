import type { Queue } from '@herald-speech/client/sharing';
import type { FleetPlaces } from './fleet-places.js';
import type { Member } from './member.js';
import { numbersOf } from './numbers.js';
import { askScript, TURN_MS } from './ask-script.js';

/** Milliseconds after which a member asks again at the latest: it counts as waiting only for a short time. */
const LONGEST_WAIT_MS = 1000;
/** Places in one question. */
const MAX_PLACES = 100;

/** Asks Redis for places while calls of one bucket wait. One question at a time. */
export class Asker {
  private isAsking = false;
  private isClosed = false;
  private isWoken = false;
  private isAhead = false;
  private wakeUp = () => {};

  /**
   * @param limits the limits of both buckets, as `askScript` expects them
   * @param onRefused called with the time at which Redis expects the next place, in `performance.now()` milliseconds
   */
  constructor(
    private readonly member: Member,
    private readonly queue: Queue,
    private readonly places: FleetPlaces,
    private readonly limits: readonly (string | number)[],
    private readonly onRefused: () => void,
  ) {}

  /** Starts to ask if calls wait. */
  start(): void {
    if (this.isAsking || this.wanted() === 0) return;
    this.isAsking = true;
    void this.askWhileWanted();
  }

  /** Whether calls wait that need the share of this member. While others go first, the member can lend it to them. */
  get isBusy(): boolean {
    return this.wanted() > 0 && !this.isAhead;
  }

  /** Asks again at once. */
  wake(): void {
    this.isWoken = true;
    this.wakeUp();
  }

  close(): void {
    this.isClosed = true;
    this.wakeUp();
  }

  private wanted(): number {
    if (this.isClosed || this.member.mode !== 'joined') return 0;
    return Math.min(this.queue.waitingFor(this.places), MAX_PLACES);
  }

  private async askWhileWanted(): Promise<void> {
    let isRefused = false;
    try {
      for (let wanted = this.wanted(); wanted > 0; wanted = this.wanted()) {
        const wait = await this.ask(wanted);
        isRefused = wait > 0;
        if (isRefused && !this.isWoken) await this.sleep(wait);
      }
    } catch {
      // This member is apart now. The calls get places of its share.
    }
    this.isAsking = false;
    this.isAhead = false;
    if (isRefused && !this.isClosed) this.member.send(askScript, this.places.bucket, 0, ...this.limits, 0);
    // A call may have come meanwhile.
    this.start();
  }

  /** Asks once. Returns the milliseconds until the next question. */
  private async ask(wanted: number): Promise<number> {
    this.isWoken = false;
    const askedAt = performance.now();
    const first = this.member.taken.reserve(wanted);
    const reply = numbersOf(
      await this.member.run(askScript, this.places.bucket, wanted, ...this.limits, first),
    );
    const [known = 0, granted = 0, wait = 0, probe = 0, rate] = reply;
    if (known === 0) {
      // Places that Redis granted before it lost its data are not in its window.
      this.places.reset();
      await this.member.restore();
      return 0;
    }
    this.isAhead = granted < wanted && wait === TURN_MS;
    this.member.setRate(rate);
    if (this.member.mode !== 'joined') return 0;
    this.places.grant(granted, { first, askedAt, isProbe: probe === 1 });
    this.places.expect(performance.now() + Math.max(0, wait));
    this.queue.pump();
    this.places.dropUnused();
    if (granted === wanted) return 0;
    this.onRefused();
    return wait < 0 ? LONGEST_WAIT_MS : Math.max(1, Math.min(wait, LONGEST_WAIT_MS));
  }

  private sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
