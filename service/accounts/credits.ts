import type { Database } from './store/database.js';
import type { StoredAccount, AccountStore } from './accounts.js';
import { AccountsError } from '../kit/errors.js';
import { toMicroseconds, toSeconds } from '../kit/units.js';
import { type PastUse, recordUse, type Use } from './usage-record.js';

/** Credits reserved for one request. Reservations exist in memory only, so a crash releases all of them. */
export interface CreditReservation {
  readonly account: string;
}

/**
 * The credits of all accounts, in seconds of audio. A request reserves credits, and settles for the audio that it
 * sends. A request that fails or aborts releases its reservation and costs nothing. Reserved credits cannot be reserved
 * twice, so parallel requests never exceed the balance.
 */
export class Credits {
  readonly #database: Database;
  readonly #accounts: AccountStore;
  readonly #now: () => number;
  /** Microseconds of the open reservations, one per current request. */
  readonly #open = new Map<CreditReservation, number>();

  constructor(database: Database, accounts: AccountStore, now: () => number = Date.now) {
    this.#database = database;
    this.#accounts = accounts;
    this.#now = now;
  }

  /**
   * Reserves credits. Requires a balance above zero, even for 0 seconds.
   * @throws AccountsError `out-of-credits`, `not-found`
   */
  reserve(account: string, seconds: number): CreditReservation {
    const wanted = toMicroseconds(seconds);
    this.#need(account, Math.max(wanted, 1));
    const reservation: CreditReservation = { account };
    this.#open.set(reservation, wanted);
    return reservation;
  }

  /**
   * Increases a reservation, before a further piece is sent.
   * @throws AccountsError `out-of-credits`; the reservation is unchanged then
   */
  grow(reservation: CreditReservation, seconds: number): void {
    const more = toMicroseconds(seconds);
    const held = this.#held(reservation);
    this.#need(reservation.account, more);
    this.#open.set(reservation, held + more);
  }

  /**
   * Takes the used seconds from the balance, records the usage, and closes the reservation. Charge and usage are one
   * commit. The used seconds may exceed the reservation if the balance allows it.
   * @throws AccountsError `out-of-credits` or StoreError. Nothing is taken then, and the caller must release.
   */
  settle(reservation: CreditReservation, seconds: number, use: Use): void {
    const amount = toMicroseconds(seconds);
    const { account } = reservation;
    this.#need(account, amount - this.#held(reservation));
    this.#database.transaction(() => {
      this.#charge(account, amount);
      recordUse(this.#database, { account, amount, use, at: this.#now() });
    });
    this.#open.delete(reservation);
  }

  /** Records earlier uses of accounts without credits in one commit. @throws StoreError; no use is recorded then */
  recordEarlier(uses: readonly PastUse[]): void {
    this.#database.transaction(() => {
      for (const use of uses) recordUse(this.#database, use);
    });
  }

  /** Closes a reservation without a charge. Has no effect on a closed reservation. */
  release(reservation: CreditReservation): void {
    this.#open.delete(reservation);
  }

  #held(reservation: CreditReservation): number {
    const held = this.#open.get(reservation);
    if (held === undefined) throw new Error('the reservation was already settled or released');
    return held;
  }

  #need(account: string, amount: number): void {
    const { credits } = this.#accounts.get(account);
    if (credits === null || amount <= 0) return;
    const free = toMicroseconds(credits) - this.#reservedOf(account);
    if (free >= amount) return;
    const left = toSeconds(Math.max(free, 0));
    const lack = `has ${left} s of credits, and needs ${toSeconds(amount)} s`;
    const message = `the account ${left > 0 ? lack : 'has no credits'}: add credits`;
    throw new AccountsError('out-of-credits', message);
  }

  #reservedOf(account: string): number {
    const reserved = [...this.#open].filter(([reservation]) => reservation.account === account);
    return reserved.reduce((sum, [, amount]) => sum + amount, 0);
  }

  /** Takes credits, but not below zero: an administrator may have reduced the balance after the reservation. */
  #charge(account: string, amount: number): void {
    if (!isMetered(this.#accounts.get(account))) return;
    const sql = 'UPDATE accounts SET credits = max(credits - ?, 0) WHERE id = ?';
    this.#database.run(sql, [amount, account]);
  }
}

function isMetered({ credits }: StoredAccount): boolean {
  return credits !== null;
}
