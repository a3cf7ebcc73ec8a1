import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { numbersOf } from '../../../fleet/limits/numbers.js';
import { askScript, beatScript, limitKeys, restoreScript, TURN_MS } from '../../../fleet/limits/scripts.js';
import { type Connection, connect } from '../../../fleet/redis/connection.js';
import { until } from '../../support/flow.js';
import { type RedisServer, withRedis } from '../../support/redis.js';

const WINDOW = 300;
const MEMBERS = ['ann', 'ben', 'cem'];

/** A question of a member, after a pause. It wants no place if it waits no longer. */
const question = fc.record({
  gap: fc.integer({ min: 0, max: 30 }),
  member: fc.constantFrom(...MEMBERS),
  want: fc.constantFrom(0, 1, 4, 50, 50, 50),
});

interface Reply {
  granted: number;
  isOutOfTurn: boolean;
  /** Places of the member in the window before the question. */
  places: number;
}

/** The turns as a model without Lua. */
class Turns {
  readonly served = new Map(MEMBERS.map((member) => [member, 0]));
  private readonly waiting = new Set<string>();
  private readonly credit: number;
  /** Places that a member got since two members wait, by both names. */
  private readonly since = new Map<string, number>();

  constructor(limit: number) {
    this.credit = Math.floor(limit / 2);
  }

  ask(member: string, want: number, { granted, isOutOfTurn, places }: Reply): void {
    const others = [...this.waiting].filter((other) => other !== member);
    const counts = others.map((other) => this.servedOf(other));
    const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
    if (want > 0 && !this.waiting.has(member) && others.length > 0) {
      const lifted = Math.max(this.servedOf(member), most - this.credit);
      this.served.set(member, Math.min(lifted, fewest + Math.min(this.credit, places)));
    }
    this.served.set(member, this.servedOf(member) + granted);
    if (granted > 0) assert.ok(this.servedOf(member) <= fewest + 1, 'a place out of turn');
    if (isOutOfTurn) assert.ok(this.servedOf(member) > fewest, 'refused in its turn');
    this.compare(member, granted, others);
    if (granted < want) this.waiting.add(member);
    else this.waiting.delete(member);
  }

  /** Checks that the sums of two members that wait all the time differ by a bounded number. */
  private compare(member: string, granted: number, others: readonly string[]): void {
    for (const other of MEMBERS) {
      const [own, theirs] = [`${member} ${other}`, `${other} ${member}`];
      const doWait = this.waiting.has(member) && others.includes(other);
      this.since.set(own, doWait ? (this.since.get(own) ?? 0) + granted : 0);
      if (!doWait) this.since.set(theirs, 0);
      const lead = (this.since.get(own) ?? 0) - (this.since.get(theirs) ?? 0);
      assert.ok(lead <= this.credit + 1, `${member} is ${lead} ahead of ${other}`);
    }
  }

  private servedOf(member: string): number {
    return this.served.get(member) ?? 0;
  }
}

/** The members of one account, asked through one connection. */
class Account {
  private first = 0;
  private readonly keys: string[];

  constructor(
    private readonly redis: RedisServer,
    private readonly connection: Connection,
    private readonly limit: number,
  ) {
    this.keys = limitKeys(connection);
  }

  async join(): Promise<void> {
    for (const member of MEMBERS)
      await this.connection.run(restoreScript, this.keys, [member, WINDOW, 0, '']);
  }

  async ask(member: string, want: number): Promise<Reply> {
    for (const alive of MEMBERS) await this.connection.run(beatScript, this.keys, [alive, WINDOW]);
    const args = [member, WINDOW, 'general', want, this.limit, 10, this.first];
    const [known, granted = 0, wait] = numbersOf(await this.connection.run(askScript, this.keys, args));
    assert.equal(known, 1);
    this.first += want;
    const places = (await this.numberOf('general:counts', member)) - granted;
    const isFull = Number(await this.redis.cli('zcard', this.connection.key('general'))) >= this.limit;
    return { granted, isOutOfTurn: wait === TURN_MS && granted < want && !isFull, places };
  }

  async numberOf(name: string, member: string): Promise<number> {
    return Number(await this.redis.cli('hget', this.connection.key(name), member));
  }
}

const limits = fc.integer({ min: 1, max: 12 });

async function withAccount(
  redis: RedisServer,
  { id, limit }: { id: string; limit: number },
  work: (account: Account) => Promise<void>,
): Promise<void> {
  const connection = connect({ url: redis.url }, id);
  try {
    await until(() => connection.isJoined);
    const account = new Account(redis, connection, limit);
    await account.join();
    await work(account);
  } finally {
    connection.close();
  }
}

describe('the turns of members', function () {
  this.timeout(120_000);

  it('go to the member with the fewest, and keep the sums of members that wait all the time close, for any questions', () =>
    withRedis(async (redis) => {
      let runs = 0;
      const questions = fc.array(question, { minLength: 10, maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(limits, questions, (limit, asked) =>
          withAccount(redis, { id: `account${(runs += 1)}`, limit }, async (account) => {
            const turns = new Turns(limit);
            for (const { gap, member, want } of asked) {
              await sleep(gap);
              turns.ask(member, want, await account.ask(member, want));
              const served = turns.served.get(member) ?? 0;
              assert.equal(await account.numberOf('general:served', member), served, member);
            }
          }),
        ),
        { numRuns: 12, endOnFailure: true },
      );
    }));

  it('give a lone member the whole window, after any questions of others', () =>
    withRedis(async (redis) => {
      let runs = 0;
      const questions = fc.array(question, { minLength: 0, maxLength: 15 });
      await fc.assert(
        fc.asyncProperty(limits, questions, (limit, asked) =>
          withAccount(redis, { id: `account${(runs += 1)}`, limit }, async (account) => {
            for (const { member, want } of asked) await account.ask(member, want);
            for (const member of MEMBERS) await account.ask(member, 0);
            await sleep(WINDOW);
            let places = 0;
            for (let tries = 0; tries < 50 && places < limit; tries += 1) {
              const { granted, places: former } = await account.ask('ann', 50);
              places = former + granted;
            }
            assert.equal(places, limit);
          }),
        ),
        { numRuns: 8, endOnFailure: true },
      );
    }));
});
