import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import { numbersOf } from '../../../fleet/limits/numbers.js';
import { askScript, TURN_MS } from '../../../fleet/limits/ask-script.js';
import { beatScript, limitKeys, restoreScript } from '../../../fleet/limits/scripts.js';
import { evaluate } from '../../../fleet/redis/evaluate.js';
import type { Argument, Script } from '../../../fleet/redis/redis.js';
import { scriptOf } from '../../../fleet/redis/script.js';
import { describeWith } from '../../support/programs/describe-with.js';
import { withRedis } from '../../support/programs/redis.js';

const WINDOW = 300;
const MEMBERS = ['ann', 'ben', 'cem'];
/** A time of Redis in milliseconds: the members lend their shares again with each sign of life. */
const FAR = 1e12;

/**
 * The beginning of the scripts of this test: the clock of the test replaces the one of Redis, and no key expires. On a busy
 * machine, more time than two windows passes between two questions, and Redis forgets the turns.
 */
const TEST_CLOCK = `
local server = redis
local redis = {
  call = function(name, ...)
    if name == 'PEXPIRE' then return 1 end
    if name ~= 'TIME' then return server.call(name, ...) end
    local now = tonumber(server.call('GET', 'clock'))
    return { math.floor(now / 1000), now % 1000 * 1000 }
  end,
}
`;
const byTestClock = ({ lua }: Script): Script => scriptOf(TEST_CLOCK + lua);
const [ask, beat, restore] = [byTestClock(askScript), byTestClock(beatScript), byTestClock(restoreScript)];

/** A question of a member, after a pause in milliseconds. It wants no place if it waits no longer. */
const question = fc.record({
  gap: fc.integer({ min: 0, max: 60 }),
  member: fc.constantFrom(...MEMBERS),
  want: fc.constantFrom(0, 1, 4, 50, 50, 50),
});

type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

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

/** The members of one account, asked through one connection without a deadline. */
class Account {
  private first = 0;
  private readonly keys: string[];

  constructor(
    private readonly redis: Redis,
    private readonly id: string,
    private readonly limit: number,
  ) {
    this.keys = limitKeys({ key: (name) => this.key(name) });
  }

  async join(): Promise<void> {
    await this.redis.set('clock', 1_000_000);
    for (const member of MEMBERS) await this.run(restore, [member, WINDOW, 0, '', 0, 0]);
  }

  async wait(milliseconds: number): Promise<void> {
    await this.redis.incrby('clock', milliseconds);
  }

  async ask(member: string, want: number): Promise<Reply> {
    for (const alive of MEMBERS) await this.run(beat, [alive, WINDOW, MEMBERS.length, FAR]);
    const args = [member, WINDOW, 'general', want, this.limit, 10, this.first];
    const [known, granted = 0, wait] = numbersOf(await this.run(ask, args));
    assert.equal(known, 1);
    this.first += want;
    const places = (await this.numberOf('general:counts', member)) - granted;
    const isFull = (await this.redis.zcard(this.key('general'))) >= this.limit;
    return { granted, isOutOfTurn: wait === TURN_MS && granted < want && !isFull, places };
  }

  async numberOf(name: string, member: string): Promise<number> {
    return Number(await this.redis.hget(this.key(name), member));
  }

  private run(script: Script, args: readonly Argument[]): Promise<unknown> {
    return evaluate(this.redis, 'call', script, this.keys, args);
  }

  private key(name: string): string {
    return `${this.id}:${name}`;
  }
}

const limits = fc.integer({ min: 1, max: 12 });

/** Checks a property of accounts with generated limits and questions. */
const forAnyQuestions = (
  lengths: fc.ArrayConstraints,
  work: (account: Account, asked: readonly Question[], limit: number) => Promise<void>,
): Promise<void> =>
  withRedis(async ({ url }) => {
    const redis = new Redis(url);
    let runs = 0;
    const property = fc.asyncProperty(limits, fc.array(question, lengths), async (limit, asked) => {
      const account = new Account(redis, `account${(runs += 1)}`, limit);
      await account.join();
      await work(account, asked, limit);
    });
    try {
      await fc.assert(property, { numRuns: 30, endOnFailure: true, includeErrorInReport: true });
    } finally {
      redis.disconnect();
    }
  });

describeWith(['redis-server'], 'the turns of members', function () {
  it('go to the member with the fewest, and keep the sums of members that wait all the time close, for any questions', () =>
    forAnyQuestions({ minLength: 10, maxLength: 40 }, async (account, asked, limit) => {
      const turns = new Turns(limit);
      for (const { gap, member, want } of asked) {
        await account.wait(gap);
        turns.ask(member, want, await account.ask(member, want));
        const served = turns.served.get(member) ?? 0;
        assert.equal(await account.numberOf('general:served', member), served, member);
      }
    }));

  it('give a lone member the whole window, after any questions of others', () =>
    forAnyQuestions({ minLength: 0, maxLength: 15 }, async (account, asked, limit) => {
      for (const { gap, member, want } of asked) {
        await account.wait(gap);
        await account.ask(member, want);
      }
      for (const member of MEMBERS) await account.ask(member, 0);
      await account.wait(WINDOW);
      let places = 0;
      for (let tries = 0; tries < 50 && places < limit; tries += 1) {
        const { granted, places: former } = await account.ask('ann', 50);
        places = former + granted;
        await account.wait(1);
      }
      assert.equal(places, limit);
    }));
});
