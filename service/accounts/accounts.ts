import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Database } from './store/database.js';
import { AccountsError } from '../kit/errors.js';
import { type Tier, tierNames, tiers } from './tiers.js';
import { toMicroseconds, toSeconds } from '../kit/units.js';

const accountRow = z
  .object({ id: z.string(), name: z.string(), tier: z.enum(tierNames), credits: z.int(), created: z.int() })
  .transform(({ credits, created, ...row }) => ({
    ...row,
    /** Seconds of audio. Null if the tier has unlimited credits. */
    credits: tiers[row.tier].metered ? toSeconds(credits) : null,
    created: new Date(created).toISOString(),
  }));

export type StoredAccount = Readonly<z.output<typeof accountRow>>;

export interface NewAccount {
  name: string;
  tier: Tier;
  /** Seconds of audio. */
  credits: number;
}

/** Maximum credits of an account in seconds, about 30 years. In microseconds, it is still a safe integer. */
export const MAX_CREDITS = 1e9;

const SELECT = 'SELECT id, name, tier, credits, created FROM accounts';

/** The accounts in the database. A method returns after its change is on disk. All methods can throw a StoreError. */
export class AccountStore {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** Creates an account. @throws AccountsError `conflict` if another account has the name */
  create({ name, tier, credits }: NewAccount): StoredAccount {
    if (this.#find(name)) {
      throw new AccountsError(
        'conflict',
        `name is ${JSON.stringify(name)}: expected a name that is not in use`,
      );
    }
    const id = `account-${randomBytes(8).toString('hex')}`;
    const values = [id, name, tier, toMicroseconds(credits), this.#now()];
    this.#database.run(
      'INSERT INTO accounts (id, name, tier, credits, created) VALUES (?, ?, ?, ?, ?)',
      values,
    );
    return this.get(id);
  }

  /** Returns all accounts in the order of their names. */
  list(): StoredAccount[] {
    return this.#database.all(accountRow, `${SELECT} ORDER BY name`);
  }

  /** Returns the account with an identifier. @throws AccountsError `not-found` */
  get(id: string): StoredAccount {
    return this.#database.get(accountRow, `${SELECT} WHERE id = ?`, [id]) ?? unknownAccount(id);
  }

  /** Returns the account with a name. @throws AccountsError `not-found` */
  named(name: string): StoredAccount {
    return this.#find(name) ?? unknownAccount(name);
  }

  /** Returns the account with a name. If it is missing, creates it without limits. */
  unlimited(name: string): StoredAccount {
    return this.#find(name) ?? this.create({ name, tier: 'unlimited', credits: 0 });
  }

  setTier(id: string, tier: Tier): StoredAccount {
    this.#database.run('UPDATE accounts SET tier = ? WHERE id = ?', [tier, id]);
    return this.get(id);
  }

  /**
   * Sets the balance of an account.
   * @param seconds of audio, 0 or more
   */
  setCredits(id: string, seconds: number): StoredAccount {
    this.#database.run('UPDATE accounts SET credits = ? WHERE id = ?', [toMicroseconds(seconds), id]);
    return this.get(id);
  }

  /**
   * Adds to the balance of an account.
   * @param seconds of audio, 0 or more
   * @throws AccountsError `invalid` if the new balance exceeds MAX_CREDITS
   */
  addCredits(id: string, seconds: number): StoredAccount {
    const { credits } = this.get(id);
    if ((credits ?? 0) + seconds > MAX_CREDITS) {
      const room = `${MAX_CREDITS - (credits ?? 0)}, because the balance is ${credits ?? 0}`;
      throw new AccountsError('invalid', `credits is ${seconds}: expected at most ${room}`);
    }
    const values = [toMicroseconds(seconds), id];
    this.#database.run('UPDATE accounts SET credits = credits + ? WHERE id = ?', values);
    return this.get(id);
  }

  #find(name: string): StoredAccount | undefined {
    return this.#database.get(accountRow, `${SELECT} WHERE name = ?`, [name]);
  }
}

function unknownAccount(account: string): never {
  const help = 'List the accounts with "herald-service accounts list"';
  throw new AccountsError('not-found', `account ${JSON.stringify(account)}: unknown account. ${help}`);
}
