import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type RateKind, RateLimiter } from '../../../service/accounts/rate-limiter.js';
import { type Tier, tiers } from '../../../service/accounts/tiers.js';

const WINDOW = 60_000;

function limiterAt(start = 0) {
  const clock = { now: start };
  const limiter = new RateLimiter(() => clock.now);
  const take = (tier: Tier, kind: RateKind = 'request', id = 'a') => limiter.take({ id, tier }, kind);
  return { clock, take };
}

describe('the rate limit of an account', () => {
  const expected = { free: 20, starter: 20, creator: 30, pro: 60 } as const;
  for (const tier of ['free', 'starter', 'creator', 'pro'] as const) {
    it(`accepts ${expected[tier]} requests per minute on the tier ${tier}`, () => {
      const { take } = limiterAt();
      for (let index = 0; index < expected[tier]; index++) assert.ok(take(tier).allowed);
      assert.deepEqual(take(tier), { allowed: false, retryAfter: 60 });
    });
  }

  it('accepts 10 clones per minute, counted separately from requests', () => {
    const { take } = limiterAt();
    for (let index = 0; index < 60; index++) take('pro');
    for (let index = 0; index < 10; index++) assert.ok(take('pro', 'clone').allowed);
    assert.equal(take('pro', 'clone').allowed, false);
  });

  it('accepts any number of requests of an unlimited account', () => {
    const { take } = limiterAt();
    for (let index = 0; index < 1000; index++) assert.ok(take('unlimited').allowed);
  });

  it('counts each account separately', () => {
    const { take } = limiterAt();
    for (let index = 0; index < 20; index++) take('free', 'request', 'a');
    assert.ok(take('free', 'request', 'b').allowed);
  });

  it('counts earlier requests after a change to a lower tier', () => {
    const { take } = limiterAt();
    for (let index = 0; index < 60; index++) take('pro');
    assert.equal(take('free').allowed, false);
  });

  const waits = fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 200 });

  it('is not exceeded in any period of 60 seconds', () => {
    fc.assert(
      fc.property(waits, fc.constantFrom('free', 'creator', 'pro'), (pauses, tier) => {
        const { clock, take } = limiterAt();
        const allowed: number[] = [];
        for (const pause of pauses) {
          clock.now += pause;
          if (take(tier).allowed) allowed.push(clock.now);
        }
        for (const start of allowed) {
          const inside = allowed.filter((at) => at >= start && at < start + WINDOW);
          assert.ok(inside.length <= tiers[tier].request);
        }
      }),
    );
  });

  it('accepts a request after retryAfter seconds, and not a second earlier', () => {
    fc.assert(
      fc.property(waits, (pauses) => {
        const { clock, take } = limiterAt();
        for (const pause of pauses) {
          clock.now += pause / 20;
          const decision = take('free');
          if (decision.allowed) continue;
          assert.ok(Number.isInteger(decision.retryAfter) && decision.retryAfter >= 1);
          clock.now += decision.retryAfter * 1000 - 1001;
          assert.equal(take('free').allowed, false);
          clock.now += 1001;
          assert.ok(take('free').allowed);
        }
      }),
    );
  });
});
