import type { Credits, Reservation } from './credits.js';
import { rounded } from './units.js';
import type { Use } from './usage-record.js';

/**
 * The charge of one speech request. It needs a balance above zero, reserves credits for each piece before the piece is
 * sent, and takes the sum once at the end (docs/interface.md#credits). The service thus charges exactly the audio that it
 * sends, without a second synthesis that measures the length beforehand (docs/decisions/0024).
 */
export class Charge {
  readonly #reservation: Reservation;
  #seconds = 0;
  #isOpen = true;

  /** @throws AccountsError `out-of-credits` if the balance is zero */
  constructor(
    private readonly credits: Credits,
    account: string,
    private readonly use: Use,
  ) {
    this.#reservation = credits.reserve(account, 0);
  }

  /** Seconds added so far, rounded like the charge. */
  get seconds(): number {
    return rounded(this.#seconds);
  }

  /**
   * Reserves credits for a piece. Call it before the piece is sent.
   * @param seconds of the piece
   * @throws AccountsError `out-of-credits`. Do not send the piece then.
   */
  add(seconds: number): void {
    const sum = this.#seconds + seconds;
    this.credits.grow(this.#reservation, rounded(sum) - this.seconds);
    this.#seconds = sum;
  }

  /**
   * Takes the credits of all pieces and records the usage, in one commit. Further calls have no effect.
   * @throws AccountsError `out-of-credits` or StoreError. Nothing is taken then.
   */
  settle(): void {
    if (!this.#isOpen) return;
    if (this.seconds > 0) this.credits.settle(this.#reservation, this.seconds, this.use);
    this.release();
  }

  /** Returns the reserved credits. Has no effect after `settle`. */
  release(): void {
    this.#isOpen = false;
    this.credits.release(this.#reservation);
  }
}
