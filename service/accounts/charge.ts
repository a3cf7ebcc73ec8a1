import type { Credits, Reservation } from './credits.js';
import { rounded } from './units.js';
import type { Use } from './usage-record.js';

/**
 * What one request for speech costs: it starts with nothing set aside but a balance above zero, sets aside each piece
 * before the piece is given, and takes the sum once (docs/interface.md#credits). So a text needs no second synthesis to learn its
 * length beforehand, and what is taken is what was given.
 */
export class Charge {
  readonly #reservation: Reservation;
  #seconds = 0;
  #isOpen = true;

  /** @throws AccountsError `out-of-credits` */
  constructor(
    private readonly credits: Credits,
    account: string,
    private readonly use: Use,
  ) {
    this.#reservation = credits.reserve(account, 0);
  }

  /** Seconds so far, as they are charged. */
  get seconds(): number {
    return rounded(this.#seconds);
  }

  /**
   * To be called before a piece is given.
   * @param seconds of the piece
   * @throws AccountsError `out-of-credits`: the piece must not be given
   */
  add(seconds: number): void {
    const sum = this.#seconds + seconds;
    this.credits.grow(this.#reservation, rounded(sum) - this.seconds);
    this.#seconds = sum;
  }

  /** Takes what was given, with its record, in one commit. Once; where nothing was given, nothing is recorded. */
  settle(): void {
    if (!this.#isOpen) return;
    if (this.seconds > 0) this.credits.settle(this.#reservation, this.seconds, this.use);
    this.release();
  }

  /** Takes nothing. Does nothing to a charge that is settled. */
  release(): void {
    this.#isOpen = false;
    this.credits.release(this.#reservation);
  }
}
