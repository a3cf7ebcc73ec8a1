import type { StoredAccount } from './accounts.js';
import type { Credits, CreditReservation } from './credits.js';
import { roundedSeconds, toMicroseconds } from '../kit/units.js';
import { StoreError } from '../kit/store-error.js';
import type { UnrecordedUsage } from './unrecorded-usage.js';
import type { Use } from './usage-record.js';

interface ChargeDependencies {
  credits: Credits;
  unrecorded: UnrecordedUsage;
}

/**
 * The charge of one speech request. It needs a balance above zero, reserves credits for each piece before the piece is
 * sent, and takes the sum once at the end (docs/interface.md#credits). The service thus charges exactly the audio that it
 * sends, without a second synthesis that measures the length beforehand (docs/decisions/0024).
 */
export class Charge {
  readonly #dependencies: ChargeDependencies;
  readonly #account: StoredAccount;
  readonly #reservation: CreditReservation;
  #seconds = 0;
  #isOpen = true;
  #refusal: unknown;

  /** @throws AccountsError `out-of-credits` if the balance is zero */
  constructor(
    dependencies: ChargeDependencies,
    account: StoredAccount,
    /** The entry of the usage report. It may change until `settle`. */
    public use: Use,
  ) {
    this.#dependencies = dependencies;
    this.#account = account;
    this.#reservation = dependencies.credits.reserve(account.id, 0);
  }

  /** Seconds added so far, rounded like the charge. */
  get seconds(): number {
    return roundedSeconds(this.#seconds);
  }

  /** The error of `add` for a piece that the account cannot pay. Undefined if all pieces were paid. */
  get refusal(): unknown {
    return this.#refusal;
  }

  /**
   * Reserves credits for a piece. Call it before the piece is sent.
   * @param seconds of the piece
   * @throws AccountsError `out-of-credits`. Do not send the piece then.
   */
  add(seconds: number): void {
    const sum = this.#seconds + seconds;
    try {
      this.#dependencies.credits.grow(this.#reservation, roundedSeconds(sum) - this.seconds);
    } catch (error) {
      this.#refusal = error;
      throw error;
    }
    this.#seconds = sum;
  }

  /**
   * Takes the credits of all pieces and records the usage, in one commit. Further calls have no effect. If the disk fails, an
   * account without credits still gets its speech, and its usage is recorded later.
   * @throws AccountsError `out-of-credits`, or StoreError for an account with credits. Nothing is taken then.
   */
  settle(): void {
    if (!this.#isOpen) return;
    if (this.seconds > 0) this.#record();
    this.release();
  }

  #record(): void {
    const { credits, unrecorded } = this.#dependencies;
    try {
      credits.settle(this.#reservation, this.seconds, this.use);
    } catch (error) {
      if (!(error instanceof StoreError) || this.#account.credits !== null) throw error;
      const { use } = this;
      unrecorded.add(
        { account: this.#account.id, amount: toMicroseconds(this.seconds), use, at: Date.now() },
        error,
      );
      return;
    }
    unrecorded.retry();
  }

  /** Returns the reserved credits. Has no effect after `settle`. */
  release(): void {
    this.#isOpen = false;
    this.#dependencies.credits.release(this.#reservation);
  }
}
