import type { Database } from '../store/database.js';
import type { Account, Accounts } from './accounts.js';
import { AccountsError } from './accounts-error.js';
import { toMicroseconds, toSeconds } from './units.js';
import { recordUse, type Use } from './usage-record.js';

/** Credits that are set aside for one request. It lives in memory: a crash gives all of them back. */
export interface Reservation {
  readonly account: string;
}

/**
 * Credits, in seconds of audio. A request reserves, is served, and settles for what it gave; one that fails or is
 * aborted releases, and costs nothing. What is reserved can't be reserved twice, so parallel requests never take more
 * than there is. The charge and its usage are one commit.
 */
export class Credits {
  /** Microseconds of every open reservation: one per request in flight. */
  readonly #open = new Map<Reservation, number>();

  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Sets credits aside. 0 seconds still need a balance above zero.
   * @throws AccountsError `out-of-credits`, `not-found`
   */
  reserve(account: string, seconds: number): Reservation {
    const wanted = toMicroseconds(seconds);
    this.#need(account, Math.max(wanted, 1));
    const reservation: Reservation = { account };
    this.#open.set(reservation, wanted);
    return reservation;
  }

  /**
   * Sets more aside, before a further piece is given.
   * @throws AccountsError `out-of-credits`; the reservation is then as it was
   */
  grow(reservation: Reservation, seconds: number): void {
    const more = toMicroseconds(seconds);
    const held = this.#held(reservation);
    this.#need(reservation.account, more);
    this.#open.set(reservation, held + more);
  }

  /**
   * Takes what was used, once, and records it; the rest of the reservation is free again. Where it is more than was
   * reserved, the reservation grows first.
   * @throws AccountsError `out-of-credits`; StoreError: nothing was taken, and the reservation is still to be released
   */
  settle(reservation: Reservation, seconds: number, use: Use): void {
    const amount = toMicroseconds(seconds);
    const { account } = reservation;
    this.#need(account, amount - this.#held(reservation));
    this.database.transaction(() => {
      this.#charge(account, amount);
      recordUse(this.database, account, amount, use, this.now());
    });
    this.#open.delete(reservation);
  }

  /** Takes nothing. Does nothing to a reservation that is settled. */
  release(reservation: Reservation): void {
    this.#open.delete(reservation);
  }

  #held(reservation: Reservation): number {
    const held = this.#open.get(reservation);
    if (held === undefined) throw new Error('the reservation is settled or released');
    return held;
  }

  #need(account: string, amount: number): void {
    const { credits } = this.accounts.get(account);
    if (credits === null || amount <= 0) return;
    const free = toMicroseconds(credits) - this.#reservedOf(account);
    if (free >= amount) return;
    const words = `${toSeconds(Math.max(free, 0))} s of credits are left, and ${toSeconds(amount)} s are needed`;
    throw new AccountsError('out-of-credits', words);
  }

  #reservedOf(account: string): number {
    const own = [...this.#open].filter(([reservation]) => reservation.account === account);
    return own.reduce((sum, [, amount]) => sum + amount, 0);
  }

  /** Where an administrator took credits that were reserved, the rest is taken: never below zero. */
  #charge(account: string, amount: number): void {
    if (!isMetered(this.accounts.get(account))) return;
    const sql = 'UPDATE accounts SET credits = max(credits - ?, 0) WHERE id = ?';
    this.database.run(sql, [amount, account]);
  }
}

function isMetered({ credits }: Account): boolean {
  return credits !== null;
}
