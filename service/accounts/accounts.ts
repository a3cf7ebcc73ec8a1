import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../store/database.js';
import { AccountsError } from './accounts-error.js';
import { type Tier, tierNames, tiers } from './tiers.js';
import { toMicroseconds, toSeconds } from './units.js';

const accountRow = z
  .object({ id: z.string(), name: z.string(), tier: z.enum(tierNames), credits: z.int(), created: z.int() })
  .transform(({ credits, created, ...row }) => ({
    ...row,
    /** Seconds of audio; null where none are counted. */
    credits: tiers[row.tier].metered ? toSeconds(credits) : null,
    created: new Date(created).toISOString(),
  }));

export type Account = Readonly<z.output<typeof accountRow>>;

export interface NewAccount {
  name: string;
  tier: Tier;
  /** Seconds of audio. */
  credits: number;
}

/** Seconds of audio that an account can hold: thirty years, and far from where whole numbers end. */
export const MAX_CREDITS = 1e9;

const SELECT = 'SELECT id, name, tier, credits, created FROM accounts';

/** The accounts of a database. What a method returns or accepted is on the disk. */
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws AccountsError `conflict` for a name that is taken */
  create({ name, tier, credits }: NewAccount): Account {
    if (this.#find(name)) throw new AccountsError('conflict', `name is ${JSON.stringify(name)}: it is taken`);
    const id = `account-${randomBytes(8).toString('hex')}`;
    const values = [id, name, tier, toMicroseconds(credits), this.now()];
    this.database.run(
      'INSERT INTO accounts (id, name, tier, credits, created) VALUES (?, ?, ?, ?, ?)',
      values,
    );
    return this.get(id);
  }

  /** In the order of their names. */
  list(): Account[] {
    return this.database.all(accountRow, `${SELECT} ORDER BY name`);
  }

  /** @throws AccountsError `not-found` */
  get(id: string): Account {
    return this.database.get(accountRow, `${SELECT} WHERE id = ?`, [id]) ?? unknownAccount(id);
  }

  /** @throws AccountsError `not-found` */
  named(name: string): Account {
    return this.#find(name) ?? unknownAccount(name);
  }

  /** The account of that name, made with no bounds where it is missing: what the nodes use by default. */
  unlimited(name: string): Account {
    return this.#find(name) ?? this.create({ name, tier: 'unlimited', credits: 0 });
  }

  setTier(id: string, tier: Tier): Account {
    this.database.run('UPDATE accounts SET tier = ? WHERE id = ?', [tier, id]);
    return this.get(id);
  }

  /** @param seconds of audio that are left from now on, 0 or more */
  setCredits(id: string, seconds: number): Account {
    this.database.run('UPDATE accounts SET credits = ? WHERE id = ?', [toMicroseconds(seconds), id]);
    return this.get(id);
  }

  /**
   * @param seconds of audio on top of what is left, 0 or more
   * @throws AccountsError `invalid` past MAX_CREDITS
   */
  addCredits(id: string, seconds: number): Account {
    const { credits } = this.get(id);
    if ((credits ?? 0) + seconds > MAX_CREDITS) {
      const words = `credits is ${seconds}: expected at most ${MAX_CREDITS} with the ${credits} that are left`;
      throw new AccountsError('invalid', words);
    }
    const values = [toMicroseconds(seconds), id];
    this.database.run('UPDATE accounts SET credits = credits + ? WHERE id = ?', values);
    return this.get(id);
  }

  #find(name: string): Account | undefined {
    return this.database.get(accountRow, `${SELECT} WHERE name = ?`, [name]);
  }
}

function unknownAccount(account: string): never {
  throw new AccountsError('not-found', `there is no account ${JSON.stringify(account)}`);
}
